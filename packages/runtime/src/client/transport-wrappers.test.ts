import { expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { scriptedTransport, statusAnswer } from './testing/scripted-client.ts';
import type { HttpRequest, StreamHandler, Transport } from './transport.ts';
import { withAnswerHook } from './with-answer-hook.ts';
import type { Answer } from './with-answer-hook.ts';
import { withRetries } from './with-retries.ts';
import { withTokenBucket } from './with-token-bucket.ts';
import { warningTexts, withWarnings } from './with-warnings.ts';

const get: HttpRequest = { method: 'GET', path: '/x' };
const busy = (after: string) => statusAnswer(429, 'TooManyRequests', { 'retry-after': after });
const ignore: StreamHandler = { onHead: () => undefined, onChunk: () => undefined };

const retried: readonly (readonly [string, Parameters<typeof scriptedTransport>[0], number, number])[] = [
  ['429 with Retry-After is repeated until it is accepted', [busy('1'), busy('1'), {}], 3, 200],
  ['429 is repeated only so often', [busy('1')], 4, 429],
  ['429 without Retry-After is left to the caller', [statusAnswer(429, 'TooManyRequests')], 1, 429],
  ['429 that asks for too long a wait is left to the caller', [busy('11')], 1, 429],
  ['503 may have been executed and is never repeated', [statusAnswer(503, 'x', { 'retry-after': '1' }), {}], 1, 503],
  ['an answer of 200 is not repeated', [{}], 1, 200],
];

for (const [name, answers, sent, status] of retried) {
  test(`retries: ${name}`, async () => {
    const clock = createSimulatedClock();
    const { transport, requests } = scriptedTransport(answers);
    const call = withRetries(transport, { retries: 3 }, clock).request(get);
    await clock.runUntilIdle();
    expect((await call).status).toBe(status);
    expect(requests.length).toBe(sent);
  });
}

test('retries: a broken connection is not repeated, for nobody knows what the server did', async () => {
  const { transport, requests } = scriptedTransport([new Error('reset')]);
  await expect(withRetries(transport, { retries: 3 }, createSimulatedClock()).request(get)).rejects.toThrow('reset');
  expect(requests.length).toBe(1);
});

test('retries: who waits for the next attempt can give up', async () => {
  const clock = createSimulatedClock();
  const controller = new AbortController();
  const { transport } = scriptedTransport([busy('5')]);
  const call = withRetries(transport, { retries: 3 }, clock)
    .request({ ...get, signal: controller.signal })
    .catch((error: unknown) => error);
  await clock.settle();
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await call).toBe(reason);
  expect(clock.pending()).toBe(0);
});

