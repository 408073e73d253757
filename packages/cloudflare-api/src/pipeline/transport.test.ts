import { createSimulatedClock } from '@tributary/testkit';
import { expect, test } from 'vitest';
import { testCall, testHeaders } from '../testing/test-call.ts';
import { createTransport } from './transport.ts';
import type { ApiFetch } from './transport.ts';

const timeouts = { answerMs: 5000, bodyMs: 7000 };
const headers = testHeaders();
const never = async <T>(): Promise<T> => new Promise<T>(() => undefined);

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: Error) => error.message,
  );
}

test('an answer has its time to begin, even from a network that does not heed the signal', async () => {
  const clock = createSimulatedClock();
  let signal: AbortSignal | undefined;
  const fetch: ApiFetch = async (_url, init) => {
    signal = init.signal;
    return never();
  };
  const failure = failureOf(createTransport(timeouts, { fetch, clock })(testCall('GET', '/zones')));
  await clock.advance(4999);
  expect(signal?.aborted).toBe(false);
  await clock.advance(1);
  expect(await failure).toBe('nothing within 5000 ms');
  expect(signal?.aborted).toBe(true);
});

test('an answer that has begun gets new time to end', async () => {
  const clock = createSimulatedClock();
  const fetch: ApiFetch = async () => {
    await new Promise<void>((resolve) => void clock.after(4000, resolve));
    return { status: 200, headers, text: never };
  };
  const failure = failureOf(createTransport(timeouts, { fetch, clock })(testCall('GET', '/zones')));
  await clock.advance(10_999);
  expect(clock.pending()).toBe(1);
  await clock.advance(1);
  expect(await failure).toBe('no end within 7000 ms');
  expect(clock.pending()).toBe(0);
});

test('a finished call leaves no timer, and its body is parsed when it is JSON', async () => {
  const clock = createSimulatedClock();
  const texts = ['{"a":1}', '[1]', '"token"', '{"cut', 'plain', ''];
  const fetch: ApiFetch = async () => ({ status: 200, headers, text: async () => texts.shift() ?? '' });
  const send = createTransport(timeouts, { fetch, clock });
  const parsed: unknown[] = [];
  for (let call = 0; call < 6; call += 1) parsed.push((await send(testCall('GET', '/zones'))).json);
  expect(parsed).toEqual([{ a: 1 }, [1], 'token', undefined, undefined, undefined]);
  expect(clock.pending()).toBe(0);
});

test('redirects are not followed and the request is sent as it is', async () => {
  const seen: unknown[] = [];
  const fetch: ApiFetch = async (url, { method, headers: sent, body, redirect }) => {
    seen.push(url, { method, headers: sent, body, redirect });
    return { status: 302, headers, text: async () => '' };
  };
  const call = testCall('POST', '/zones', { headers: { accept: 'application/json' }, body: '{}' });
  await createTransport(timeouts, { fetch, clock: createSimulatedClock() })(call);
  expect(seen).toEqual([
    'https://api.example/client/v4/zones',
    { method: 'POST', headers: { accept: 'application/json' }, body: '{}', redirect: 'manual' },
  ]);
});

test('nothing is sent for a signal that is aborted already', async () => {
  let calls = 0;
  const fetch: ApiFetch = async () => {
    calls += 1;
    return never();
  };
  const signals = [new AbortController().signal, AbortSignal.abort(new Error('too late'))];
  const send = createTransport(timeouts, { fetch, clock: createSimulatedClock() });
  await expect(send(testCall('GET', '/zones', { signals }))).rejects.toThrow('too late');
  expect(calls).toBe(0);
});
