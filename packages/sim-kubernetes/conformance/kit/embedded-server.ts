import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerUnderTest } from './server-under-test.ts';

const token = 'conformance';

const admin = { username: 'admin', uid: 'admin', groups: ['system:masters'] };

/** Loaded on demand, so that a run against the real server needs no line of the embedded one. */
export async function startEmbedded(): Promise<ServerUnderTest> {
  const { startCluster } = await import('../../src/start-cluster.ts');
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const auditLogPath = join(folder, 'audit.log');
  const cluster = await startCluster({ tokens: new Map([[token, admin]]), auditLogPath });
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
