import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace, eventually } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api, server } = useServer();
const golden = useGolden('paging');
let namespace = '';
let crd: ScratchCrd;
const all = Array.from({ length: 10 }, (_, index) => `r${index}`);
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api);
  for (const name of all)
    await api.post(
      crd.at(namespace),
      crd.object(name, { metadata: { labels: { parity: Number(name.slice(1)) % 2 ? 'odd' : 'even' } } }),
    );
});
const names = (body: Loose): string[] => body.items.map((item: Loose) => item.metadata.name);

describe('a list', () => {
  test('has the kind of the list, a resourceVersion and items in order of their keys', async () => {
    const { status, body } = await api.get(crd.at(namespace));
    expect(status).toBe(200);
    expect(body).toMatchObject({ apiVersion: crd.apiVersion, kind: 'RiverList' });
    expect(Object.keys(body.metadata).toSorted()).toEqual(['continue', 'resourceVersion']);
    expect(body.metadata.continue).toBe('');
    expect(names(body)).toEqual(all);
    expect(body.items[0]).toMatchObject({ apiVersion: crd.apiVersion, kind: 'River' });
  });

  test('of built-ins leaves kind and apiVersion out of the items', async () => {
    const { body } = await api.get(`/api/v1/namespaces/${namespace}/serviceaccounts`);
    expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ServiceAccountList' });
    expect(Object.keys(body.metadata)).toEqual(['resourceVersion']);
    expect(Object.keys(body.items[0])).toEqual(['metadata']);
  });

  test('that is empty has an array, not null', async () => {
    expect((await api.get(`/api/v1/namespaces/${namespace}/pods`)).body.items).toEqual([]);
    expect((await api.get(crd.at('nowhere'))).body.items).toEqual([]);
  });

  test('across namespaces is ordered by namespace and then by name', async () => {
    const other = await createNamespace(api, 'aaa');
    await api.post(crd.at(other), crd.object('z'));
    const { body } = await api.get(crd.at());
    expect(names(body)).toEqual(['z', ...all]);
    await api.del(`${crd.at(other)}/z`);
  });
});

describe('a list with a limit', () => {
  test('comes in pages that name what remains', async () => {
    const first = await api.get(crd.at(namespace), { limit: 4 });
    expect(names(first.body)).toEqual(all.slice(0, 4));
    expect(first.body.metadata.remainingItemCount).toBe(6);
    const second = await api.get(crd.at(namespace), { limit: 4, continue: first.body.metadata.continue });
    expect(names(second.body)).toEqual(all.slice(4, 8));
    expect(second.body.metadata.remainingItemCount).toBe(2);
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    const third = await api.get(crd.at(namespace), { limit: 4, continue: second.body.metadata.continue });
    expect(names(third.body)).toEqual(all.slice(8));
    expect(third.body.metadata.continue).toBe('');
    expect(third.body.metadata).not.toHaveProperty('remainingItemCount');
  });

  test('shows the state of its first page on all of them', async () => {
    const first = await api.get(crd.at(namespace), { limit: 5 });
    await api.post(crd.at(namespace), crd.object('r55'));
    await api.del(`${crd.at(namespace)}/r7`);
    await api.patch(`${crd.at(namespace)}/r8`, 'merge', { spec: { changed: true } });
    const second = await api.get(crd.at(namespace), { limit: 50, continue: first.body.metadata.continue });
    expect(names(second.body)).toEqual(all.slice(5));
    expect(second.body.items[3].spec).toBeUndefined();
    await api.del(`${crd.at(namespace)}/r55`);
    await api.post(crd.at(namespace), crd.object('r7', { metadata: { labels: { parity: 'odd' } } }));
  });

  test('may end without a limit on the second page', async () => {
    const first = await api.get(crd.at(namespace), { limit: 3 });
    const rest = await api.get(crd.at(namespace), { continue: first.body.metadata.continue });
    expect(names(rest.body)).toEqual(all.slice(3));
  });

  test('of exactly the number of objects has no second page', async () => {
    const { body } = await api.get(crd.at(namespace), { limit: all.length });
    expect(body.metadata.continue).toBe('');
    expect(body.metadata).not.toHaveProperty('remainingItemCount');
  });

  test('of zero is no limit', async () => {
    expect(names((await api.get(crd.at(namespace), { limit: 0 })).body)).toEqual(all);
  });

  test('and a selector fills its pages and does not say what remains', async () => {
    const first = await api.get(crd.at(namespace), { limit: 2, labelSelector: 'parity=odd' });
    expect(names(first.body)).toEqual(['r1', 'r3']);
    expect(first.body.metadata).not.toHaveProperty('remainingItemCount');
    const second = await api.get(crd.at(namespace), {
      limit: 5,
      labelSelector: 'parity=odd',
      continue: first.body.metadata.continue,
    });
    expect(names(second.body)).toEqual(['r5', 'r7', 'r9']);
  });

  test('runs over built-ins in the same way', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    for (const name of ['a', 'b', 'c']) await api.post(path, { metadata: { name } });
    const first = await api.get(path, { limit: 2 });
    expect(names(first.body)).toEqual(['a', 'b']);
    const second = await api.get(path, { limit: 2, continue: first.body.metadata.continue });
    expect(names(second.body)).toEqual(['c', 'kube-root-ca.crt']);
    expect(second.body.metadata).not.toHaveProperty('continue');
  });
});

