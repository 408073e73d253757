import { describe, expect, test } from 'vitest';
import { claimOf, describeHolder } from './claim.ts';

const us = { clusterId: 'cls-a', virtualCluster: 'uid-v1' };
const managed = { 'kubeocean.io/managed-by': 'kubeocean' };

const cases = [
  {
    name: 'our mark is ours',
    annotations: { 'tributary.io/owner-cls-a': 'uid-v1' },
    claim: { of: 'us', shared: false },
    holder: 'this binding',
  },
  {
    name: 'our mark beside that of another binding is shared',
    annotations: { 'tributary.io/owner-cls-a': 'uid-v1', 'tributary.io/owner-cls-b': 'uid-v1' },
    claim: { of: 'us', shared: true },
    holder: 'this binding',
  },
  {
    name: 'the mark of another binding of the same virtual cluster is a sibling',
    annotations: { 'tributary.io/owner-cls-b': 'uid-v1' },
    claim: { of: 'sibling', clusterIds: ['cls-b'] },
    holder: 'the binding with cluster id cls-b',
  },
  {
    name: 'the same cluster id in another virtual cluster is a stranger',
    annotations: { 'tributary.io/owner-cls-a': 'uid-v2' },
    claim: { of: 'stranger', virtualCluster: 'uid-v2', clusterIds: ['cls-a'] },
    holder: 'virtual cluster uid-v2 (cluster id cls-a)',
  },
  {
    name: 'one foreign mark is enough to leave it alone',
    annotations: { 'tributary.io/owner-cls-a': 'uid-v1', 'tributary.io/owner-cls-b': 'uid-v2' },
    claim: { of: 'stranger', virtualCluster: 'uid-v2', clusterIds: ['cls-a', 'cls-b'] },
    holder: 'virtual cluster uid-v2 (cluster id cls-a, cls-b)',
  },
  {
    name: 'what the original made has no mark',
    annotations: {},
    labels: managed,
    claim: { of: 'unmarked' },
    holder: 'another syncer that left no mark of its virtual cluster',
  },
  {
    name: 'without the label no syncer made it',
    annotations: { 'kubeocean.io/virtual-name': 'x' },
    claim: { of: 'nobody' },
    holder: 'somebody who is no syncer',
  },
];

describe('whom an object in P belongs to', () => {
  for (const { name, annotations, labels, claim, holder } of cases) {
    test(name, () => {
      const found = claimOf({ metadata: { name: 'x', annotations: annotations, labels: labels ?? {} } }, us);
      expect(found).toEqual(claim);
      expect(describeHolder(found)).toBe(holder);
    });
  }
});
