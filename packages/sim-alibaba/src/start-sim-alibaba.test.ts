import { afterEach, expect, test } from 'vitest';
import { signV1 } from './signature/sign.ts';
import type { SimAlibabaOptions } from './sim-options.ts';
import { startSimAlibaba } from './start-sim-alibaba.ts';
import type { SimAlibaba } from './start-sim-alibaba.ts';
import { startTestSim } from './testing/start-test-sim.ts';
import { createVpcClient } from './testing/vpc-client.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function startListening(options: SimAlibabaOptions = {}): Promise<SimAlibaba> {
  const sim = await startSimAlibaba(options);
  stops.push(sim.stop);
  return sim;
}

async function control(sim: SimAlibaba, method: string, path: string, body?: unknown): Promise<unknown> {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return (await fetch(`${sim.url}/__sim/${path}`, init)).json();
}

test('a client finds what it needs to begin', async () => {
  const sim = await startListening({ regionId: 'cn-beijing', accessKeys: [{ id: 'k', secret: 's' }] });
  expect(sim.endpoint).toMatch(/^127\.0\.0\.1:\d+$/);
  const welcome = {
    url: `http://${sim.endpoint}`,
    endpoint: sim.endpoint,
    regionId: 'cn-beijing',
    accessKeyId: 'k',
    accessKeySecret: 's',
  };
  expect(sim).toMatchObject(welcome);
  expect(await control(sim, 'GET', '')).toEqual(welcome);
});

test('the default key is the same after every start', async () => {
  const [one, other] = [await startTestSim(), await startTestSim()];
  expect(one.sim.accessKeyId).toMatch(/^LTAI5t\w{18}$/);
  expect(one.sim.accessKeySecret).toMatch(/^\w{30}$/);
  expect(other.sim).toMatchObject({ accessKeyId: one.sim.accessKeyId, accessKeySecret: one.sim.accessKeySecret });
});

test('equal randomness gives equal ids', async () => {
  const [one, other] = [await startTestSim(), await startTestSim()];
  const id = await one.allocate();
  expect(id).toMatch(/^eip-bp1[a-z0-9]{18}$/);
  expect(await other.allocate()).toBe(id);
});

test('the switches work over HTTP', async () => {
  const sim = await startListening({ packages: [{ id: 'cbwp-1' }] });
  const id = (await control(sim, 'POST', 'dashboard', { operation: 'allocate' })) as string;
  await control(sim, 'POST', 'dashboard', { operation: 'associate', arguments: [id, 'nlb-1'] });
  expect(await control(sim, 'GET', 'state')).toMatchObject({
    eips: [{ allocationId: id, status: 'InUse', binding: { instanceId: 'nlb-1', instanceType: 'NlbInstance' } }],
    packages: [{ bandwidthPackageId: 'cbwp-1', members: [] }],
  });
  expect(await control(sim, 'POST', 'faults', { fault: { kind: 'throttled' } })).toEqual({ id: 1 });
  expect(await control(sim, 'GET', 'faults')).toMatchObject([{ rule: { fault: { kind: 'throttled' } } }]);
  const release = { RegionId: sim.regionId, AllocationId: id };
  expect((await sim.call('ReleaseEipAddress', release)).body.Code).toBe('Throttling.User');
  expect((await sim.call('ReleaseEipAddress', release)).body.Code).toBe('IncorrectEipStatus');
  expect(await control(sim, 'GET', 'journal?action=ReleaseEipAddress')).toMatchObject([
    { code: 'Throttling.User' },
    { code: 'IncorrectEipStatus' },
  ]);
  expect(await control(sim, 'GET', 'journal?action=Other')).toEqual([]);
  await control(sim, 'POST', 'faults', { fault: { kind: 'throttled' } });
  await control(sim, 'DELETE', 'faults');
  expect(sim.faults.list()).toEqual([]);
  await control(sim, 'DELETE', 'journal');
  expect(sim.journal.count()).toBe(0);
  await control(sim, 'POST', 'reset');
  expect(await control(sim, 'GET', 'state')).toMatchObject({ eips: [], packages: [{ bandwidthPackageId: 'cbwp-1' }] });
});

test('a switch that is none, a rule without a fault and an unknown operation are told so', async () => {
  const sim = await startListening();
  const error = expect.stringMatching(/knows|needs|JSON/) as string;
  expect(await control(sim, 'GET', 'other')).toEqual({ error });
  expect(await control(sim, 'POST', 'faults', {})).toEqual({ error });
  expect(await control(sim, 'POST', 'dashboard', { operation: 'toString' })).toEqual({ error });
  expect(await (await fetch(`${sim.url}/__sim/faults`, { method: 'POST', body: '{' })).json()).toEqual({ error });
});

