import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../../src/registry/actor.ts';
import type { ServerNeeds, ServerUnderTest } from './server-under-test.ts';

const token = 'conformance';

const admin = { username: 'admin', uid: 'admin', groups: ['system:masters'] };

/** Loaded on demand, so that a run against the real server needs no line of the embedded one. */
export async function startEmbedded({ workloads = false }: ServerNeeds = {}): Promise<ServerUnderTest> {
  const { startCluster } = await import('../../src/start-cluster.ts');
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const auditLogPath = join(folder, 'audit.log');
  const actors = workloads ? await workloadActors() : [];
  const cluster = await startCluster({ tokens: new Map([[token, admin]]), auditLogPath, actors });
  return {
    name: 'sim',
    endpoint: { url: cluster.url, ca: cluster.ca, token },
    auditLogPath,
    compact: async () => cluster.compact(),
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function workloadActors(): Promise<readonly Actor[]> {
  const { createDeploymentController } = await import('../../src/actors/workloads/deployment.ts');
  const { createReplicaSetController } = await import('../../src/actors/workloads/replica-set.ts');
  return [createDeploymentController(), createReplicaSetController()];
}
