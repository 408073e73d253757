import { expect, test } from 'vitest';
import { startTestSim } from '../testing/start-test-sim.ts';

const prepaid = { InstanceChargeType: 'PrePaid', Period: '1', AutoPay: 'true' };
const byTraffic = { InternetChargeType: 'PayByTraffic' };

const taken: readonly { name: string; params: Record<string, string>; seen: object }[] = [
  {
    name: 'nothing: 5 Mbit/s by bandwidth on BGP',
    params: {},
    seen: { Bandwidth: '5', InternetChargeType: 'PayByBandwidth', ChargeType: 'PostPaid', ISP: 'BGP' },
  },
  { name: '200 Mbit/s by traffic', params: { ...byTraffic, Bandwidth: '200' }, seen: { Bandwidth: '200' } },
  { name: '500 Mbit/s by bandwidth', params: { Bandwidth: '500' }, seen: { Bandwidth: '500' } },
  { name: '1000 Mbit/s prepaid', params: { ...prepaid, Bandwidth: '1000' }, seen: { ChargeType: 'PrePaid' } },
  { name: 'a single line by bandwidth', params: { ISP: 'ChinaMobile_L2' }, seen: { ISP: 'ChinaMobile_L2' } },
  {
    name: 'protection on BGP',
    params: { 'SecurityProtectionTypes.1': 'AntiDDoS_Enhanced' },
    seen: { SecurityProtectionTypes: { SecurityProtectionType: ['AntiDDoS_Enhanced'] } },
  },
  {
    name: 'names, group, pool and zone',
    params: { Name: 'a', Description: 'b', ResourceGroupId: 'rg-1', PublicIpAddressPoolId: 'pippool-1', Zone: 'z' },
    seen: { Name: 'a', Description: 'b', ResourceGroupId: 'rg-1', PublicIpAddressPoolId: 'pippool-1', Zone: 'z' },
  },
  {
    name: 'tags',
    params: { 'Tag.1.Key': 'a', 'Tag.1.Value': 'b', 'Tag.2.Key': 'c', 'Tag.2.Value': 'd' },
    seen: {
      Tags: {
        Tag: [
          { Key: 'a', Value: 'b' },
          { Key: 'c', Value: 'd' },
        ],
      },
    },
  },
  { name: 'the longest name', params: { Name: 'n'.repeat(128) }, seen: { Name: 'n'.repeat(128) } },
  { name: 'a wanted address', params: { IpAddress: '198.18.9.9' }, seen: { IpAddress: '198.18.9.9' } },
];
for (const { name, params, seen } of taken) {
  test(`allocates with ${name}`, async () => {
    const { call, describe } = await startTestSim();
    const { status, body } = await call('AllocateEipAddress', params);
    expect(status).toBe(200);
    expect(await describe(body.AllocationId)).toMatchObject({ Status: 'Available', ...seen });
  });
}

const lines = 'BGP BGP_PRO BGP_FinanceCloud BGP_International ChinaTelecom ChinaUnicom ChinaMobile ChinaTelecom_L2';
for (const ISP of lines.split(' ')) {
  test(`allocates on the line ${ISP}`, async () => {
    const { codeOf } = await startTestSim();
    expect(await codeOf('AllocateEipAddress', { ISP })).toBe('');
  });
}