describe('a continue token', () => {
  test('that is no token is refused', async () => {
    for (const [key, token] of [
      ['garbage', 'garbage'],
      ['empty json', Buffer.from('{}').toString('base64url')],
    ] as const) {
      expect(maskedAnswer(await api.get(crd.at(namespace), { limit: 2, continue: token }))).toEqual(
        golden(`continue ${key}`),
      );
    }
  });

  test('together with a resourceVersion is refused', async () => {
    const first = await api.get(crd.at(namespace), { limit: 2 });
    const answer = await api.get(crd.at(namespace), {
      limit: 2,
      continue: first.body.metadata.continue,
      resourceVersion: 5,
    });
    expect(maskedAnswer(answer)).toEqual(golden('continue with resourceVersion'));
    const matching = await api.get(crd.at(namespace), {
      limit: 2,
      continue: first.body.metadata.continue,
      resourceVersionMatch: 'Exact',
    });
    expect(maskedAnswer(matching)).toEqual(golden('continue with resourceVersionMatch'));
  });

  test('names a resourceVersion, the key to go on from, and nothing else', async () => {
    const { body } = await api.get(crd.at(namespace), { limit: 2 });
    const token = JSON.parse(Buffer.from(body.metadata.continue, 'base64url').toString());
    expect(token).toEqual({ v: 'meta.k8s.io/v1', rv: Number(body.metadata.resourceVersion), start: `/r1\u0000` });
  });

  // The real server forgets when etcd compacts, and looks every 15 s whether it did; the test asks etcd to do so.
  test('whose history is gone answers 410 with a token that goes on without consistency', async () => {
    const first = await api.get(crd.at(namespace), { limit: 4 });
    await api.patch(`${crd.at(namespace)}/r9`, 'merge', { metadata: { annotations: { compacted: 'soon' } } });
    await server().compact();
    const expired = await eventually(
      () => api.get(crd.at(namespace), { limit: 4, continue: first.body.metadata.continue }),
      (answer) => answer.status !== 200,
      30_000,
    );
    expect(expired.status).toBe(410);
    expect(expired.body).toMatchObject({
      reason: 'Expired',
      code: 410,
      message:
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    });
    const rest = await api.get(crd.at(namespace), { continue: expired.body.metadata.continue });
    expect(rest.status).toBe(200);
    expect(names(rest.body)).toEqual(all.slice(4));
    expect(rest.body.items.at(-1).metadata.annotations).toEqual({ compacted: 'soon' });
  });
});

describe('the parameters of a list', () => {
  test.each(['abc', '-1', '1.5'])('limit=%s', async (limit) => {
    const answer = await api.get(crd.at(namespace), { limit });
    expect(answer.status === 200 ? { status: 200, count: answer.body.items.length } : maskedAnswer(answer)).toEqual(
      golden(`limit ${limit}`),
    );
  });
  test.each(['abc', '-1'])('timeoutSeconds=%s', async (timeoutSeconds) => {
    const answer = await api.get(crd.at(namespace), { timeoutSeconds });
    expect(answer.status === 200 ? { status: 200 } : maskedAnswer(answer)).toEqual(
      golden(`timeoutSeconds ${timeoutSeconds}`),
    );
  });
});