function timed(clock: { monotonic: () => number }): { transport: Transport; sentAtMs: number[] } {
  const sentAtMs: number[] = [];
  const transport: Transport = {
    request: async () => {
      sentAtMs.push(clock.monotonic());
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
    stream: async () => void sentAtMs.push(clock.monotonic()),
    close: async () => undefined,
  };
  return { transport, sentAtMs };
}

test('bucket: a burst goes at once, the rest at the rate, in order', async () => {
  const clock = createSimulatedClock();
  const { transport, sentAtMs } = timed(clock);
  const limited = withTokenBucket(transport, { perSecond: 10, burst: 3 }, clock);
  const calls = Array.from({ length: 5 }, async () => limited.request(get));
  const watch = limited.stream(get, ignore);
  await clock.runUntilIdle();
  await Promise.all([...calls, watch]);
  expect(sentAtMs).toEqual([0, 0, 0, 100, 200, 300]);
});

test('bucket: a pause refills it, but never above the burst', async () => {
  const clock = createSimulatedClock();
  const { transport, sentAtMs } = timed(clock);
  const limited = withTokenBucket(transport, { perSecond: 10, burst: 2 }, clock);
  await limited.request(get);
  await limited.request(get);
  await clock.advance(60_000);
  const calls = Array.from({ length: 3 }, async () => limited.request(get));
  await clock.runUntilIdle();
  await Promise.all(calls);
  expect(sentAtMs).toEqual([0, 0, 60_000, 60_000, 60_100]);
});

test('bucket: who gives up while waiting gives its turn back', async () => {
  const clock = createSimulatedClock();
  const { transport, sentAtMs } = timed(clock);
  const limited = withTokenBucket(transport, { perSecond: 1, burst: 1 }, clock);
  await limited.request(get);
  const controller = new AbortController();
  const given = limited.request({ ...get, signal: controller.signal }).catch((error: unknown) => error);
  await clock.settle();
  controller.abort(new Error('enough'));
  expect(await given).toEqual(new Error('enough'));
  const last = limited.request(get);
  await clock.runUntilIdle();
  await last;
  expect(sentAtMs).toEqual([0, 1000]);
  await expect(limited.request({ ...get, signal: controller.signal })).rejects.toThrow('enough');
});

test('bucket: a rate or burst that lets nothing through is refused', () => {
  const { transport } = scriptedTransport([{}]);
  const clock = createSimulatedClock();
  expect(() => withTokenBucket(transport, { perSecond: 0, burst: 1 }, clock)).toThrow(RangeError);
  expect(() => withTokenBucket(transport, { perSecond: 1, burst: 0 }, clock)).toThrow(RangeError);
});

test('answers: requests, refusals, failures and watches are each reported once, with the labels of client-go', async () => {
  const answers: Answer[] = [];
  const { transport } = scriptedTransport([
    {},
    statusAnswer(404, 'NotFound'),
    new Error('reset'),
    {},
    new Error('reset'),
  ]);
  const hooked = withAnswerHook(
    transport,
    { host: '10.0.0.1:6443', onAnswer: (answer) => void answers.push(answer) },
    createSimulatedClock(),
  );
  await hooked.request(get);
  await hooked.request({ ...get, method: 'PUT' });
  await expect(hooked.request({ ...get, method: 'POST' })).rejects.toThrow('reset');
  await hooked.stream(get, ignore);
  await expect(hooked.stream(get, ignore)).rejects.toThrow('reset');
  const host = '10.0.0.1:6443';
  expect(answers).toEqual([
    { code: '200', method: 'GET', host, durationMs: 0 },
    { code: '404', method: 'PUT', host, durationMs: 0 },
    { code: '<error>', method: 'POST', host, durationMs: 0 },
    { code: '200', method: 'GET', host, durationMs: 0 },
    { code: '<error>', method: 'GET', host, durationMs: 0 },
  ]);
});

test('answers: the duration of a watch ends with its head, and a later break is no second answer', async () => {
  const clock = createSimulatedClock();
  const answers: Answer[] = [];
  const transport: Transport = {
    ...scriptedTransport([{}]).transport,
    stream: async (_, handler) => {
      await clock.advance(30);
      handler.onHead({ status: 200, headers: {} });
      await clock.advance(5000);
      throw new Error('reset');
    },
  };
  const hooked = withAnswerHook(transport, { host: 'h', onAnswer: (answer) => void answers.push(answer) }, clock);
  await expect(hooked.stream(get, ignore)).rejects.toThrow('reset');
  expect(answers).toEqual([{ code: '200', method: 'GET', host: 'h', durationMs: 30 }]);
});

test('warnings: those of a watch are handed on too, before its head', async () => {
  const order: string[] = [];
  const { transport } = scriptedTransport([{ headers: { warning: '299 - "old"' } }]);
  const warned = withWarnings(transport, (text) => void order.push(text));
  await warned.stream(get, { ...ignore, onHead: () => void order.push('head') });
  expect(order).toEqual(['old', 'head']);
});

const warnings: readonly (readonly [string | undefined, readonly string[]])[] = [
  [undefined, []],
  ['299 - "a"', ['a']],
  ['299 - "a", 299 kube-apiserver "b"', ['a', 'b']],
  ['299 - "with \\"quotes\\" and \\\\ and, commas"', ['with "quotes" and \\ and, commas']],
  ['299 - "a" "Mon, 05 Jan 2026 12:00:00 GMT"', ['a']],
  ['110 - "stale"', []],
  ['nonsense', []],
];

for (const [header, texts] of warnings) {
  test(`warnings: ${header ?? 'no header'} says ${JSON.stringify(texts)}`, () => {
    expect(warningTexts(header)).toEqual(texts);
  });
}
