import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose, Query } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('list-versions');
let namespace = '';
let crd: ScratchCrd;
let before = '';
let middle = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api);
  before = (await api.post(crd.at(namespace), crd.object('one'))).body.metadata.resourceVersion;
  middle = (await api.post(crd.at(namespace), crd.object('two'))).body.metadata.resourceVersion;
  await api.post(crd.at(namespace), crd.object('three'));
});
const names = (body: Loose): string[] => body.items.map((item: Loose) => item.metadata.name);

describe('the resourceVersion of a list', () => {
  test('when absent gives the newest state', async () => {
    const { body } = await api.get(crd.at(namespace));
    expect(names(body)).toEqual(['one', 'three', 'two']);
    expect(BigInt(body.metadata.resourceVersion)).toBeGreaterThan(BigInt(middle));
  });

  test('0 gives any state, in which all that was written long ago is seen', async () => {
    const { status, body } = await api.get('/api/v1/namespaces', { resourceVersion: 0 });
    expect(status).toBe(200);
    expect(names(body)).toContain('kube-system');
  });

  test('gives a state that is not older', async () => {
    const { body } = await api.get(crd.at(namespace), { resourceVersion: before });
    expect(BigInt(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(BigInt(before));
    expect(names(body)).toContain('one');
  });

  test('with match NotOlderThan does the same', async () => {
    const { status, body } = await api.get(crd.at(namespace), {
      resourceVersion: middle,
      resourceVersionMatch: 'NotOlderThan',
    });
    expect(status).toBe(200);
    expect(names(body)).toEqual(expect.arrayContaining(['one', 'two']));
  });

  test('with match Exact gives that very state', async () => {
    const { status, body } = await api.get(crd.at(namespace), {
      resourceVersion: middle,
      resourceVersionMatch: 'Exact',
    });
    expect(status).toBe(200);
    expect(names(body)).toEqual(['one', 'two']);
    expect(body.metadata.resourceVersion).toBe(middle);
  });

  test('with a limit and no match gives that very state', async () => {
    const { body } = await api.get(crd.at(namespace), { resourceVersion: middle, limit: 10 });
    expect(names(body)).toEqual(['one', 'two']);
    expect(body.metadata.resourceVersion).toBe(middle);
  });

  test('Exact can be paged', async () => {
    const first = await api.get(crd.at(namespace), {
      resourceVersion: middle,
      resourceVersionMatch: 'Exact',
      limit: 1,
    });
    expect(names(first.body)).toEqual(['one']);
    const second = await api.get(crd.at(namespace), { limit: 1, continue: first.body.metadata.continue });
    expect(names(second.body)).toEqual(['two']);
    expect(second.body.metadata).not.toHaveProperty('remainingItemCount');
  });

  const future = String(10n ** 15n);
  test('in the future is refused with 504 and the cause ResourceVersionTooLarge', async () => {
    const { status, body } = await api.get(crd.at(namespace), {
      resourceVersion: future,
      resourceVersionMatch: 'NotOlderThan',
    });
    expect(status).toBe(504);
    expect(body).toMatchObject({
      reason: 'Timeout',
      code: 504,
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    });
    expect(body.message).toMatch(/^Timeout: Too large resource version: 1000000000000000, current: \d+$/);
  });

  test('in the future is refused for a get too', async () => {
    const { status, body } = await api.get('/api/v1/namespaces/default', { resourceVersion: future });
    expect(status).toBe(504);
    expect(body.message).toMatch(/^Timeout: Too large resource version: 1000000000000000, current: \d+$/);
  });

  test('in the future with match Exact is refused', async () => {
    const { status, body } = await api.get(crd.at(namespace), {
      resourceVersion: future,
      resourceVersionMatch: 'Exact',
    });
    expect(status).toBe(504);
    expect(body.message).toMatch(/^Timeout: Too large resource version: 1000000000000000, current: \d+$/);
  });

  const rows: readonly (readonly [string, Query])[] = [
    ['match without version', { resourceVersionMatch: 'Exact' }],
    ['match NotOlderThan without version', { resourceVersionMatch: 'NotOlderThan' }],
    ['match Exact of 0', { resourceVersionMatch: 'Exact', resourceVersion: 0 }],
    ['unknown match', { resourceVersionMatch: 'Roughly', resourceVersion: 1 }],
    ['version that is no number', { resourceVersion: 'abc' }],
    ['negative version', { resourceVersion: -1 }],
    ['sendInitialEvents on a list', { sendInitialEvents: true }],
    ['match on a watch', { watch: true, resourceVersionMatch: 'Exact', resourceVersion: 1 }],
    ['sendInitialEvents without match', { watch: true, sendInitialEvents: true }],
    [
      'sendInitialEvents with match Exact',
      { watch: true, sendInitialEvents: true, resourceVersionMatch: 'Exact', resourceVersion: 1 },
    ],
    [
      'NotOlderThan without sendInitialEvents',
      { watch: true, resourceVersionMatch: 'NotOlderThan', resourceVersion: 1 },
    ],
    ['watch with a version that is no number', { watch: true, resourceVersion: 'abc' }],
    ['watch with continue', { watch: true, continue: 'abc' }],
  ];
  test.each(rows)('%s is refused', async (name, query) => {
    const answer = await api.get(crd.at(namespace), query);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden(name));
  });
});

test('any word but false and 0 asks for a watch', async () => {
  for (const word of ['maybe', '1', 'TRUE', '']) {
    const watch = await api.watch(crd.at(namespace), { watch: word, timeoutSeconds: 1 });
    expect({ word, types: (await watch.rest()).map(({ type }) => type) }).toEqual({
      word,
      types: ['ADDED', 'ADDED', 'ADDED'],
    });
  }
  for (const word of ['false', '0']) {
    const { body } = await api.get(crd.at(namespace), { watch: word, timeoutSeconds: 1 });
    expect(body.kind).toBe('RiverList');
  }
});
