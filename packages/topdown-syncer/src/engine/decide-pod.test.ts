import { describe, expect, test } from 'vitest';
import type { Claim } from '../contract/claim.ts';
import type { Pod } from '../contract/pod.ts';
import { decidePod } from './decide-pod.ts';
import type { PodFacts, PodStep } from './decide-pod.ts';

const place = { namespace: 'mount', name: 'web-hash' };
const mapping = {
  'kubeocean.io/physical-pod-namespace': 'mount',
  'kubeocean.io/physical-pod-name': 'web-hash',
  'tributary.io/mapped-for': 'v1',
};
const recorded = { ...mapping, 'kubeocean.io/physical-pod-uid': 'p1' };
const us: Claim = { of: 'us', shared: false };
const unmarked: Claim = { of: 'unmarked' };
const stranger: Claim = { of: 'stranger', virtualCluster: 'x', clusterIds: ['a'] };
const sibling: Claim = { of: 'sibling', clusterIds: ['b'] };

type VirtualParts = Pod['metadata'] & { readonly status?: Pod['status'] };

function virtual({ status, ...metadata }: VirtualParts = {}): Pod {
  return {
    metadata: { namespace: 'default', name: 'web', uid: 'v1', ...metadata },
    spec: { containers: [] },
    ...(status && { status }),
  };
}

function copy(claim: Claim, uid = 'v1', metadata: Pod['metadata'] = {}): PodFacts['physical'] {
  const pod = { metadata: { uid: 'p1', ...metadata }, spec: { containers: [] } };
  return { pod, claim, reference: { namespace: 'default', name: 'web', uid } };
}

const deleting = { deletionTimestamp: 'now', deletionGracePeriodSeconds: 30 };
const base: PodFacts = { virtual: undefined, here: true, runs: true, place, physical: undefined, overdue: false };
const conflict: PodStep = { do: 'report', problem: 'conflict' };

