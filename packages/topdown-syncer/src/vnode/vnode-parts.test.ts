import { describe, expect, test } from 'vitest';
import type { Node, Taint } from '../contract/cluster-kinds.ts';
import { decodeExpectedMetadata } from '../contract/expected-metadata.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import type { BindingFacts } from '../sides.ts';
import { deletionMarks, toNewVnode, vnodeChanges } from './vnode-changes.ts';
import { toWantedVnode } from './wanted-vnode.ts';
import type { VnodeInputs } from './wanted-vnode.ts';

const early = '2026-01-05T12:00:00Z';
const now = '2026-01-05T12:05:00Z';
const binding: BindingFacts = {
  name: 'worker1',
  uid: 'b-1',
  clusterId: 'cls-worker1',
  mountNamespace: 'mount',
  nodeSelector: undefined,
  disableNodeDefaultTaint: false,
  podPriorityClassName: 'kubeocean-default',
  runningDaemonsetByDefault: false,
  directScheduling: false,
  deleting: false,
};
const policy = (
  name: string,
  more: Partial<ResourceLeasingPolicy['spec']> = {},
  metadata = {},
): ResourceLeasingPolicy => ({
  metadata: { name, creationTimestamp: early, ...metadata },
  spec: { cluster: 'worker1', ...more },
});
const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: early, lastTransitionTime: early };
const node: Node = {
  metadata: {
    name: 'node-1',
    uid: 'n-1',
    labels: { zone: 'a', 'kubernetes.io/hostname': 'node-1' },
    annotations: { rack: '7', 'node.alpha.kubernetes.io/ttl': '0' },
  },
  spec: { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] },
  status: {
    conditions: [ready],
    addresses: [{ type: 'InternalIP', address: '10.0.0.5' }],
    nodeInfo: { kubeletVersion: 'v1.36.3' },
    declaredFeatures: ['GuaranteedQoSPodCPUResize'],
  },
};
const inputs: VnodeInputs = {
  name: 'vnode-cls-worker1-node-1',
  node,
  policy: policy('all'),
  binding,
  resources: { cpu: '4', memory: '8Gi', pods: '110' },
  window: undefined,
  port: 20_000,
  address: undefined,
  prometheusPort: 9006,
};
const wanted = toWantedVnode(inputs);
const made = (): Node => {
  const { metadata, ...rest } = toNewVnode(wanted, early);
  return { ...rest, metadata: { ...metadata, uid: 'vn-1', resourceVersion: '1' } };
};

describe('a new virtual node', () => {
  test('carries what the original gives it', () => {
    expect(made().metadata).toMatchObject({
      name: 'vnode-cls-worker1-node-1',
      finalizers: ['kubeocean.io/vnode'],
      labels: {
        zone: 'a',
        'kubernetes.io/hostname': 'vnode-cls-worker1-node-1',
        type: 'virtual-kubelet',
        'node.kubernetes.io/instance-type': 'vnode',
        'beta.kubernetes.io/instance-type': 'vnode',
        'kubeocean.io/managed-by': 'kubeocean',
        'kubeocean.io/cluster-binding': 'worker1',
        'kubeocean.io/physical-cluster-id': 'cls-worker1',
        'kubeocean.io/physical-node-name': 'node-1',
        'kubeocean.io/physical-node-uid': 'n-1',
        'kubeocean.io/physical-node-innerip': '10.0.0.5',
        'kubeocean.io/proxier_port': '20000',
        'kubeocean.io/policy-applied': 'all',
      },
      annotations: {
        rack: '7',
        'kubeocean.io/physical-node-name': 'node-1',
        'kubeocean.io/physical-node-uid': 'n-1',
        'kubeocean.io/policies-applied': 'all',
        'kubeocean.io/policy-details': 'all',
        'kubeocean.io/prometheus-url': '<pending>:9006/vnode-cls-worker1-node-1',
        'kubeocean.io/last-sync-time': early,
      },
    });
    expect(made().metadata.annotations).not.toHaveProperty('node.alpha.kubernetes.io/ttl');
  });

  test('has the taints, resources, conditions and endpoints of its physical one', () => {
    expect(made().spec?.taints).toEqual([
      { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
      { key: 'kubeocean.io/vnode', effect: 'NoSchedule' },
    ]);
    expect(made().status).toEqual({
      capacity: { cpu: '4', memory: '8Gi', pods: '110' },
      allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
      conditions: [ready],
      nodeInfo: { kubeletVersion: 'v1.36.3' },
      declaredFeatures: ['GuaranteedQoSPodCPUResize'],
      addresses: [{ type: 'Hostname', address: 'vnode-cls-worker1-node-1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 20_000 } },
    });
  });

  test('loses the features that its physical one no longer declares, and is left alone without any', () => {
    const { declaredFeatures: _lost, ...status } = node.status ?? {};
    const without = toWantedVnode({ ...inputs, node: { ...node, status } });
    expect(vnodeChanges(made(), without, early)?.status).toMatchObject({ status: { declaredFeatures: [] } });
    const { declaredFeatures: _unset, ...stored } = made().status ?? {};
    expect(vnodeChanges({ ...made(), status: stored }, without, early)).toBeUndefined();
  });

  test('remembers what it was given', () => {
    const text = made().metadata.annotations?.['kubeocean.io/expected-metadata'];
    expect(decodeExpectedMetadata(text)).toMatchObject({
      ok: true,
      value: {
        labels: { zone: 'a' },
        annotations: { rack: '7' },
        taints: [{ key: 'dedicated' }, { key: 'kubeocean.io/vnode' }],
      },
    });
  });

  test('has no default taint where the binding says so', () => {
    const bare = toWantedVnode({ ...inputs, binding: { ...binding, disableNodeDefaultTaint: true } });
    expect(bare.taints).toEqual([{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }]);
  });

  test('has the address of whoever serves its logs', () => {
    const served = toWantedVnode({ ...inputs, address: '10.9.9.9' });
    expect(served.status['addresses']).toContainEqual({ type: 'InternalIP', address: '10.9.9.9' });
    expect(served.annotations['kubeocean.io/prometheus-url']).toBe('10.9.9.9:9006/vnode-cls-worker1-node-1');
  });

  test('shows a cordon of the physical node under a name of its own', () => {
    const taints: Taint[] = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: early }];
    expect(toWantedVnode({ ...inputs, node: { ...node, spec: { taints } } }).taints[0]).toEqual({
      key: 'kubeocean.io/physical-node-unschedulable',
      effect: 'NoSchedule',
      timeAdded: early,
    });
  });

  test('leaves taints that follow from conditions to the virtual cluster', () => {
    const taints: Taint[] = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }];
    expect(toWantedVnode({ ...inputs, node: { ...node, spec: { taints } } }).taints).toEqual([
      { key: 'kubeocean.io/vnode', effect: 'NoSchedule' },
    ]);
  });

  test('has labels that are valid where those of the original are not (W14)', () => {
    const long = `ip-10-0-0-1.${'x'.repeat(60)}`;
    const status = { ...node.status, addresses: [{ type: 'InternalIP', address: 'fd00::5' }] };
    const { labels, annotations } = toWantedVnode({
      ...inputs,
      node: { ...node, metadata: { ...node.metadata, name: long }, status },
    });
    expect(labels['kubeocean.io/physical-node-innerip']).toBe('fd00--5');
    expect(labels['kubeocean.io/physical-node-name']).toBe(long.slice(0, 63));
    expect(annotations['kubeocean.io/physical-node-name']).toBe(long);
  });
});

