import { expect, test } from 'vitest';
import type { Pod } from '../contract/pod.ts';
import type { PodStep } from './decide-pod.ts';
import { takePodStep } from './pod-steps.ts';
import type { PodStepDeps } from './pod-steps.ts';

// Between the look at a pod and the write another may have taken its name: each write says which pod it is for, and the server refuses it
// for any other.

const virtual: Pod = { metadata: { namespace: 'team', name: 'web', uid: 'uid-v' }, spec: { containers: [] } };
const physical: Pod = { metadata: { namespace: 'mount', name: 'web-hash', uid: 'uid-p' }, spec: { containers: [] } };
const place = { namespace: 'mount', name: 'web-hash' };
const mapping = {
  'kubeocean.io/physical-pod-namespace': 'mount',
  'kubeocean.io/physical-pod-name': 'web-hash',
  'kubeocean.io/last-sync-time': '1970-01-01T00:00:00Z',
  'tributary.io/mapped-for': 'uid-v',
};
const lost = { phase: 'Failed', reason: 'PhysicalPodLost', message: 'Physical pod was deleted unexpectedly' };

async function written(step: PodStep): Promise<{ readonly bodies: readonly unknown[]; readonly lost: number }> {
  const bodies: unknown[] = [];
  let count = 0;
  const write = async (_kind: unknown, _ref: unknown, { body }: { readonly body: unknown }): Promise<Pod> => {
    bodies.push(body);
    return virtual;
  };
  const client = { patch: write, patchStatus: write };
  const sides = {
    virtual: { client },
    physical: { client },
    identity: { clusterId: 'cls-a', virtualCluster: 'uid-cluster' },
    clock: { now: () => 0 },
    counters: { podLost: () => void (count += 1) },
  };
  const run = { key: 'team/web', place, world: { virtual, physical }, signal: new AbortController().signal };
  await takePodStep(step, run, { sides } as unknown as PodStepDeps);
  return { bodies, lost: count };
}

const cases: readonly { name: string; step: PodStep; body: object }[] = [
  { name: 'the mapping', step: { do: 'map' }, body: { metadata: { uid: 'uid-v', annotations: mapping } } },
  {
    name: 'the UID of its copy',
    step: { do: 'record' },
    body: { metadata: { uid: 'uid-v', annotations: { ...mapping, 'kubeocean.io/physical-pod-uid': 'uid-p' } } },
  },
  {
    name: 'our mark on its copy',
    step: { do: 'adopt' },
    body: { metadata: { uid: 'uid-p', annotations: { 'tributary.io/owner-cls-a': 'uid-cluster' } } },
  },
  { name: 'its loss', step: { do: 'lose' }, body: { metadata: { uid: 'uid-v' }, status: lost } },
];
for (const { name, step, body } of cases) {
  test(`${name} is written for this very pod`, async () => expect((await written(step)).bodies).toEqual([body]));
}

test('a loss is counted, and nothing else is', async () => {
  expect((await written({ do: 'lose' })).lost).toBe(1);
  expect((await written({ do: 'map' })).lost).toBe(0);
});
