import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMaps, rivers, startTestApi } from '../http/testing/test-api.ts';
import type { Answer, TestApi } from '../http/testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

const create = async (name: string, headers = {}): Promise<Answer> =>
  api.call('POST', configMaps, { metadata: { name } }, headers);
const exists = (name: string): boolean =>
  api.store.get({ group: '', plural: 'configmaps' }, { namespace: 'default', name }) !== undefined;
const failure = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a rule', () => {
  test('hits what it matches and nothing else', async () => {
    api.faults.add({
      match: { verb: 'create', resource: 'configmaps', name: '' },
      fault: { kind: 'error', status: 500 },
    });
    expect((await create('a')).status).toBe(500);
    expect((await api.call('GET', configMaps)).status).toBe(200);
    expect((await api.call('GET', rivers)).status).toBe(200);
    expect(api.faults.hits()).toBe(1);
  });

  test('skips some and ends after some', async () => {
    api.faults.add({ match: { verb: 'write' }, fault: { kind: 'error', status: 500 }, skip: 1, times: 2 });
    const statuses = [];
    for (const name of ['a', 'b', 'c', 'd']) statuses.push((await create(name)).status);
    expect(statuses).toEqual([201, 500, 500, 201]);
  });

  test('is about one caller when it names its user agent', async () => {
    api.faults.add({ match: { userAgent: 'operator' }, fault: { kind: 'error', status: 503 } });
    expect((await create('a', { 'user-agent': 'operator/1.0' })).status).toBe(503);
    expect((await create('a', { 'user-agent': 'kubectl' })).status).toBe(201);
  });

  test('strikes by chance, the same way for the same seed', async () => {
    const run = async (): Promise<number[]> => {
      const one = await startTestApi({ faults: [{ fault: { kind: 'error', status: 500 }, chance: 0.5 }] });
      const statuses = [];
      for (let count = 0; count < 20; count++) statuses.push((await one.call('GET', configMaps)).status);
      await one.stop();
      return statuses;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await run()).toEqual(first);
  });

  test('can be taken away, one or all', async () => {
    const remove = api.faults.add({ fault: { kind: 'error', status: 500 } });
    remove();
    expect((await create('a')).status).toBe(201);
    api.faults.add({ fault: { kind: 'error', status: 500 } });
    api.faults.clear();
    expect((await create('b')).status).toBe(201);
  });
});

describe('requests', () => {
  test('are late by latency, on the clock of the cluster', async () => {
    api.faults.add({ fault: { kind: 'latency', ms: 300 } });
    let answered = false;
    const answer = create('a').then(() => (answered = true));
    await api.clock.advance(299);
    expect([answered, exists('a')]).toEqual([false, false]);
    await api.clock.advance(1);
    await answer;
    expect(exists('a')).toBe(true);
  });

  test('break before the effect, or after it', async () => {
    api.faults.add({ fault: { kind: 'reset', effect: 'before' }, times: 1 });
    expect(await failure(create('a'))).toMatchObject({ code: 'ECONNRESET' });
    expect(exists('a')).toBe(false);
    api.faults.add({ fault: { kind: 'reset', effect: 'after' }, times: 1 });
    expect(await failure(create('a'))).toMatchObject({ code: 'ECONNRESET' });
    expect(exists('a')).toBe(true);
  });

  test('are answered with an error that says when to come again', async () => {
    api.faults.add({ fault: { kind: 'error', status: 429, retryAfterSeconds: 7 } });
    const { body, headers } = await create('a');
    expect(body).toMatchObject({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } });
    expect(headers['retry-after']).toBe('7');
  });

  test('may have had their effect when the error comes', async () => {
    api.faults.add({ fault: { kind: 'error', status: 500, effect: 'after' } });
    expect((await create('a')).body).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(exists('a')).toBe(true);
  });

  test('get no answer until the caller gives up', async () => {
    api.faults.add({ fault: { kind: 'stall' } });
    const answer = failure(api.transport().request({ method: 'GET', path: '/version', headersTimeoutMs: 1000 }));
    await api.clock.advance(1000);
    expect(await answer).toEqual(new Error('silence for 1000 ms'));
  });

  test('list what was there some revisions ago', async () => {
    await create('a');
    await create('b');
    api.faults.add({ match: { verb: 'list' }, fault: { kind: 'stale-list', revisions: 1 }, times: 1 });
    const stale = await api.call('GET', configMaps);
    expect(stale.body.items.length).toBe(1);
    expect(stale.body.metadata.resourceVersion).toBe(String(api.store.revision() - 1));
    expect((await api.call('GET', configMaps)).body.items.length).toBe(2);
  });
});

