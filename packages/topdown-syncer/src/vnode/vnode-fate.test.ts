import { describe, expect, test } from 'vitest';
import type { Node } from '../contract/cluster-kinds.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import { deletionMarks } from './vnode-changes.ts';
import { judgeVnode } from './vnode-fate.ts';

const now = '2026-01-05T12:05:00Z';
const binding = { nodeSelector: undefined, deleting: false };
const policy = (name: string): ResourceLeasingPolicy => ({ metadata: { name }, spec: { cluster: 'worker1' } });
const node: Node = { metadata: { name: 'node-1', uid: 'n-1', labels: { zone: 'a' } } };
const made = (): Node => ({
  metadata: { name: 'vnode-cls-worker1-node-1', uid: 'vn-1', labels: { 'kubeocean.io/physical-node-uid': 'n-1' } },
});

describe('a virtual node is given up', () => {
  const keep = { node, vnode: made(), policy: policy('all'), binding };
  const other = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['z'] }] }] };
  const cases = [
    { name: 'when the physical node is gone', inputs: { ...keep, node: undefined }, why: 'the physical node is gone' },
    {
      name: 'when the physical node is being deleted',
      inputs: { ...keep, node: { ...node, metadata: { ...node.metadata, deletionTimestamp: now } } },
      why: 'the physical node is being deleted',
    },
    {
      name: 'when the ClusterBinding is being deleted',
      inputs: { ...keep, binding: { ...binding, deleting: true } },
      why: 'the ClusterBinding is being deleted',
    },
    {
      name: 'when the ClusterBinding selects others',
      inputs: { ...keep, binding: { ...binding, nodeSelector: other } },
      why: 'the ClusterBinding does not select the node',
    },
    {
      name: 'when no policy lends the node',
      inputs: { ...keep, policy: undefined },
      why: 'no ResourceLeasingPolicy lends the node',
    },
    {
      name: 'when the physical node was replaced under its name',
      inputs: { ...keep, node: { ...node, metadata: { ...node.metadata, uid: 'n-2' } } },
      why: 'the physical node was replaced',
    },
    {
      name: 'when somebody deletes it',
      inputs: { ...keep, vnode: { ...made(), metadata: { ...made().metadata, deletionTimestamp: now } } },
      why: 'the virtual node is being deleted',
    },
    {
      name: 'when the physical node is virtual itself',
      inputs: { ...keep, node: { ...node, metadata: { ...node.metadata, labels: { type: 'virtual-kubelet' } } } },
      why: 'the physical node is a virtual one itself',
    },
  ];
  for (const { name, inputs, why } of cases) {
    test(name, () => expect(judgeVnode(inputs)).toMatchObject({ kind: 'give-up', why }));
    test(`${name}, and none is made`, () => {
      const without = judgeVnode({ ...inputs, vnode: undefined });
      const kept = why === 'the physical node was replaced' || why === 'the virtual node is being deleted';
      expect(without.kind).toBe(kept ? 'keep' : 'none');
    });
  }
  test('for no other reason', () => expect(judgeVnode(keep).kind).toBe('keep'));

  test('after a taint and a cordon, written once', () => {
    const marks = deletionMarks(made(), now);
    expect(marks).toMatchObject({
      metadata: { annotations: { 'kubeocean.io/deletion-taint-time': now } },
      spec: { unschedulable: true },
    });
    const spec = marks?.['spec'] as NonNullable<Node['spec']>;
    expect(spec.taints?.at(-1)).toEqual({ key: 'kubeocean.io/vnode-deleting', value: 'true', effect: 'NoSchedule' });
    const marked = { ...made(), spec, metadata: { ...made().metadata, ...(marks?.['metadata'] as object) } };
    expect(deletionMarks(marked, now)).toBeUndefined();
  });
});
