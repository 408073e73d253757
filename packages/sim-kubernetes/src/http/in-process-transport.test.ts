import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import type { ApiHandler } from './api-request.ts';
import { createInProcessTransport } from './in-process-transport.ts';
import { configMaps, startTestApi } from './testing/test-api.ts';
import type { TestApi } from './testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

const quiet = { onHead: () => undefined, onChunk: () => undefined };
const watchPath = `${configMaps}?watch=1`;

test('beforeSend is the last word: when it throws, nothing happens', async () => {
  const before = api.store.revision();
  const request = {
    method: 'POST',
    path: configMaps,
    body: JSON.stringify({ metadata: { name: 'a' } }),
    beforeSend: () => {
      throw new Error('no longer the leader');
    },
  };
  await expect(api.transport().request(request)).rejects.toThrow('no longer the leader');
  expect(api.store.revision()).toBe(before);
});

test('an aborted request is rejected with the reason', async () => {
  const gone = new AbortController();
  gone.abort(new Error('enough'));
  await expect(api.transport().request({ method: 'GET', path: '/version', signal: gone.signal })).rejects.toThrow(
    'enough',
  );
});

test('an aborted stream is rejected with the reason, and hears no more', async () => {
  const gone = new AbortController();
  const chunks: unknown[] = [];
  const stream = api
    .transport()
    .stream(
      { method: 'GET', path: watchPath, signal: gone.signal },
      { ...quiet, onChunk: (chunk) => chunks.push(chunk) },
    );
  await api.clock.settle();
  gone.abort(new Error('enough'));
  await expect(stream).rejects.toThrow('enough');
  await api.call('POST', configMaps, { metadata: { name: 'a' } });
  await api.clock.settle();
  expect(chunks).toEqual([]);
});

test('a stream that stays silent too long is rejected; every event starts the wait anew', async () => {
  let failure: unknown;
  const stream = api.transport().stream({ method: 'GET', path: watchPath, bodyTimeoutMs: 1000 }, quiet);
  stream.catch((error: unknown) => void (failure = error));
  await api.clock.advance(900);
  await api.call('POST', configMaps, { metadata: { name: 'a' } });
  await api.clock.advance(900);
  expect(failure).toBeUndefined();
  await api.clock.advance(200);
  expect(failure).toEqual(new Error('silence for 1000 ms'));
});

test('an answer that does not come in time is not waited for', async () => {
  const clock = createSimulatedClock();
  const never: ApiHandler = async () => new Promise(() => undefined);
  const transport = createInProcessTransport(never, { headersTimeoutMs: 500 }, clock);
  const answer = transport.request({ method: 'GET', path: '/' }).catch((error: unknown) => error);
  await clock.advance(500);
  expect(await answer).toEqual(new Error('silence for 500 ms'));
});

test('an error of the reader ends the stream with it', async () => {
  const onChunk = (): void => {
    throw new Error('cannot read this');
  };
  await api.call('POST', configMaps, { metadata: { name: 'a' } });
  await expect(api.transport().stream({ method: 'GET', path: watchPath }, { ...quiet, onChunk })).rejects.toThrow(
    'cannot read this',
  );
});

test('a writer is never called back from within its own write', async () => {
  const order: string[] = [];
  api
    .transport()
    .stream({ method: 'GET', path: watchPath }, { ...quiet, onChunk: () => order.push('event') })
    .catch(() => undefined);
  await api.clock.settle();
  const metadata = { name: 'a', namespace: 'default', uid: 'u', creationTimestamp: '2026-01-05T12:00:00Z' };
  api.store.create({ group: '', plural: 'configmaps' }, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  order.push('written');
  await api.clock.settle();
  expect(order).toEqual(['written', 'event']);
});

test('a closed transport sends nothing', async () => {
  const transport = api.transport();
  await transport.close();
  await expect(transport.request({ method: 'GET', path: '/version' })).rejects.toThrow('closed');
});

test('two runs with the same seed are the same to the letter', async () => {
  const run = async (): Promise<string> => {
    const one = await startTestApi();
    for (let count = 0; count < 5; count++) await one.call('POST', configMaps, { metadata: { generateName: 'a-' } });
    const { text } = await one.call('GET', configMaps);
    await one.stop();
    return text;
  };
  expect(await run()).toBe(await run());
});
