import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, crdKind, defineKind, namespaceKind, secretKind } from '@tributary/runtime';
import type { AnyObject, KubeClient } from '@tributary/runtime';
import { createKubelet, startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { clusterBindingKind, resourceLeasingPolicyKind } from '@tributary/topdown-syncer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProgram } from '../create-program.ts';

const nodeKind = defineKind({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });

let folder: string;
let virtual: Cluster;
let physical: Cluster;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'syncer-'));
  virtual = await startCluster();
  physical = await startCluster({ actors: [createKubelet({ nodes: ['node-1'] })] });
});
afterEach(async () => {
  await Promise.all([virtual.stop(), physical.stop()]);
  rmSync(folder, { recursive: true });
});

const clientOf = (cluster: Cluster): KubeClient => connect({ transport: cluster.transport() }).client;

async function bind(v: KubeClient, p: KubeClient): Promise<void> {
  await v.create(crdKind, { ...clusterBindingKind.toCrd() });
  await p.create(crdKind, { ...resourceLeasingPolicyKind.toCrd() });
  await p.create(namespaceKind, { metadata: { name: 'mount' } });
  const secretRef = { namespace: 'default', name: 'worker1-kubeconfig' };
  const kubeconfig = Buffer.from(physical.kubeconfig).toString('base64');
  await v.create(secretKind, { metadata: secretRef, data: { kubeconfig } });
  const spec = { clusterID: 'cls-worker1', mountNamespace: 'mount', secretRef };
  await v.create(clusterBindingKind, { metadata: { name: 'worker1' }, spec });
  await p.create(resourceLeasingPolicyKind, { metadata: { name: 'all' }, spec: { cluster: 'worker1' } });
}

/** The program in this process: a stand-in for `process` that can be sent signals and remembers how it was left. */
function run(...args: readonly string[]): {
  host: EventEmitter;
  said: string[];
  ended: Promise<unknown>;
  codes: number[];
} {
  const said: string[] = [];
  const codes: number[] = [];
  const host = Object.assign(new EventEmitter(), { env: {}, exit: (code: number) => void codes.push(code) });
  const program = createProgram({ host: host as unknown as NodeJS.Process, say: (line) => void said.push(line) });
  const ended = program.parseAsync(['run', 'topdown-syncer', ...args], { from: 'user' });
  return { host, said, ended, codes };
}

const vnode = { name: 'vnode-cls-worker1-node-1' };
const finalizersOf = ({ metadata }: AnyObject): readonly string[] => metadata.finalizers ?? [];

test('the syncer runs between two clusters until it is asked to end, and cleanup frees what it held', async () => {
  const [v, p] = [clientOf(virtual), clientOf(physical)];
  await bind(v, p);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, virtual.kubeconfig);
  const flags = ['--cluster-binding-name', 'worker1', `--kubeconfig=${kubeconfig}`];
  const addresses = ['-metrics-bind-address=0', '--health-probe-bind-address', '0', '--zap-log-level=error'];
  const syncer = run(...flags, ...addresses);
  await expect.poll(async () => (await v.list(nodeKind)).items.length, { timeout: 20_000 }).toBe(1);
  expect(finalizersOf(await v.get(nodeKind, vnode))).toEqual(['kubeocean.io/vnode']);
  syncer.host.emit('SIGTERM');
  await syncer.ended;
  expect(syncer.codes).toEqual([0]);

  const look = run('cleanup', ...flags);
  await look.ended;
  expect(look.said).toContain(`would release Node ${vnode.name}`);
  expect(look.said.at(-2)).toMatch(/^\d objects would be released; --yes does it$/);
  expect(look.said.at(-1)).toMatch(/^The physical cluster is not asked/);
  expect(finalizersOf(await v.get(nodeKind, vnode))).toHaveLength(1);
  await run('cleanup', ...flags, '--yes').ended;
  expect(finalizersOf(await v.get(nodeKind, vnode))).toEqual([]);
});

test('a binding that is not there ends the program with a failure', async () => {
  await clientOf(virtual).create(crdKind, { ...clusterBindingKind.toCrd() });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, virtual.kubeconfig);
  const { ended, codes } = run('--cluster-binding-name=none', `--kubeconfig=${kubeconfig}`, '--zap-log-level=error');
  await ended;
  expect(codes).toEqual([1]);
});

test('cleanup of a binding that is gone asks for its cluster id, and needs no more', async () => {
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, virtual.kubeconfig);
  const flags = ['--cluster-binding-name=gone', `--kubeconfig=${kubeconfig}`];
  await expect(run('cleanup', ...flags).ended).rejects.toThrow(
    'ClusterBinding gone is not there: where it is gone, --cluster-id says what its clusterID was',
  );
  const { said, ended } = run('cleanup', ...flags, '--cluster-id=cls-gone');
  await ended;
  expect(said[0]).toBe('0 objects would be released; --yes does it');
});

test('--help shows every flag, and a wrong one is refused by name', async () => {
  const { said, ended } = run('--help');
  await ended;
  expect(said.join('\n')).toContain('--cluster-binding-name <name>');
  expect(said.join('\n')).toContain('--csi-secret-namespaces <names>');
  await expect(run('--no-such').ended).rejects.toThrow('--no-such is no flag of the syncer; --help lists them');
  await expect(run('cleanup').ended).rejects.toThrow('--cluster-binding-name is required');
});
