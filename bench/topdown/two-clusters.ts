import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, crdKind, createUndiciTransport, defineKind, loadClusterAccess } from '@tributary/runtime';
import { namespaceKind, secretKind, systemAccessDeps } from '@tributary/runtime';
import type { AnyObject, Connection, KubeClient } from '@tributary/runtime';
import { clusterBindingKind, resourceLeasingPolicyKind } from '@tributary/topdown-syncer';
import { bundleProgram } from '../../tools/bundle/bundle-program.ts';
import { startControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../tools/control-plane/start-control-plane.ts';
import { openAuditLog } from '../audit-log.ts';
import type { AuditLog } from '../audit-log.ts';
import { until } from '../until.ts';
import { startSyncer } from './start-syncer.ts';
import type { BenchSyncer } from './start-syncer.ts';

/** One of the two clusters, as the bench sees it. */
export type Side = { readonly connection: Connection; readonly audit: AuditLog; readonly close: () => Promise<void> };

export type TwoClusters = {
  readonly virtual: Side;
  readonly physical: Side;
  /** Starts it, and waits for its virtual nodes. */
  readonly startSyncer: () => Promise<BenchSyncer>;
  readonly stop: () => Promise<void>;
};

export const binding = 'worker1';
export const mountNamespace = 'mount';
/** The name under which the syncer's requests are in the audit logs. */
export const syncerAgent = `kubeocean-syncer-${binding}`;

type Node = AnyObject & { readonly spec?: { readonly taints?: readonly object[] } };
const nodeKind = defineKind<Node>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });

/** V: API server, scheduler, controller manager; P: the same and kwok, whose nodes run pods at once. */
export async function startTwoClusters(nodes: number, say: (line: string) => void): Promise<TwoClusters> {
  say('starting two control planes');
  const managed = { components: ['kube-controller-manager', 'kube-scheduler'], serviceAccountAdmission: true } as const;
  const folder = mkdtempSync(join(tmpdir(), 'bench-topdown-'));
  const program = await bundleProgram(folder);
  const planes = await Promise.all([
    startControlPlane({ ...managed, audit: true }),
    startControlPlane({ ...managed, components: [...managed.components, 'kwok'], audit: true }),
  ]);
  const [v, p] = planes;
  const [virtual, physical] = [await open(v), await open(p)];
  await install(virtual.connection.client, physical.connection.client, p, nodes);
  return {
    virtual,
    physical,
    startSyncer: async () => {
      say(`starting the syncer; waiting for ${nodes} virtual nodes`);
      const syncer = await startSyncer(program, [
        `--cluster-binding-name=${binding}`,
        `--kubeconfig=${v.kubeconfigPath}`,
        '--leader-election-namespace=kubeocean-system',
        '--health-probe-bind-address=0',
        '--zap-log-level=warn',
      ]);
      await until('virtual nodes take pods', async () => takePods(virtual.connection.client, nodes), 120_000);
      return syncer;
    },
    stop: async () => {
      await Promise.all([virtual.close(), physical.close()]);
      await Promise.all(planes.map(async (plane) => plane.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function open({ kubeconfigPath, auditLogPath }: ControlPlane): Promise<Side> {
  const deps = systemAccessDeps({});
  const access = await loadClusterAccess({ kubeconfig: kubeconfigPath }, deps);
  const transport = createUndiciTransport({ access }, deps);
  const connection = connect({ transport, userAgent: 'bench-driver' });
  return { connection, audit: openAuditLog(auditLogPath), close: transport.close };
}

async function install(v: KubeClient, p: KubeClient, plane: ControlPlane, nodes: number): Promise<void> {
  await v.create(crdKind, { ...clusterBindingKind.toCrd() });
  await p.create(crdKind, { ...resourceLeasingPolicyKind.toCrd() });
  await p.create(namespaceKind, { metadata: { name: mountNamespace } });
  await v.create(namespaceKind, { metadata: { name: 'kubeocean-system' } });
  for (let index = 0; index < nodes; index += 1) await p.create(nodeKind, { metadata: { name: `node-${index}` } });
  const secretRef = { namespace: 'kubeocean-system', name: `${binding}-kubeconfig` };
  const kubeconfig = readFileSync(plane.kubeconfigPath).toString('base64');
  await v.create(secretKind, { metadata: secretRef, data: { kubeconfig } });
  await until('the kinds are served', async () => isServed(v, p), 30_000);
  const spec = { clusterID: 'cls-worker1', mountNamespace, secretRef, disableNodeDefaultTaint: true };
  await v.create(clusterBindingKind, { metadata: { name: binding }, spec });
  await p.create(resourceLeasingPolicyKind, { metadata: { name: 'all' }, spec: { cluster: binding } });
}

async function isServed(v: KubeClient, p: KubeClient): Promise<boolean> {
  const answers = await Promise.allSettled([v.list(clusterBindingKind), p.list(resourceLeasingPolicyKind)]);
  return answers.every(({ status }) => status === 'fulfilled');
}

async function takePods(client: KubeClient, count: number): Promise<boolean> {
  const { items } = await client.list(nodeKind);
  return items.length === count && items.every(({ spec }) => (spec?.taints ?? []).length === 0);
}
