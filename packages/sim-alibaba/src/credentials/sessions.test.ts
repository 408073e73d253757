import { afterEach, expect, test } from 'vitest';
import { createSimulatedClock } from '@tributary/testkit';
import type { SimAlibabaOptions } from '../sim-options.ts';
import { startSimAlibaba } from '../start-sim-alibaba.ts';
import type { SimAlibaba } from '../start-sim-alibaba.ts';
import { startTestSim } from '../testing/start-test-sim.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function startListening(options: SimAlibabaOptions = {}): Promise<SimAlibaba> {
  const sim = await startSimAlibaba(options);
  stops.push(sim.stop);
  return sim;
}

const assume = {
  RoleArn: 'acs:ram::1000000000000001:role/eip',
  OIDCProviderArn: 'acs:ram::1000000000000001:oidc-provider/ack',
  OIDCToken: 'a token',
  RoleSessionName: 'operator',
};

function jwt(claims: object): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
}

test('a role assumed with an OIDC token is a session that ends', async () => {
  const { call, codeOf, clock, allocate, sim } = await startTestSim();
  await allocate();
  const { status, body } = await call('AssumeRoleWithOIDC', { ...assume, DurationSeconds: '900' });
  expect(status).toBe(200);
  expect(body.AssumedRoleUser.Arn).toBe('acs:ram::1000000000000001:assumed-role/eip/operator');
  const { AccessKeyId: accessKeyId, SecurityToken: securityToken, Expiration } = body.Credentials;
  expect(Date.parse(Expiration)).toBe(Math.floor((clock.now() + 900_000) / 1000) * 1000);
  const caller = { accessKeyId, securityToken };
  const { body: seen } = await call('DescribeEipAddresses', {}, caller);
  expect(seen.TotalCount).toBe(1);
  expect(await codeOf('DescribeEipAddresses', {}, { accessKeyId })).toBe('MissingSecurityToken');
  const forged = { accessKeyId, securityToken: 'x' };
  expect(await codeOf('DescribeEipAddresses', {}, forged)).toBe('InvalidSecurityToken.Malformed');
  await clock.advance(900_000);
  expect(await codeOf('DescribeEipAddresses', {}, caller)).toBe('InvalidSecurityToken.Expired');
  expect(JSON.stringify(sim.journal.calls())).not.toContain('a token');
});

const refusals: readonly { name: string; params: Record<string, string>; code: string }[] = [
  { name: 'an expired token', params: { OIDCToken: jwt({ exp: 1 }) }, code: 'AuthenticationFail.OIDCToken.Expired' },
  { name: 'a broken token', params: { OIDCToken: 'a.b.c' }, code: 'AuthenticationFail.OIDCToken.Invalid' },
  { name: 'a token that lasts', params: { OIDCToken: jwt({ exp: 99_999_999_999 }) }, code: '' },
  { name: 'a role that is none', params: { RoleArn: 'eip' }, code: 'EntityNotExist.Role' },
  { name: 'a role that is not known', params: { RoleArn: 'acs:ram::1:role/x' }, code: 'EntityNotExist.Role' },
  { name: 'too short a time', params: { DurationSeconds: '899' }, code: 'InvalidParameter' },
  { name: 'no token', params: { OIDCToken: '' }, code: 'MissingParameter' },
  { name: 'no role', params: { RoleArn: '' }, code: 'MissingParameter' },
  { name: 'no provider', params: { OIDCProviderArn: '' }, code: 'MissingParameter' },
  { name: 'no name', params: { RoleSessionName: '' }, code: 'MissingParameter' },
];
for (const { name, params, code } of refusals) {
  test(`assuming a role with ${name}: ${code || 'done'}`, async () => {
    const { codeOf } = await startTestSim({ roles: [{ arn: assume.RoleArn }] });
    expect(await codeOf('AssumeRoleWithOIDC', { ...assume, ...params })).toBe(code);
  });
}

test('the answer tells whose token it was, where the token does', async () => {
  const { call } = await startTestSim();
  const OIDCToken = jwt({ iss: 'https://issuer', sub: 'system:serviceaccount:a:b' });
  expect((await call('AssumeRoleWithOIDC', { ...assume, OIDCToken })).body.OIDCTokenInfo).toMatchObject({
    Issuer: 'https://issuer',
    Subject: 'system:serviceaccount:a:b',
  });
  expect((await call('AssumeRoleWithOIDC', assume)).body.OIDCTokenInfo).toMatchObject({
    Issuer: 'unknown',
    Subject: 'unknown',
  });
});

test('a role may do what it is permitted', async () => {
  const roles = [{ arn: assume.RoleArn, permissions: ['vpc:Describe*', 'vpc:ReleaseEipAddress'] }];
  const { call, codeOf } = await startTestSim({ roles });
  const { AccessKeyId: accessKeyId, SecurityToken: securityToken } = (await call('AssumeRoleWithOIDC', assume)).body
    .Credentials;
  const caller = { accessKeyId, securityToken };
  expect(await codeOf('DescribeCommonBandwidthPackages', {}, caller)).toBe('');
  expect(await codeOf('ReleaseEipAddress', { AllocationId: 'x' }, caller)).toBe('InvalidAllocationId.NotFound');
  const { status, body } = await call('AllocateEipAddress', {}, caller);
  expect({ status, code: body.Code, detail: body.AccessDeniedDetail }).toMatchObject({
    status: 403,
    code: 'Forbidden.RAM',
    detail: { PolicyType: expect.any(String) as string },
  });
});

