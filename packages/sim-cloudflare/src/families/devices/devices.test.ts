import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';

const profile = { name: 'staff', match: 'identity.email == "a@example.com"', precedence: 10 };

describe('device profiles', () => {
  test('every account has a default one, with networks and suffixes that nobody put there', async () => {
    const { call, account } = await startTestSim();
    const { result } = await call('GET', `${account}/devices/policy`);
    expect(result).toMatchObject({ default: true, enabled: true });
    expect(result.policy_id).toBeUndefined();
    expect(result.exclude).toContainEqual({ address: '10.0.0.0/8' });
    expect(result.fallback_domains).toContainEqual({ suffix: 'internal' });
    expect((await call('GET', `${account}/devices/policies`)).result).toEqual([]);
  });

  test('a PUT of a list takes the place of everything in it and sets the mode', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/devices/policy`;
    await call('PUT', `${path}/exclude`, [{ address: '192.0.2.0/24', description: '' }, { host: 'x.example.com' }]);
    expect((await call('GET', `${path}/exclude`)).result).toEqual([
      { address: '192.0.2.0/24' },
      { host: 'x.example.com' },
    ]);
    await call('PUT', `${path}/include`, [{ address: '198.51.100.0/24' }]);
    expect((await call('GET', `${path}/exclude`)).result).toEqual([]);
    expect((await call('GET', path)).result).toMatchObject({ include: [{ address: '198.51.100.0/24' }] });
    await call('PUT', `${path}/fallback_domains`, [
      { suffix: 'corp.example', dns_server: ['192.0.2.53'], description: '' },
    ]);
    expect((await call('GET', `${path}/fallback_domains`)).result).toEqual([
      { suffix: 'corp.example', dns_server: ['192.0.2.53'] },
    ]);
  });

  test('custom ones are made, changed, listed and deleted; the answer to a deletion is the rest', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/devices/policy`;
    const { policy_id: id } = (await call('POST', path, profile)).result;
    const { policy_id: other } = (await call('POST', path, { ...profile, precedence: 20 })).result;
    expect((await call('POST', path, profile)).codes).toEqual([2056]);
    expect((await call('PATCH', `${path}/${id}`, { captive_portal: 60 })).result).toMatchObject({
      captive_portal: 60,
      name: 'staff',
    });
    expect((await call('PATCH', `${path}/${id}`, {})).codes).toEqual([2051]);
    expect((await call('PATCH', `${path}/${id}`, { exclude: [], include: [] })).codes).toEqual([2054]);
    expect((await call('DELETE', `${path}/${id}`)).result).toMatchObject([{ policy_id: other }]);
    expect(await call('GET', `${path}/${id}`)).toMatchObject({ status: 404, codes: [2052] });
  });

  const bad: readonly (readonly [string, unknown, number])[] = [
    ['no list', {}, 2057],
    ['an entry with both', [{ address: '10.0.0.0/8', host: 'x' }], 2058],
    ['an entry with neither', [{ description: 'x' }], 2058],
    ['an address that is none', [{ address: 'ten' }], 2059],
    ['a description of 101 characters', [{ host: 'x', description: 'x'.repeat(101) }], 2062],
  ];
  for (const [what, body, code] of bad) {
    test(`${what} is refused with ${code}`, async () => {
      const { call, account } = await startTestSim();
      expect((await call('PUT', `${account}/devices/policy/exclude`, body)).codes).toEqual([code]);
    });
  }
});

test('posture rules fill in what was not said, and leave out some of what was', async () => {
  const { call, account } = await startTestSim();
  const path = `${account}/devices/posture`;
  const body = {
    name: 'os',
    type: 'os_version',
    match: [{ platform: 'mac' }],
    input: { operating_system: 'mac', version: '14.0', operator: '>=' },
  };
  const { result } = await call('POST', path, body);
  expect(result).toMatchObject({ schedule: '5m', input: { operating_system: 'mac', enabled: false } });
  expect(result.input.version).toBeUndefined();
  expect((await call('POST', path, { ...body, type: 'shoes' })).codes).toEqual([6021]);
  expect((await call('PUT', `${path}/${result.id}`, { ...body, schedule: '1h' })).result).toMatchObject({
    schedule: '1h',
  });
  await call('DELETE', `${path}/${result.id}`);
  expect((await call('GET', `${path}/${result.id}`)).codes).toEqual([6024]);
});
