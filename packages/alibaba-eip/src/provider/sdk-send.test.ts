import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { SimAlibaba } from '@tributary/sim-alibaba';
import { systemClock } from '@tributary/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEipCalls } from './eip-calls.ts';
import type { EipCalls } from './eip-calls.ts';
import { createVpcApi } from './create-vpc-api.ts';
import { endpointOf } from './endpoint.ts';
import { createSdkSend } from './sdk-send.ts';

let sim: SimAlibaba;
let key: { accessKeyId: string; accessKeySecret: string; securityToken?: string };
let calls: EipCalls;
beforeEach(async () => {
  sim = await startSimAlibaba();
  key = { accessKeyId: sim.accessKeyId, accessKeySecret: sim.accessKeySecret };
  const endpoint = endpointOf(sim.regionId, sim.url);
  const send = createSdkSend({ regionId: sim.regionId, endpoint, timeoutMs: 2000 }, { credentials: async () => key });
  calls = createEipCalls(
    { regionId: sim.regionId },
    createVpcApi({}, { send, clock: systemClock, random: Math.random }),
  );
});
afterEach(async () => sim.stop());

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('over HTTP, signed by the SDK', () => {
  test('an address is allocated, described with all that it has, and released', async () => {
    const params = {
      RegionId: sim.regionId,
      Bandwidth: '9',
      Name: "Ünï (code)*!'",
      'Tag.1.Key': 'team',
      'Tag.1.Value': 'a b+c',
    };
    const { id, address } = await calls.allocate(params, 'token-1');
    expect(await calls.allocate(params, 'token-1')).toEqual({ id, address });
    const [eip] = await calls.describeIds([id]);
    expect(eip).toMatchObject({ id, address, bandwidth: '9', name: "Ünï (code)*!'", tags: { team: 'a b+c' } });
    await calls.release(id);
    expect(sim.journal.count({ action: 'AllocateEipAddress', changed: true })).toBe(1);
  });

  test('a refusal keeps its code', async () => {
    expect(await failure(calls.modify('eip-none', { bandwidth: '3' }))).toMatchObject({
      code: 'vpc/refused',
      facts: { vpcCode: 'InvalidAllocationId.NotFound', status: 404 },
    });
  });

  test('throttling tells how long to wait', async () => {
    sim.faults.arm({ match: { action: 'ReleaseEipAddress' }, fault: { kind: 'throttled', retryAfterMs: 1234 } });
    expect(await failure(calls.release('eip-none'))).toMatchObject({
      code: 'vpc/throttled',
      retry: { kind: 'after', ms: 1234 },
    });
  });

  const silences = [
    { name: 'a broken connection', fault: { kind: 'dropped', when: 'after' } },
    { name: 'a page of a gateway', fault: { kind: 'html', when: 'after' } },
    { name: 'a server error', fault: { kind: 'server-error', when: 'after' } },
    { name: 'no answer in time', fault: { kind: 'hang', when: 'after' } },
  ] as const;
  test.each(silences)('$name leaves the outcome unknown, and the same token finds it', async ({ fault }) => {
    sim.faults.arm({ match: { action: 'AllocateEipAddress' }, fault });
    const params = { RegionId: sim.regionId };
    expect(await failure(calls.allocate(params, 't'))).toMatchObject({
      code: 'vpc/unknown-outcome',
      facts: { class: 'unknown' },
    });
    const { id } = await calls.allocate(params, 't');
    expect(sim.state.eips().map(({ allocationId }) => allocationId)).toEqual([id]);
  });

  test('a wrong secret is refused without a word about what was signed, and a new key is used at once', async () => {
    const right = key;
    key = { ...right, accessKeySecret: 'wrong' };
    const error = await failure(calls.describeIds(['eip-none']));
    expect(error).toMatchObject({ code: 'vpc/unauthorized', message: 'DescribeEipAddresses: SignatureDoesNotMatch' });
    key = right;
    expect(await calls.describeIds(['eip-none'])).toEqual([]);
  });
});

test.each([
  ['cn-hangzhou', undefined, 'public', 'https', 'vpc.aliyuncs.com'],
  ['cn-beijing', undefined, 'public', 'https', 'vpc.cn-beijing.aliyuncs.com'],
  ['cn-beijing', undefined, 'vpc', 'https', 'vpc-vpc.cn-beijing.aliyuncs.com'],
  ['cn-beijing', 'vpc.example.com', 'public', 'https', 'vpc.example.com'],
  ['cn-beijing', 'http://127.0.0.1:8080/', 'vpc', 'http', '127.0.0.1:8080'],
] as const)('the endpoint of %s, given %s, by the %s network', (region, given, network, protocol, host) => {
  expect(endpointOf(region, given, network)).toEqual({ protocol, host });
});
