import type { KubeClient, KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import type { Pod } from '../contract/pod.ts';
import { createWorkloadLookup } from './workload-lookup.ts';

const ownedBy = (kind: string, uid: string): Pod => ({
  metadata: { namespace: 'team', name: 'web', ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'set', uid }] },
  spec: { containers: [] },
});
const deployed: KubeObject = {
  metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd' }] },
};

function lookupOver(...answers: readonly (KubeObject | Error)[]) {
  let asked = 0;
  const get = async (): Promise<KubeObject> => {
    const answer = answers[asked] ?? deployed;
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { find: createWorkloadLookup({ get } as unknown as Pick<KubeClient, 'get'>), asked: () => asked };
}

test('V is asked for each ReplicaSet once, however many pods it has', async () => {
  const { find, asked } = lookupOver(deployed);
  const pods = [ownedBy('ReplicaSet', 'a'), ownedBy('ReplicaSet', 'a')];
  expect(await Promise.all(pods.map(find))).toEqual([
    { type: 'deployment', name: 'web' },
    { type: 'deployment', name: 'web' },
  ]);
  expect(asked()).toBe(1);
  await find(ownedBy('ReplicaSet', 'b'));
  expect(asked()).toBe(2);
});

test('one that was not there is asked for again', async () => {
  const { find } = lookupOver(new Error('not found'), deployed);
  await expect(find(ownedBy('ReplicaSet', 'a'))).rejects.toThrow('not found');
  expect(await find(ownedBy('ReplicaSet', 'a'))).toEqual({ type: 'deployment', name: 'web' });
});

test('nothing is asked about pods of others', async () => {
  const { find, asked } = lookupOver();
  expect(await find(ownedBy('Job', 'a'))).toEqual({ type: 'job', name: 'set' });
  expect(asked()).toBe(0);
});