const cases: readonly { name: string; facts: Partial<PodFacts>; step: PodStep }[] = [
  { name: 'neither pod: what is left of tokens goes', facts: {}, step: { do: 'forget' } },
  {
    name: 'no pod in V, ours in P: it goes',
    facts: { physical: copy(us) },
    step: { do: 'delete', why: 'virtual-gone' },
  },
  {
    name: 'no pod in V, ours in P on its way out: wait',
    facts: { physical: copy(us, 'v1', deleting) },
    step: { do: 'wait' },
  },
  {
    name: 'W2: no pod in V, unmarked in P: reported, not deleted',
    facts: { physical: copy(unmarked) },
    step: { do: 'report', problem: 'orphan' },
  },
  {
    name: 'W1: no pod in V, a stranger in P: not our business',
    facts: { physical: copy(stranger) },
    step: { do: 'nothing' },
  },
  {
    name: 'no pod in V, a sibling in P: not our business',
    facts: { physical: copy(sibling) },
    step: { do: 'nothing' },
  },

  {
    name: 'not on a virtual node of ours: nothing',
    facts: { virtual: virtual(), here: false },
    step: { do: 'nothing' },
  },
  {
    name: 'a pod that does not run here: nothing',
    facts: { virtual: virtual(), runs: false },
    step: { do: 'nothing' },
  },
  { name: 'new: the mapping comes first', facts: { virtual: virtual() }, step: { do: 'map' } },
  { name: 'mapped: created', facts: { virtual: virtual({ annotations: mapping }) }, step: { do: 'create' } },
  {
    name: 'created: its UID is recorded',
    facts: { virtual: virtual({ annotations: mapping }), physical: copy(us) },
    step: { do: 'record' },
  },
  {
    name: 'a wrong UID is recorded anew',
    facts: {
      virtual: virtual({ annotations: { ...recorded, 'kubeocean.io/physical-pod-uid': 'x' } }),
      physical: copy(us),
    },
    step: { do: 'record' },
  },
  {
    name: 'complete: kept up',
    facts: { virtual: virtual({ annotations: recorded }), physical: copy(us) },
    step: { do: 'keep' },
  },
  {
    name: 'complete, and P finds no node: deleted',
    facts: { virtual: virtual({ annotations: recorded }), physical: copy(us), overdue: true },
    step: { do: 'delete', why: 'unschedulable' },
  },
  {
    name: 'complete, and P deletes it: wait',
    facts: { virtual: virtual({ annotations: recorded }), physical: copy(us, 'v1', deleting) },
    step: { do: 'wait' },
  },

  {
    name: 'complete, and no copy: never created again',
    facts: { virtual: virtual({ annotations: recorded }) },
    step: { do: 'nothing' },
  },
  {
    name: 'started, without a record, and no copy: lost',
    facts: { virtual: virtual({ status: { phase: 'Running' } }) },
    step: { do: 'lose' },
  },
  {
    name: 'started by its time, and no copy: lost',
    facts: { virtual: virtual({ annotations: mapping, status: { phase: 'Pending', startTime: 't' } }) },
    step: { do: 'lose' },
  },
  {
    name: 'W8: Succeeded and no copy: nothing',
    facts: { virtual: virtual({ annotations: mapping, status: { phase: 'Succeeded' } }) },
    step: { do: 'nothing' },
  },
  {
    name: 'W8: Failed and no copy: nothing',
    facts: { virtual: virtual({ status: { phase: 'Failed' } }) },
    step: { do: 'nothing' },
  },

  {
    name: 'W3: the mapping of another pod is written anew',
    facts: { virtual: virtual({ annotations: { ...recorded, 'tributary.io/mapped-for': 'other' } }) },
    step: { do: 'map' },
  },
  {
    name: 'W3: a mapping to another place is written anew',
    facts: { virtual: virtual({ annotations: { ...recorded, 'kubeocean.io/physical-pod-name': 'other' } }) },
    step: { do: 'map' },
  },
  {
    name: 'W3: a mapping that says nothing about whose it is, is written anew',
    facts: { virtual: virtual({ annotations: { ...recorded, 'tributary.io/mapped-for': '' } }) },
    step: { do: 'map' },
  },

  {
    name: 'the copy of a predecessor goes',
    facts: { virtual: virtual(), physical: copy(us, 'v0') },
    step: { do: 'delete', why: 'stale' },
  },
  {
    name: 'the copy of a predecessor is waited for',
    facts: { virtual: virtual(), physical: copy(us, 'v0', deleting) },
    step: { do: 'wait' },
  },
  {
    name: 'the copy of a predecessor goes even where the new pod is not ours',
    facts: { virtual: virtual(), here: false, physical: copy(us, 'v0') },
    step: { do: 'delete', why: 'stale' },
  },
  {
    name: 'an unmarked copy of this very pod is adopted',
    facts: { virtual: virtual({ annotations: recorded }), physical: copy(unmarked) },
    step: { do: 'adopt' },
  },
  {
    name: 'an unmarked copy of another pod is a conflict',
    facts: { virtual: virtual(), physical: copy(unmarked, 'v0') },
    step: conflict,
  },
  { name: 'a stranger is a conflict', facts: { virtual: virtual(), physical: copy(stranger) }, step: conflict },
  { name: 'a sibling is a conflict', facts: { virtual: virtual(), physical: copy(sibling, 'v0') }, step: conflict },

  {
    name: 'deleted in V: the copy first',
    facts: { virtual: virtual({ ...deleting, annotations: recorded }), physical: copy(us) },
    step: { do: 'delete', why: 'virtual-deleted' },
  },
  {
    name: 'deleted in V, the copy is going: wait',
    facts: { virtual: virtual(deleting), physical: copy(us, 'v1', deleting) },
    step: { do: 'wait' },
  },
  {
    name: 'W9: deleted in V with less time than the copy has: shortened',
    facts: { virtual: virtual({ ...deleting, deletionGracePeriodSeconds: 1 }), physical: copy(us, 'v1', deleting) },
    step: { do: 'shorten' },
  },
  { name: 'deleted in V, no copy: removed', facts: { virtual: virtual(deleting) }, step: { do: 'remove' } },
  {
    name: 'deleted in V, finished, no copy: removed',
    facts: { virtual: virtual({ ...deleting, status: { phase: 'Succeeded' } }) },
    step: { do: 'remove' },
  },
  {
    name: 'deleted in V, never run here: removed',
    facts: { virtual: virtual(deleting), runs: false },
    step: { do: 'remove' },
  },
  {
    name: 'deleted in V, a stranger in P: removed, the stranger stays',
    facts: { virtual: virtual(deleting), physical: copy(stranger) },
    step: { do: 'remove' },
  },
  {
    name: 'deleted in V, an unmarked copy: adopted before it goes',
    facts: { virtual: virtual(deleting), physical: copy(unmarked) },
    step: { do: 'adopt' },
  },
  {
    name: 'deleted in V, not on a node of ours: nothing',
    facts: { virtual: virtual(deleting), here: false },
    step: { do: 'nothing' },
  },
  {
    name: 'deleted in V, its node is gone but its copy is there: the copy goes',
    facts: { virtual: virtual(deleting), here: false, physical: copy(us) },
    step: { do: 'delete', why: 'virtual-deleted' },
  },
];

describe('what happens to a pod', () => {
  for (const { name, facts, step } of cases) test(name, () => expect(decidePod({ ...base, ...facts })).toEqual(step));
});
