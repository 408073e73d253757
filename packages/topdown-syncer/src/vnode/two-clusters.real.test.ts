import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventKind } from '@tributary/runtime';
import { clusterBindingKind } from '../contract/cluster-binding.ts';
import { csiNodeKind, nodeKind, nodeLeaseKind } from '../contract/cluster-kinds.ts';
import type { Node } from '../contract/cluster-kinds.ts';
import { podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { startRealClusters } from './testing/real-clusters.ts';
import type { RealClusters } from './testing/real-clusters.ts';

// In order: each test goes on where the one before it ended.

const vnode = 'vnode-cls-worker1-node-1';
const web = { namespace: 'default', name: 'web' };
let real: RealClusters;
beforeAll(async () => {
  real = await startRealClusters(['node-1', 'node-2']);
}, 240_000);
afterAll(async () => real?.stop(), 60_000);

const vnodes = async (): Promise<readonly Node[]> => (await real.v.list(nodeKind)).items;
const pod = async (): Promise<Pod> => real.v.get(podKind, web);
const conditionOf = ({ status }: Node | Pod, type: string): string | undefined =>
  status?.conditions?.find((condition) => condition.type === type)?.status;
const isReady = (object: Node | Pod): boolean => conditionOf(object, 'Ready') === 'True';

test('virtual nodes stand for physical ones, ready and without taints', async () => {
  await real.p.create(csiNodeKind, {
    metadata: { name: 'node-1' },
    spec: { drivers: [{ name: 'disk.example.com', nodeID: 'i-1', topologyKeys: ['zone'] }] },
  });
  await real.p.create(resourceLeasingPolicyKind, { metadata: { name: 'all' }, spec: { cluster: 'worker1' } });
  await real.until('two virtual nodes are ready', async () => (await vnodes()).filter(isReady).length === 2);
  await real.until('V lets pods onto them', async () =>
    (await vnodes()).every(({ spec }) => (spec?.taints ?? []).length === 0),
  );
  const seen = await real.v.get(nodeKind, { name: vnode });
  expect(seen.metadata.labels).toMatchObject({ zone: 'a', 'kubeocean.io/physical-node-name': 'node-1' });
  expect(seen.status?.allocatable).toMatchObject({ cpu: '32', pods: '500' });
  await real.until('the drivers of node-1 are known in V', async () => {
    const { spec } = await real.v.get(csiNodeKind, { name: vnode });
    return JSON.stringify(spec['drivers']).includes('disk.example.com');
  });
  await real.until('the virtual node has its lease', async () => {
    const { spec } = await real.v.get(nodeLeaseKind, { namespace: 'kube-node-lease', name: vnode });
    return spec.holderIdentity === vnode;
  });
});

test('a pod that V schedules runs in P, and its owner sees it running', async () => {
  await real.until('the account is there', async () => {
    await real.v.create(podKind, {
      metadata: web,
      spec: {
        containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '1m' } } }],
        automountServiceAccountToken: false,
      },
    });
    return true;
  });
  await real.until('the pod is ready in V', async () => isReady(await pod()));
  const { status, metadata } = await pod();
  expect(status).toMatchObject({ phase: 'Running', podIP: expect.stringMatching(/\d/) });
  expect(metadata.annotations).toHaveProperty(['kubeocean.io/physical-pod-uid']);
});

test('a pod that is given another size in V has it in P (W21)', async () => {
  const [physical] = (await real.p.list(podKind, { namespace: 'mount' })).items;
  const ref = { namespace: 'mount', name: physical?.metadata.name ?? '' };
  const requests = { cpu: '1m' };
  // As a kubelet says that it can: V's server asks for it.
  const containerStatuses = physical?.status?.containerStatuses?.map((one) => ({ ...one, resources: { requests } }));
  await real.p.patchStatus(podKind, ref, { type: 'merge', body: { status: { containerStatuses } } });
  await real.until('V knows', async () => (await pod()).status?.containerStatuses?.[0]?.['resources'] !== undefined);
  const containers = [{ name: 'main', resources: { requests: { cpu: '2m' } } }];
  await real.v.patchSubresource(podKind, web, 'resize', { type: 'strategic', body: { spec: { containers } } });
  const sizeBelow = async () => (await real.p.get(podKind, ref)).spec.containers[0]?.resources;
  await real.until('its size in P is another', async () => (await sizeBelow())?.requests?.['cpu'] !== '1m');
  expect(await sizeBelow()).toEqual({ requests: { cpu: '2m' } });
});

