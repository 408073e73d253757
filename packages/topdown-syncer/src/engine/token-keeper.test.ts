import type { Secret } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { createPhysicalName } from '../contract/names.ts';
import type { Pod } from '../contract/pod.ts';
import type { Sides } from '../sides.ts';
import type { GuardedWrites } from './guarded-writes.ts';
import { createTokenKeeper } from './token-keeper.ts';

const sources = [{ serviceAccountToken: { path: 'token', audience: 'a', expirationSeconds: 600 } }];
const pod: Pod = {
  metadata: { namespace: 'team', name: 'web', uid: 'uid-pod' },
  spec: { containers: [], serviceAccountName: 'robot', volumes: [{ name: 'v', projected: { sources } }] },
};
const signal = new AbortController().signal;

/** A Secret of P, made for the pod of that UID, with a token that is due. */
function heldFor(uid: string): Secret {
  const claims = Buffer.from(JSON.stringify({ iat: 0, exp: 600 })).toString('base64url');
  return {
    metadata: {
      namespace: 'mount',
      name: 'held',
      uid: 'uid-secret',
      labels: { 'kubeocean.io/managed-by': 'kubeocean' },
      annotations: {
        'kubeocean.io/virtual-pod-namespace': 'team',
        'kubeocean.io/virtual-pod-name': 'web',
        'kubeocean.io/virtual-pod-uid': uid,
        'tributary.io/owner-cls-a': 'uid-v',
      },
    },
    data: { token: Buffer.from(`e30.${claims}.sig`).toString('base64') },
  };
}

function keeperOver(held: Secret | undefined) {
  const asked: unknown[] = [];
  const written: unknown[] = [];
  const answer = { status: { token: 'fresh' } };
  const note =
    (list: unknown[], result: unknown) =>
    async (...given: readonly unknown[]) => {
      list.push(given.at(-2));
      return result;
    };
  const sides = {
    informers: {
      physical: { secrets: { addIndex: () => undefined, caughtUp: async () => undefined, get: () => held } },
    },
    virtual: { client: { createSubresource: note(asked, answer) } },
    physical: { client: { create: note(written, held), patch: note(written, held) } },
    binding: () => ({ mountNamespace: 'mount' }),
    physicalName: createPhysicalName(),
    identity: { clusterId: 'cls-a', virtualCluster: 'uid-v' },
    clock: { now: () => 10_000_000 },
    random: () => 0,
  } as unknown as Sides;
  return { asked, written, keeper: createTokenKeeper(sides, {} as GuardedWrites) };
}

test('a token is asked for this very pod: one that took its name meanwhile is none of its business', async () => {
  const { asked, keeper } = keeperOver(undefined);
  await keeper.ensure(pod, signal);
  expect(asked).toEqual([
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        audiences: ['a'],
        expirationSeconds: 600,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'uid-pod' },
      },
    },
  ]);
});

test('a token that is due is written into this very Secret', async () => {
  const { written, keeper } = keeperOver(heldFor('uid-pod'));
  await keeper.ensure(pod, signal);
  const annotations = { 'tributary.io/owner-cls-a': 'uid-v' };
  const data = { token: Buffer.from('fresh').toString('base64') };
  expect(written).toEqual([{ type: 'merge', body: { metadata: { uid: 'uid-secret', annotations }, data } }]);
});

test('a token is never written into the Secret of another pod, not even of one of ours', async () => {
  const { asked, written, keeper } = keeperOver(heldFor('uid-before'));
  await expect(keeper.ensure(pod, signal)).rejects.toThrow('is held by this binding');
  expect([asked, written]).toEqual([[], []]);
});