describe('a virtual node is written', () => {
  const wish = (more: Partial<VnodeInputs>) => toWantedVnode({ ...inputs, ...more });
  const change = (metadata: Partial<Node['metadata']>, rest: Partial<Node> = {}): Node => ({
    ...made(),
    ...rest,
    metadata: { ...made().metadata, ...metadata },
  });

  test('never, when nothing changed (W19)', () => expect(vnodeChanges(made(), wanted, now)).toBeUndefined());

  test('not for a heartbeat', () => {
    const status = { ...node.status, conditions: [{ ...ready, lastHeartbeatTime: now }] };
    expect(vnodeChanges(made(), wish({ node: { ...node, status } }), now)).toBeUndefined();
  });

  test('not for resources that are written in another way', () => {
    expect(
      vnodeChanges(made(), wish({ resources: { cpu: '4000m', memory: '8192Mi', pods: '110' } }), now),
    ).toBeUndefined();
  });

  test('in one request when labels and status changed', () => {
    const changed = { ...node, metadata: { ...node.metadata, labels: { zone: 'b' } } };
    const changes = vnodeChanges(made(), wish({ node: changed, resources: { cpu: '3', memory: '8Gi' } }), now);
    expect(changes?.spec).toBeUndefined();
    expect(changes?.status).toMatchObject({
      metadata: { labels: { zone: 'b' }, annotations: { 'kubeocean.io/last-sync-time': now } },
      status: { capacity: { cpu: '3', pods: null }, allocatable: { cpu: '3', pods: null } },
    });
  });

  test('without a word about labels, annotations and taints that users added', () => {
    const labels = { ...made().metadata.labels, mine: 'yes' };
    const annotations = { ...made().metadata.annotations, note: 'mine' };
    const taints = [{ key: 'mine', effect: 'NoSchedule' }, ...(made().spec?.taints ?? [])];
    expect(vnodeChanges(change({ labels, annotations }, { spec: { taints } }), wanted, now)).toBeUndefined();
  });

  test('to put back what users changed of ours', () => {
    const labels = { ...made().metadata.labels, zone: 'z', type: 'other' };
    const spec = { taints: [] };
    expect(vnodeChanges(change({ labels }, { spec }), wanted, now)?.spec).toMatchObject({
      metadata: { labels: { zone: 'a', type: 'virtual-kubelet' } },
      spec: { taints: [{ key: 'dedicated' }, { key: 'kubeocean.io/vnode' }] },
    });
  });

  test('to take away what the physical node lost', () => {
    const bare = { ...node, metadata: { ...node.metadata, labels: {} }, spec: {} };
    const changes = vnodeChanges(made(), wish({ node: bare }), now);
    expect(changes?.spec).toMatchObject({
      metadata: { labels: { zone: null } },
      spec: { taints: [{ key: 'kubeocean.io/vnode', effect: 'NoSchedule' }] },
    });
  });

  test('when the virtual cluster lost sight of it', () => {
    const unknown = { ...ready, status: 'Unknown', reason: 'NodeStatusUnknown' };
    const status = { ...made().status, conditions: [unknown] };
    expect(vnodeChanges(change({}, { status }), wanted, now)?.status).toMatchObject({
      status: { conditions: [ready] },
    });
  });

  test('to lend it out again when it was about to be given up', () => {
    const marks = deletionMarks(made(), early) as { metadata: Node['metadata']; spec: NonNullable<Node['spec']> };
    const annotations = { ...made().metadata.annotations, ...marks.metadata.annotations };
    const changes = vnodeChanges(change({ annotations }, { spec: marks.spec }), wanted, now);
    expect(changes?.spec).toMatchObject({
      metadata: { annotations: { 'kubeocean.io/deletion-taint-time': null } },
      spec: { unschedulable: null, taints: [{ key: 'dedicated' }, { key: 'kubeocean.io/vnode' }] },
    });
  });
});
