import { OperatorError } from '@tributary/runtime';
import { createSimulatedClock } from '@tributary/testkit';
import { describe, expect, test } from 'vitest';
import { createVpcApi } from './create-vpc-api.ts';
import type { VpcApiDeps } from './create-vpc-api.ts';
import type { VpcApi, VpcSend } from './vpc-send.ts';

function createApi(send: VpcSend, given: Partial<VpcApiDeps> = {}) {
  const clock = createSimulatedClock();
  const measured: string[] = [];
  const onCall = (action: string, code: string, ms: number): void => void measured.push(`${action} ${code} ${ms}`);
  const api: VpcApi = createVpcApi({}, { send, clock, random: () => 0, onCall, ...given });
  return { clock, measured, api };
}

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the fence', () => {
  const lost = new OperatorError('leader/lost', 'lost', { kind: 'never' });
  const sent: string[] = [];
  const send: VpcSend = async (action) => {
    sent.push(action);
    return { status: 200, body: {} };
  };

  test('that is shut lets reads pass and no write', async () => {
    const shut = { check: () => undefined, guard: async () => Promise.reject(lost) };
    const { api } = createApi(send, { fence: shut });
    await api.call('DescribeEipAddresses', {});
    expect(await failure(api.call('ReleaseEipAddress', {}))).toBe(lost);
    expect(sent.splice(0)).toEqual(['DescribeEipAddresses']);
  });

  test('is asked again in the turn in which the write is sent', async () => {
    const beforeSend = (): void => {
      throw lost;
    };
    const { signal } = new AbortController();
    const fence: VpcApiDeps['fence'] = { check: () => undefined, guard: async (pass) => pass({ signal, beforeSend }) };
    const { api } = createApi(send, { fence });
    expect(await failure(api.call('AllocateEipAddress', {}))).toBe(lost);
    expect(sent).toEqual([]);
  });
});

test('no answer in time is an unknown outcome, and is measured as such', async () => {
  const { api, clock, measured } = createApi(async () => new Promise(() => undefined));
  const outcome = failure(api.call('AllocateEipAddress', {}));
  await clock.advance(30_000);
  expect(await outcome).toMatchObject({ code: 'vpc/unknown-outcome', retry: { kind: 'backoff' } });
  expect(measured).toEqual(['AllocateEipAddress NoAnswer 30000']);
});

test('who has no credential has sent nothing: that error comes through as it is', async () => {
  const missing = new OperatorError('credentials/invalid', 'none', { kind: 'backoff' });
  const { api } = createApi(async () => Promise.reject(missing));
  expect(await failure(api.call('AllocateEipAddress', {}))).toBe(missing);
});

test('throttling holds back all calls of that action, and no others, as long as it says', async () => {
  const answers = [{ status: 400, body: { Code: 'Throttling.User' }, retryAfterMs: 7000 }];
  const { api, clock, measured } = createApi(async () => answers.shift() ?? { status: 200, body: {} });
  expect(await failure(api.call('ReleaseEipAddress', {}))).toMatchObject({ retry: { kind: 'after', ms: 7000 } });
  await api.call('TagResources', {});
  let at = -1;
  void api.call('ReleaseEipAddress', {}).then(() => (at = clock.monotonic()));
  await clock.runUntil(() => at >= 0);
  expect(at).toBe(7000);
  expect(measured).toEqual(['ReleaseEipAddress Throttling.User 0', 'TagResources OK 0', 'ReleaseEipAddress OK 0']);
});