test('conditions that only V knows survive what P says (W6)', async () => {
  const gate = { type: 'example.com/gate', status: 'True' };
  await real.v.patchStatus(podKind, web, { type: 'strategic', body: { status: { conditions: [gate] } } });
  const [physical] = (await real.p.list(podKind, { namespace: 'mount' })).items;
  const ref = { namespace: 'mount', name: physical?.metadata.name ?? '' };
  const conditions = [{ type: 'Ready', status: 'False', reason: 'Slow' }];
  await real.p.patchStatus(podKind, ref, {
    type: 'strategic',
    body: { status: { conditions, podIPs: [{ ip: '10.0.9.9' }, { $patch: 'replace' }], podIP: '10.0.9.9' } },
  });
  await real.until('the pod is not ready in V', async () => !isReady(await pod()));
  expect(conditionOf(await pod(), 'example.com/gate')).toBe('True');
  expect((await pod()).status?.['podIPs']).toEqual([{ ip: '10.0.9.9' }]);
});

test('a warning in P is seen in V (W10)', async () => {
  const [physical] = (await real.p.list(podKind, { namespace: 'mount' })).items;
  const { name = '', uid = '' } = physical?.metadata ?? {};
  const now = new Date().toISOString().replace(/\.\d+/, '');
  await real.p.create(eventKind, {
    metadata: { namespace: 'mount', name: 'warning' },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'mount', name, uid },
    type: 'Warning',
    reason: 'FailedMount',
    message: 'no such volume',
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component: 'kubelet', host: 'node-1' },
    reportingComponent: 'kubelet',
    reportingInstance: 'node-1',
  });
  const shown = async () => {
    const { items } = await real.v.list(eventKind, { namespace: 'default' });
    return items.find(({ reason, involvedObject }) => reason === 'FailedMount' && involvedObject['name'] === 'web');
  };
  await real.until('V shows it', async () => (await shown()) !== undefined);
  expect(await shown()).toMatchObject({ type: 'Warning', message: 'no such volume', source: { component: 'kubelet' } });
});

test('while the API server of P hangs, V sees its nodes as lost, and nothing is deleted; then all is as before (W4)', async () => {
  const pid = real.physical.pids()['kube-apiserver'] ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    const isUnknown = (node: Node): boolean => conditionOf(node, 'Ready') === 'Unknown';
    await real.until('V gives its nodes up for lost', async () => (await vnodes()).every(isUnknown), 150_000);
    expect((await vnodes()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined, undefined]);
    expect((await pod()).metadata.deletionTimestamp).toBeUndefined();
    expect((await pod()).status?.phase).toBe('Running');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await real.until('the nodes are ready again', async () => (await vnodes()).every(isReady), 120_000);
  expect((await pod()).status?.phase).toBe('Running');
}, 300_000);

test('a binding that is deleted leaves both sides clean', async () => {
  await real.v.delete(clusterBindingKind, { name: 'worker1' });
  await real.until(
    'the binding is gone',
    async () => (await real.v.list(clusterBindingKind)).items.length === 0,
    150_000,
  );
  expect(await vnodes()).toEqual([]);
  expect((await real.v.list(podKind, { namespace: 'default' })).items).toEqual([]);
  expect((await real.p.list(podKind, { namespace: 'mount' })).items).toEqual([]);
  expect((await real.p.get(resourceLeasingPolicyKind, { name: 'all' })).metadata.finalizers).toBeUndefined();
  await real.until('V has collected leases and CSI nodes', async () => {
    const { items } = await real.v.list(nodeLeaseKind, { namespace: 'kube-node-lease' });
    return items.length === 0 && (await real.v.list(csiNodeKind)).items.length === 0;
  });
}, 240_000);