test('over a socket a page of a gateway is a page, and a lost answer is a broken connection after the effect', async () => {
  const sim = await startListening();
  const client = createVpcClient(sim);
  const { AllocateEipAddressRequest } = await import('@alicloud/vpc20160428');
  const allocate = async (): Promise<unknown> =>
    client.allocateEipAddress(new AllocateEipAddressRequest({ regionId: sim.regionId, clientToken: 't' }));
  sim.faults.arm({ fault: { kind: 'html', when: 'before' } });
  await expect(allocate()).rejects.toThrow(SyntaxError);
  sim.faults.arm({ fault: { kind: 'dropped', when: 'after' } });
  await expect(allocate()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(sim.state.eips()).toHaveLength(1);
  await allocate();
  expect(sim.state.eips()).toHaveLength(1);
});

test('a call that hangs over a socket does not keep the simulator from stopping', async () => {
  const sim = await startSimAlibaba();
  sim.faults.arm({ fault: { kind: 'hang', when: 'before' } });
  const hanging = fetch(sim.url).then(
    () => 'answered',
    () => 'broken',
  );
  await new Promise<void>((resolve) => {
    const end = sim.journal.listen(() => {
      end();
      resolve();
    });
  });
  await sim.stop();
  expect(await hanging).toBe('broken');
});

test('an unsigned call is refused over a socket; an action or version that is none comes first', async () => {
  const sim = await startListening();
  const code = async (query: string): Promise<unknown> =>
    ((await (await fetch(`${sim.url}/?${query}`)).json()) as { Code: string }).Code;
  expect(await code('Action=DescribeEipAddresses&Version=2016-04-28')).toBe('MissingParameter');
  expect(await code('Action=DescribeNothing&Version=2016-04-28')).toBe('InvalidAction.NotFound');
  expect(await code('Action=DescribeEipAddresses&Version=2014-05-26')).toBe('InvalidVersion');
  expect(await code('')).toBe('InvalidAction.NotFound');
});

test('in process the version may be left out, but not be another', async () => {
  const { codeOf } = await startTestSim();
  expect(await codeOf('DescribeEipAddresses')).toBe('');
  expect(await codeOf('DescribeEipAddresses', {}, { version: '2016-04-28' })).toBe('');
  expect(await codeOf('DescribeEipAddresses', {}, { version: '2014-05-26' })).toBe('InvalidVersion');
});

test('a call may be a GET, signed as such', async () => {
  const sim = await startListening();
  const params = {
    Action: 'DescribeEipAddresses',
    Version: '2016-04-28',
    RegionId: sim.regionId,
    AccessKeyId: sim.accessKeyId,
    SignatureMethod: 'HMAC-SHA1',
    SignatureVersion: '1.0',
    SignatureNonce: 'once',
    Timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
  };
  const Signature = signV1('GET', Object.entries(params), sim.accessKeySecret);
  const query = new URLSearchParams({ ...params, Signature }).toString();
  const response = await fetch(`${sim.url}/?${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-acs-request-id')).toMatch(/^[0-9A-F-]{36}$/);
  expect(await response.json()).toMatchObject({ TotalCount: 0, EipAddresses: { EipAddress: [] } });
  expect((await fetch(`${sim.url}/?${query}`, { method: 'POST' })).status).toBe(400);
});

test('the journal counts by action and forgets when told', async () => {
  const { sim, call, allocate } = await startTestSim();
  await allocate();
  await call('DescribeEipAddresses');
  await call('DescribeEipAddresses', {}, { userAgent: 'tributary' });
  expect(sim.journal.countByAction()).toEqual({ AllocateEipAddress: 1, DescribeEipAddresses: 2 });
  expect(sim.journal.countByAction({ write: true })).toEqual({ AllocateEipAddress: 1 });
  expect(sim.journal.calls({ afterSeq: 2 })).toMatchObject([{ userAgent: 'tributary', via: 'in-process' }]);
  sim.journal.clear();
  expect(sim.journal.count()).toBe(0);
});

test('what the state shows is a copy', async () => {
  const { sim, allocate } = await startTestSim();
  const id = await allocate();
  (sim.state.eip(id) as { status: string }).status = 'InUse';
  (sim.state.tags(id) as Record<string, string>)['x'] = 'y';
  expect(sim.state.eip(id)).toMatchObject({ status: 'Available', tags: {} });
  expect(sim.state.eip('eip-none')).toBeUndefined();
  expect(sim.state.package('cbwp-none')).toBeUndefined();
});
