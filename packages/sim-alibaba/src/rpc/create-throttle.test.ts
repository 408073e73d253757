import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';
import { createThrottle } from './create-throttle.ts';

const real = [
  { action: 'AllocateEipAddress', most: 120 },
  { action: 'AssociateEipAddress', most: 120 },
  { action: 'AddCommonBandwidthPackageIp', most: 300 },
  { action: 'DescribeEipAddresses', most: 600 },
  { action: 'ReleaseEipAddress', most: 600 },
];
for (const { action, most } of real) {
  test(`an account has ${most} calls of ${action} in a minute`, () => {
    let nowMs = 0;
    const throttle = createThrottle('real', { monotonic: () => nowMs });
    for (let call = 0; call < most; call += 1) expect(throttle.take('a', action)).toBeUndefined();
    nowMs = 20_000;
    expect(throttle.take('a', action)).toBe(40_000);
    expect(throttle.take('b', action)).toBeUndefined();
    nowMs = 60_000;
    expect(throttle.take('a', action)).toBeUndefined();
  });
}

test('what is over the limit is refused without effect and told when to come back', async () => {
  const { call, clock, sim, codeOf } = await startTestSim({ limits: { AllocateEipAddress: 2 } });
  await call('AllocateEipAddress');
  await clock.advance(1000);
  await call('AllocateEipAddress');
  const { status, body, retryAfterMs, headers } = await call('AllocateEipAddress');
  expect({ status, code: body.Code, retryAfterMs }).toEqual({
    status: 400,
    code: 'Throttling.User',
    retryAfterMs: 59_000,
  });
  expect(headers['x-acs-retry-after']).toBe('59000');
  expect(sim.state.eips()).toHaveLength(2);
  expect(await codeOf('DescribeEipAddresses')).toBe('');
  await clock.advance(59_000);
  expect(await codeOf('AllocateEipAddress')).toBe('');
});

test('without limits nothing is throttled, and a reset opens a new minute', async () => {
  const free = await startTestSim();
  for (let call = 0; call < 700; call += 1) expect(await free.codeOf('DescribeEipAddresses')).toBe('');
  const { sim, codeOf } = await startTestSim({ limits: { DescribeEipAddresses: 1 } });
  expect(await codeOf('DescribeEipAddresses')).toBe('');
  expect(await codeOf('DescribeEipAddresses')).toBe('Throttling.User');
  sim.reset();
  expect(await codeOf('DescribeEipAddresses')).toBe('');
});