const refused: readonly { name: string; params: Record<string, string>; code: string; status?: number }[] = [
  { name: 'no region', params: { RegionId: '' }, code: 'MissingParameter' },
  { name: 'a region that is none', params: { RegionId: 'moon-1' }, code: 'InvalidRegionId.NotFound', status: 404 },
  { name: 'a bandwidth in words', params: { Bandwidth: 'ten' }, code: 'InvalidBandwidth.Malformed' },
  { name: 'half a Mbit', params: { Bandwidth: '0.5' }, code: 'InvalidBandwidth.Malformed' },
  { name: 'no bandwidth at all', params: { Bandwidth: '0' }, code: 'InvalidParameter' },
  { name: 'over 200 by traffic', params: { ...byTraffic, Bandwidth: '201' }, code: 'InvalidParameter' },
  { name: 'over 500 by bandwidth', params: { Bandwidth: '501' }, code: 'InvalidParameter' },
  { name: 'over 1000 prepaid', params: { ...prepaid, Bandwidth: '1001' }, code: 'InvalidParameter' },
  { name: 'an unknown way to pay', params: { InternetChargeType: 'Free' }, code: 'InvalidParameter' },
  { name: 'an unknown charge type', params: { InstanceChargeType: 'Free' }, code: 'InvalidParameter' },
  { name: 'an unknown line', params: { ISP: 'Carrier' }, code: 'InvalidParameter' },
  {
    name: 'a single line by traffic',
    params: { ...byTraffic, ISP: 'ChinaTelecom' },
    code: 'COMMODITY.INVALID_COMPONENT',
  },
  { name: 'prepaid by traffic', params: { ...prepaid, ...byTraffic }, code: 'COMMODITY.INVALID_COMPONENT' },
  { name: 'prepaid with a description', params: { ...prepaid, Description: 'd' }, code: 'InvalidParameter' },
  { name: 'prepaid with a name', params: { ...prepaid, Name: 'n' }, code: 'InvalidParameter' },
  { name: 'prepaid for no time', params: { ...prepaid, Period: '' }, code: 'InvalidParameter' },
  { name: 'prepaid for ten months', params: { ...prepaid, Period: '10' }, code: 'InvalidParameter' },
  { name: 'prepaid without payment', params: { ...prepaid, AutoPay: '' }, code: 'OrderError.EIP' },
  { name: 'a name that is a page', params: { Name: 'http://a' }, code: 'InvalidParameter' },
  { name: 'a name too long', params: { Name: 'n'.repeat(129) }, code: 'InvalidParameter' },
  { name: 'a description that is a page', params: { Description: 'https://a' }, code: 'InvalidParameter' },
  { name: 'a description too long', params: { Description: 'd'.repeat(257) }, code: 'InvalidParameter' },
  { name: 'unknown protection', params: { 'SecurityProtectionTypes.1': 'Wall' }, code: 'InvalidParameter' },
  {
    name: 'protection off BGP',
    params: { ISP: 'BGP_PRO', 'SecurityProtectionTypes.1': 'AntiDDoS_Enhanced' },
    code: 'InvalidParameter',
  },
  { name: 'a tag without a value', params: { 'Tag.1.Key': 'k', 'Tag.1.Value': '' }, code: 'InvalidTagValue' },
  { name: 'a reserved tag', params: { 'Tag.1.Key': 'acs:k', 'Tag.1.Value': 'v' }, code: 'InvalidTagKey' },
  { name: 'a token too long', params: { ClientToken: 't'.repeat(65) }, code: 'InvalidParameter' },
  { name: 'a token beyond ASCII', params: { ClientToken: 'ü' }, code: 'InvalidParameter' },
];
for (const { name, params, code, status = 400 } of refused) {
  test(`refuses ${name} with ${code}, and nothing is left`, async () => {
    const { call, sim } = await startTestSim();
    const { status: seen, body } = await call('AllocateEipAddress', params);
    expect({ status: seen, code: body.Code }).toEqual({ status, code });
    expect(sim.state.eips()).toEqual([]);
    expect(sim.journal.calls()).toMatchObject([{ changed: false, code }]);
  });
}

test('an error has the form of the provider', async () => {
  const { call } = await startTestSim();
  expect((await call('AllocateEipAddress', { Bandwidth: 'x' })).body).toEqual({
    RequestId: expect.stringMatching(/^[0-9A-F-]{36}$/) as string,
    HostId: 'vpc.aliyuncs.com',
    Code: 'InvalidBandwidth.Malformed',
    Message: 'The specified Bandwidth is invalid.',
    Recommend: 'https://api.aliyun.com/troubleshoot?q=InvalidBandwidth.Malformed&product=Vpc',
  });
});

test('an account has so many pay-as-you-go addresses, and a released one makes room when it is gone', async () => {
  const { allocate, codeOf, call, clock } = await startTestSim({ quotas: { eips: 2 } });
  const first = await allocate();
  await allocate();
  expect(await codeOf('AllocateEipAddress')).toBe('QuotaExceeded.Eip');
  expect(await codeOf('AllocateEipAddress', prepaid)).toBe('');
  await call('ReleaseEipAddress', { AllocationId: first });
  expect(await codeOf('AllocateEipAddress')).toBe('QuotaExceeded.Eip');
  await clock.advance(3000);
  expect(await codeOf('AllocateEipAddress')).toBe('');
});

test('twenty addresses are the default', async () => {
  const { allocate, codeOf } = await startTestSim();
  for (let made = 0; made < 20; made += 1) await allocate();
  expect(await codeOf('AllocateEipAddress')).toBe('QuotaExceeded.Eip');
});

test('no two addresses are the same, also after one was given back', async () => {
  const { allocate, sim, codeOf } = await startTestSim();
  const ids = [await allocate(), await allocate(), await allocate()];
  sim.dashboard.release(ids[0]!);
  await allocate();
  const addresses = sim.state.eips().map(({ ipAddress }) => ipAddress);
  expect(new Set(addresses).size).toBe(3);
  expect(await codeOf('AllocateEipAddress', { IpAddress: addresses[0]! })).toBe('ReserveIpFail');
});

test('a prepaid address comes with an order instead of an address and ends some day', async () => {
  const { call, describe } = await startTestSim();
  const { body } = await call('AllocateEipAddress', { ...prepaid, PricingCycle: 'Year' });
  expect(body).toMatchObject({ AllocationId: expect.any(String) as string, OrderId: expect.any(Number) as number });
  expect(body.EipAddress).toBeUndefined();
  const { AllocationTime, ExpiredTime } = await describe(body.AllocationId);
  expect(Date.parse(ExpiredTime) - Date.parse(AllocationTime)).toBe(365 * 86_400_000);
});