describe('watches', () => {
  const path = `${configMaps}?watch=1&timeoutSeconds=600`;
  const open = (): ReturnType<TestApi['watch']> => api.watch(path);

  test('fall silent without an end', async () => {
    api.faults.add({ match: { verb: 'watch' }, fault: { kind: 'stall', afterEvents: 1 } });
    const watch = open();
    await create('a');
    await create('b');
    let ended = false;
    watch.done.then(() => (ended = true)).catch(() => (ended = true));
    await api.clock.advance(700_000);
    expect([watch.events.length, ended]).toEqual([1, false]);
    watch.stop();
  });

  test('break after some events', async () => {
    api.faults.add({ match: { verb: 'watch' }, fault: { kind: 'watch-reset', afterEvents: 2 } });
    const watch = open();
    for (const name of ['a', 'b', 'c']) await create(name);
    expect(await failure(watch.done)).toMatchObject({ code: 'ECONNRESET' });
    expect(watch.events.length).toBe(2);
  });

  test('are told that their revision is gone', async () => {
    api.faults.add({ match: { verb: 'watch' }, fault: { kind: 'watch-expired' }, times: 1 });
    const watch = open();
    await watch.done;
    expect(watch.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
  });

  test('lose events', async () => {
    api.faults.add({ match: { verb: 'watch' }, fault: { kind: 'drop-events', chance: 1 } });
    const watch = open();
    await create('a');
    await api.clock.settle();
    expect(watch.events).toEqual([]);
    watch.stop();
  });

  test('get events late but in order', async () => {
    api.faults.add({ match: { verb: 'watch' }, fault: { kind: 'delay-events', ms: 100, jitterMs: 500 } });
    const watch = open();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) await create(name);
    await api.clock.advance(99);
    expect(watch.events).toEqual([]);
    await api.clock.advance(600);
    expect(watch.events.map(({ object }) => object.metadata.name)).toEqual(names);
    watch.stop();
  });
});

describe('a crash of the caller at its second write', () => {
  const cases = [
    { at: 'before', answered: false, stored: false },
    { at: 'after', answered: true, stored: true },
    { at: 'answer-lost', answered: false, stored: true },
  ] as const;

  test.each(cases)('$at it', async ({ at, answered, stored }) => {
    const agent = { 'user-agent': 'operator-1' };
    api.faults.add({
      match: { verb: 'write', userAgent: 'operator-1' },
      fault: { kind: 'crash', at },
      skip: 1,
      times: 1,
    });
    const watch = api.watch(`${configMaps}?watch=1`, agent);
    expect((await create('a', agent)).status).toBe(201);
    const second = await create('b', agent).then(
      () => true,
      () => false,
    );
    expect([second, exists('b')]).toEqual([answered, stored]);
    // Nothing of a dead caller gets through, and its streams are cut; others go on.
    expect(await failure(create('c', agent))).toMatchObject({ code: 'ECONNRESET' });
    expect(await failure(watch.done)).toMatchObject({ code: 'ECONNRESET' });
    expect((await create('d', { 'user-agent': 'operator-2' })).status).toBe(201);
    expect(api.faults.isCrashed('operator-1')).toBe(true);
    api.faults.revive('operator-1');
    expect((await create('e', agent)).status).toBe(201);
  });
});
