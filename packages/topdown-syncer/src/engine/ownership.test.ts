import { describe, expect, test } from 'vitest';
import { mayRun, toPhysicalNode } from './ownership.ts';

const binding = { name: 'worker1', clusterId: 'cls-a' };
const labels = {
  'kubeocean.io/managed-by': 'kubeocean',
  'kubeocean.io/physical-cluster-id': 'cls-a',
  'kubeocean.io/physical-node-name': 'node-1',
};
const byName = (name: string): Record<string, string> => ({ 'kubeocean.io/physical-cluster-name': name });

const cases: {
  name: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  node: string | undefined;
}[] = [
  { name: 'a virtual node of ours', labels, node: 'node-1' },
  {
    name: 'one that says nothing about its cluster',
    labels: { 'kubeocean.io/managed-by': 'kubeocean', 'kubeocean.io/physical-node-name': 'node-1' },
    node: 'node-1',
  },
  {
    name: 'one of another cluster id',
    labels: { ...labels, 'kubeocean.io/physical-cluster-id': 'cls-b' },
    node: undefined,
  },
  {
    name: 'one whose annotation names our binding',
    labels: { ...labels, 'kubeocean.io/physical-cluster-id': 'x' },
    annotations: byName('worker1'),
    node: 'node-1',
  },
  { name: 'one whose annotation names another binding', labels, annotations: byName('worker2'), node: undefined },
  {
    name: 'one that Kubeocean does not manage',
    labels: { ...labels, 'kubeocean.io/managed-by': 'me' },
    node: undefined,
  },
  {
    name: 'one without a physical node',
    labels: { ...labels, 'kubeocean.io/physical-node-name': '' },
    node: undefined,
  },
  {
    name: 'W14: one whose node has a name too long for a label',
    labels: { ...labels, 'kubeocean.io/physical-node-name': 'cut' },
    annotations: { 'kubeocean.io/physical-node-name': 'the-whole-name' },
    node: 'the-whole-name',
  },
];

describe('the physical node behind', () => {
  for (const { name, labels, annotations, node } of cases) {
    test(name, () =>
      expect(toPhysicalNode({ metadata: { labels, annotations: annotations ?? {} } }, binding)).toBe(node),
    );
  }
});

test('a binding that leaves takes on nothing new', () => {
  const pod = { metadata: { namespace: 'team', name: 'web' }, spec: { containers: [] } };
  expect(mayRun(pod, { runningDaemonsetByDefault: false, deleting: false })).toBe(true);
  expect(mayRun(pod, { runningDaemonsetByDefault: false, deleting: true })).toBe(false);
});