test('a key can be added and revoked while the simulator runs', async () => {
  const { sim, codeOf } = await startTestSim();
  const other = { accessKeyId: 'rotated' };
  expect(await codeOf('DescribeEipAddresses', {}, other)).toBe('InvalidAccessKeyId.NotFound');
  sim.credentials.add({ id: 'rotated', secret: 's' });
  expect(await codeOf('DescribeEipAddresses', {}, other)).toBe('');
  sim.credentials.revoke(sim.accessKeyId);
  expect(await codeOf('DescribeEipAddresses')).toBe('InvalidAccessKeyId.NotFound');
});

test('the token service takes the call as the credentials library sends it: named in the query, given in a form', async () => {
  const sim = await startListening();
  const query = new URLSearchParams({ Action: 'AssumeRoleWithOIDC', Version: '2015-04-01', Format: 'JSON' });
  const response = await fetch(`${sim.url}/?${query.toString()}`, {
    method: 'POST',
    body: new URLSearchParams(assume),
  });
  expect(response.status).toBe(200);
  const { Credentials } = (await response.json()) as { Credentials: { AccessKeyId: string } };
  expect(Credentials.AccessKeyId).toMatch(/^STS\./);
  expect(sim.journal.calls()).toMatchObject([{ params: { OIDCToken: '[redacted]', RoleSessionName: 'operator' } }]);
});

const meta = '/latest/meta-data/ram/security-credentials/';
const ttl = { 'X-aliyun-ecs-metadata-token-ttl-seconds': '60' };

async function tokenOf({ url }: SimAlibaba): Promise<{ status: number; token: string }> {
  const response = await fetch(`${url}/latest/api/token`, { method: 'PUT', headers: ttl });
  return { status: response.status, token: await response.text() };
}

async function read({ url }: SimAlibaba, path: string, token?: string): Promise<{ status: number; text: string }> {
  const headers: Record<string, string> = token === undefined ? {} : { 'X-aliyun-ecs-metadata-token': token };
  const response = await fetch(`${url}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

test('the metadata names the role and hands out its sessions, with a token', async () => {
  const clock = createSimulatedClock();
  const sim = await startListening({ clock, ecsRole: { name: 'worker', metadata: 'v2', sessionMs: 1_800_000 } });
  const { token } = await tokenOf(sim);
  expect(await read(sim, meta, token)).toEqual({ status: 200, text: 'worker' });
  const { status, text } = await read(sim, `${meta}worker`, token);
  expect(status).toBe(200);
  const session = JSON.parse(text) as Record<string, string>;
  expect(session).toMatchObject({ Code: 'Success' });
  expect(Date.parse(session['Expiration']!) - Date.parse(session['LastUpdated']!)).toBe(1_800_000);
  const caller = { accessKeyId: session['AccessKeyId']!, securityToken: session['SecurityToken']! };
  const describe = async (): Promise<number> =>
    (await sim.call('DescribeEipAddresses', { RegionId: sim.regionId }, caller)).status;
  expect(await describe()).toBe(200);
  await clock.advance(1_800_000);
  expect(await describe()).toBe(400);
  expect((await read(sim, meta, token)).status).toBe(403);
  expect(sim.journal.countByAction()).toEqual({
    GetMetadataToken: 1,
    GetRoleName: 2,
    GetRoleCredentials: 1,
    DescribeEipAddresses: 2,
  });
});

const imds: readonly { metadata: 'both' | 'v1' | 'v2'; token: number; plain: number; forged: number }[] = [
  { metadata: 'both', token: 200, plain: 200, forged: 403 },
  { metadata: 'v1', token: 404, plain: 200, forged: 403 },
  { metadata: 'v2', token: 200, plain: 403, forged: 403 },
];
for (const { metadata, token, plain, forged } of imds) {
  test(`metadata of ${metadata}: a token ${token}, without one ${plain}, with a false one ${forged}`, async () => {
    const sim = await startListening({ ecsRole: { metadata } });
    expect((await tokenOf(sim)).status).toBe(token);
    expect((await read(sim, meta)).status).toBe(plain);
    expect((await read(sim, meta, 'false')).status).toBe(forged);
  });
}

test('a role that the machine does not have is not there, and a token needs its time', async () => {
  const sim = await startListening();
  expect((await read(sim, `${meta}other`)).status).toBe(404);
  expect((await fetch(`${sim.url}/latest/api/token`, { method: 'PUT' })).status).toBe(400);
  expect((await fetch(`${sim.url}/latest/api/token`, { headers: ttl })).status).toBe(400);
});

test('faults strike at the metadata too', async () => {
  const sim = await startListening();
  sim.faults.arm({ match: { action: 'GetCredentials' }, fault: { kind: 'server-error', when: 'before', status: 503 } });
  expect((await read(sim, '/credentials')).status).toBe(503);
  expect((await read(sim, '/credentials')).status).toBe(200);
});
