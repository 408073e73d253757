import { describe, expect, test } from 'vitest';
import { podKind } from '../contract/pod.ts';
import { createGuardedWrites } from './guarded-writes.ts';

const identity = { clusterId: 'cls-a', virtualCluster: 'uid-v' };
const marked = (annotations: Record<string, string>) => ({
  metadata: { namespace: 'mount', name: 'x', uid: 'u', resourceVersion: '7', annotations },
  spec: { containers: [] },
});
const ours = marked({ 'tributary.io/owner-cls-a': 'uid-v' });

function setup(ready: boolean) {
  const calls: unknown[] = [];
  const client = { delete: async (...args: unknown[]) => void calls.push(args) };
  const side = { client } as unknown as Parameters<typeof createGuardedWrites>[0]['virtual'];
  return { calls, writes: createGuardedWrites({ virtual: side, physical: side, identity, ready: () => ready }) };
}

describe('a deletion', () => {
  test('of what is ours names the very object', async () => {
    const { calls, writes } = setup(true);
    await writes.deletePhysical(podKind, ours, { graceSeconds: 3 });
    expect(calls).toEqual([
      [podKind, { namespace: 'mount', name: 'x' }, { preconditions: { uid: 'u' }, gracePeriodSeconds: 3 }],
    ]);
  });

  test('of a copy that others may begin to use names its version, too', async () => {
    const { calls, writes } = setup(true);
    await writes.deletePhysical(podKind, ours, { unchanged: true });
    expect(calls).toMatchObject([[podKind, {}, { preconditions: { uid: 'u', resourceVersion: '7' } }]]);
  });

  test('of a pod of V names the very pod, and gives it no more time', async () => {
    const { calls, writes } = setup(true);
    await writes.removeVirtual(ours);
    expect(calls).toEqual([
      [podKind, { namespace: 'mount', name: 'x' }, { gracePeriodSeconds: 0, preconditions: { uid: 'u' } }],
    ]);
  });

  const foreign = [
    { name: 'a stranger', object: marked({ 'tributary.io/owner-cls-a': 'other' }) },
    { name: 'a sibling', object: marked({ 'tributary.io/owner-cls-b': 'uid-v' }) },
    {
      name: 'several bindings',
      object: marked({ 'tributary.io/owner-cls-a': 'uid-v', 'tributary.io/owner-cls-b': 'uid-v' }),
    },
    { name: 'nobody', object: marked({}) },
  ];
  for (const { name, object } of foreign) {
    test(`of what belongs to ${name} is refused`, async () => {
      const { calls, writes } = setup(true);
      await expect(writes.deletePhysical(podKind, object)).rejects.toMatchObject({ code: 'syncer/not-ours' });
      expect(calls).toEqual([]);
    });
  }

  test('waits while a cache is not complete or a cluster does not answer, in both clusters', async () => {
    const { calls, writes } = setup(false);
    await expect(writes.deletePhysical(podKind, ours)).rejects.toMatchObject({
      code: 'syncer/not-ready',
      retry: { kind: 'after', ms: 5000 },
    });
    await expect(writes.removeVirtual(ours)).rejects.toMatchObject({ code: 'syncer/not-ready' });
    expect(calls).toEqual([]);
  });
});
