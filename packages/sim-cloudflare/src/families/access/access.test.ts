import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import type { TestSim } from '../../testing/start-test-sim.ts';

const everyone = { name: 'all', decision: 'allow', include: [{ everyone: {} }] };
const app = { name: 'wiki', type: 'self_hosted', domain: 'wiki.example.com' };
const nobody = '00000000-0000-4000-8000-000000000000';

const at = ({ account }: TestSim, path: string): string => `${account}/access/${path}`;

describe('applications', () => {
  test('get an audience, the values that the server fills in, and all forms of their domain', async () => {
    const world = await startTestSim();
    const { result } = await world.call('POST', at(world, 'apps'), app);
    expect(result).toMatchObject({
      session_duration: '24h',
      app_launcher_visible: true,
      self_hosted_domains: ['wiki.example.com'],
      destinations: [{ type: 'public', uri: 'wiki.example.com' }],
      policies: [],
      tags: [],
    });
    expect(result.aud).toMatch(/^[0-9a-f]{64}$/);
    const two = { ...app, destinations: [{ uri: 'a.example.com' }, { uri: 'b.example.com' }], domain: undefined };
    expect((await world.call('PUT', `${at(world, 'apps')}/${result.id}`, two)).result).toMatchObject({
      domain: 'a.example.com',
      self_hosted_domains: ['a.example.com', 'b.example.com'],
    });
  });

  test('show their policies in full; not naming them changes nothing, an empty list takes them off', async () => {
    const world = await startTestSim();
    const { id } = (await world.call('POST', at(world, 'policies'), everyone)).result;
    const { result } = await world.call('POST', at(world, 'apps'), { ...app, policies: [{ id, precedence: 3 }] });
    expect(result.policies).toMatchObject([{ id, precedence: 3, reusable: true, decision: 'allow' }]);
    const one = `${at(world, 'apps')}/${result.id}`;
    expect((await world.call('PUT', one, app)).result.policies).toHaveLength(1);
    expect((await world.call('GET', `${at(world, 'policies')}/${id}`)).result).toMatchObject({ app_count: 1 });
    expect((await world.call('DELETE', `${at(world, 'policies')}/${id}`)).codes).toEqual([12_130]);
    expect((await world.call('PUT', one, { ...app, policies: [] })).result.policies).toEqual([]);
    expect((await world.call('DELETE', `${at(world, 'policies')}/${id}`)).status).toBe(200);
  });

  test('have policies of their own, which go when they are let go', async () => {
    const world = await startTestSim();
    const { result } = await world.call('POST', at(world, 'apps'), { ...app, policies: [everyone] });
    const [own] = result.policies;
    expect(own).toMatchObject({ reusable: false, precedence: 1 });
    const one = `${at(world, 'apps')}/${result.id}`;
    expect((await world.call('PUT', one, { ...app, policies: [{ id: own.id }] })).result.policies).toMatchObject([
      { id: own.id },
    ]);
    expect((await world.call('GET', `${one}/policies`)).result).toHaveLength(1);
    await world.call('PUT', one, { ...app, policies: [] });
    expect((await world.call('PUT', one, { ...app, policies: [own.id] })).codes).toEqual([12_130]);
  });

  test('take policies of their own one by one too, and keep a group that one of them names', async () => {
    const world = await startTestSim();
    const { result } = await world.call('POST', at(world, 'apps'), { ...app, policies: [everyone] });
    const path = `${at(world, 'apps')}/${result.id}/policies`;
    const group = (await world.call('POST', at(world, 'groups'), { name: 'g', include: [{ everyone: {} }] })).result;
    const named = { name: 'second', decision: 'deny', include: [{ group: { id: group.id } }] };
    const { id } = (await world.call('POST', path, named)).result;
    expect((await world.call('PUT', `${path}/${id}`, { ...named, precedence: 7 })).result.precedence).toBe(7);
    expect((await world.call('GET', `${path}/${id}`)).result).toMatchObject({ id, name: 'second' });
    expect((await world.call('DELETE', `${at(world, 'groups')}/${group.id}`)).codes).toEqual([12_130]);
    await world.call('DELETE', `${path}/${id}`);
    expect((await world.call('GET', path)).result).toHaveLength(1);
    expect((await world.call('GET', `${path}/${id}`)).codes).toEqual([12_135]);
    expect((await world.call('DELETE', `${at(world, 'groups')}/${group.id}`)).status).toBe(200);
  });

  test('that are service providers get an id, and a secret that is told once', async () => {
    const world = await startTestSim();
    const oidc = { name: 'crm', type: 'saas', saas_app: { auth_type: 'oidc', redirect_uris: ['https://x'] } };
    const { result } = await world.call('POST', at(world, 'apps'), oidc);
    expect(result.saas_app).toMatchObject({ access_token_lifetime: '5m', redirect_uris: ['https://x'] });
    expect(result.saas_app.client_secret).toMatch(/^[0-9a-f]{64}$/);
    const again = (await world.call('PUT', `${at(world, 'apps')}/${result.id}`, oidc)).result;
    expect(again.saas_app.client_id).toBe(result.saas_app.client_id);
    expect(again.saas_app.client_secret).toBeUndefined();
    const saml = { name: 'hr', type: 'saas', saas_app: { auth_type: 'saml' } };
    expect((await world.call('POST', at(world, 'apps'), saml)).result.saas_app.sso_endpoint).toContain('/saml/');
  });

  test('stand on a domain of the account that no other application has, with tags that exist', async () => {
    const world = await startTestSim();
    await world.call('POST', at(world, 'apps'), app);
    expect(await world.call('POST', at(world, 'apps'), app)).toMatchObject({ status: 409, codes: [11_010] });
    expect((await world.call('POST', at(world, 'apps'), { ...app, domain: 'x.example.org' })).codes).toEqual([12_130]);
    const tagged = { ...app, domain: 'b.example.com', tags: ['z', 'a'] };
    expect((await world.call('POST', at(world, 'apps'), tagged)).codes).toEqual([12_130]);
    for (const name of ['a', 'z']) await world.call('POST', at(world, 'tags'), { name });
    expect((await world.call('POST', at(world, 'apps'), tagged)).result.tags).toEqual(['a', 'z']);
    expect((await world.call('GET', at(world, 'tags'))).result).toHaveLength(2);
    expect((await world.call('GET', `${at(world, 'tags')}/a`)).result).toMatchObject({ name: 'a' });
    await world.call('DELETE', `${at(world, 'tags')}/z`);
    expect((await world.call('GET', `${at(world, 'tags')}/z`)).codes).toEqual([12_135]);
  });

  const bad: readonly (readonly [string, unknown])[] = [
    ['an unknown type', { ...app, type: 'x' }],
    ['no name', { ...app, name: '' }],
    ['no domain', { name: 'x', type: 'self_hosted' }],
    ['six domains', { ...app, self_hosted_domains: 'abcdef'.split('').map((name) => `${name}.example.com`) }],
    ['a policy that is not there', { ...app, policies: [nobody] }],
  ];
  for (const [what, body] of bad) {
    test(`with ${what} are refused`, async () => {
      const world = await startTestSim();
      expect((await world.call('POST', at(world, 'apps'), body)).codes).toEqual([12_130]);
    });
  }
});

describe('rules', () => {
  const bad: readonly (readonly [string, unknown])[] = [
    ['without an include', { ...everyone, include: [] }],
    ['with an unknown selector', { ...everyone, include: [{ shoe_size: { size: 42 } }] }],
    ['with two selectors in one', { ...everyone, include: [{ everyone: {}, certificate: {} }] }],
    ['with a selector that lacks its field', { ...everyone, include: [{ email: {} }] }],
    ['with a group that is not there', { ...everyone, include: [{ group: { id: nobody } }] }],
    ['with an unknown decision', { ...everyone, decision: 'perhaps' }],
  ];
  for (const [what, body] of bad) {
    test(`${what} are refused`, async () => {
      const world = await startTestSim();
      expect((await world.call('POST', at(world, 'policies'), body)).codes).toEqual([12_130]);
    });
  }

  test('of policies keep what they ask for to themselves', async () => {
    const world = await startTestSim();
    const asked = {
      ...everyone,
      approval_required: true,
      isolation_required: true,
      purpose_justification_required: true,
    };
    const { result } = await world.call('POST', at(world, 'policies'), asked);
    expect(Object.keys(result)).not.toContain('approval_required');
    expect(Object.keys(result)).not.toContain('isolation_required');
    expect(Object.keys(result)).not.toContain('purpose_justification_required');
  });

  test('turn a single address into a network, and a group that a policy uses stays', async () => {
    const world = await startTestSim();
    const group = {
      name: 'office',
      include: [{ ip: { ip: '192.0.2.1' } }, { ip: { ip: '2001:db8::1' } }],
      is_default: true,
    };
    const { result } = await world.call('POST', at(world, 'groups'), group);
    expect(result).toMatchObject({
      include: [{ ip: { ip: '192.0.2.1/32' } }, { ip: { ip: '2001:db8::1/128' } }],
      exclude: [],
    });
    expect(result.is_default).toBeUndefined();
    await world.call('POST', at(world, 'policies'), { ...everyone, include: [{ group: { id: result.id } }] });
    expect((await world.call('DELETE', `${at(world, 'groups')}/${result.id}`)).codes).toEqual([12_130]);
    expect((await world.call('GET', `${at(world, 'groups')}?name=other`)).result).toEqual([]);
    expect(await world.call('GET', `${at(world, 'groups')}/${nobody}`)).toMatchObject({ status: 404, codes: [12_152] });
  });
});

describe('service tokens', () => {
  test('tell their secret once, rotate it, and live as long as they were asked to', async () => {
    const world = await startTestSim();
    const path = at(world, 'service_tokens');
    const { result } = await world.call('POST', path, { name: 'ci', duration: '24h' });
    expect(result).toMatchObject({ name: 'ci', enabled: true, duration: '24h' });
    expect(result.client_id).toMatch(/\.access$/);
    expect((await world.call('GET', `${path}/${result.id}`)).result.client_secret).toBeUndefined();
    const rotated = (await world.call('POST', `${path}/${result.id}/rotate`)).result;
    expect(rotated.client_secret).not.toBe(result.client_secret);
    expect(rotated.expires_at).toBe(result.expires_at);
    await world.clock.advance(3_600_000);
    const refreshed = (await world.call('POST', `${path}/${result.id}/refresh`)).result;
    expect(Date.parse(refreshed.expires_at) - Date.parse(result.expires_at)).toBe(3_600_000);
    expect(refreshed.client_secret).toBeUndefined();
    expect((await world.call('PUT', `${path}/${result.id}`, { name: 'cd' })).result).toMatchObject({
      name: 'cd',
      duration: '24h',
    });
  });

  test('are at most fifty, and one that a policy uses stays', async () => {
    const world = await startTestSim();
    const path = at(world, 'service_tokens');
    const { id } = (await world.call('POST', path, { name: 'used' })).result;
    const include = [{ service_token: { token_id: id } }];
    await world.call('POST', at(world, 'policies'), { name: 'p', decision: 'non_identity', include });
    expect((await world.call('DELETE', `${path}/${id}`)).codes).toEqual([12_130]);
    for (let index = 0; index < 49; index += 1) await world.call('POST', path, { name: `t${index}` });
    expect((await world.call('POST', path, { name: 'one too many' })).codes).toEqual([12_130]);
    expect((await world.call('POST', `${path}/${nobody}/rotate`)).codes).toEqual([12_135]);
  });
});

describe('identity providers', () => {
  test('never give their secret back, and keep it when it is not sent again', async () => {
    const world = await startTestSim();
    const path = at(world, 'identity_providers');
    const config = { client_id: 'id', client_secret: 's3cret', support_groups: false };
    const { result, text } = await world.call('POST', path, { name: 'gh', type: 'github', config });
    expect(text).not.toContain('s3cret');
    expect(result.config).toEqual({ client_id: 'id' });
    await world.call('PUT', `${path}/${result.id}`, { name: 'gh', type: 'github', config: { client_id: 'new' } });
    const stored = world.sim.state.rows('access_identity_providers', world.sim.accountId)[0];
    expect(stored?.['config']).toEqual({ client_id: 'new', client_secret: 's3cret' });
  });

  test('need a config, keep their type, and there is one for one-time pins', async () => {
    const world = await startTestSim();
    const path = at(world, 'identity_providers');
    const pin = { name: 'pin', type: 'onetimepin', config: {} };
    const { id } = (await world.call('POST', path, pin)).result;
    expect(await world.call('POST', path, pin)).toMatchObject({ status: 409 });
    expect((await world.call('POST', path, { name: 'x', type: 'github' })).codes).toEqual([12_130]);
    expect((await world.call('PUT', `${path}/${id}`, { ...pin, type: 'github' })).codes).toEqual([12_130]);
    await world.call('POST', at(world, 'policies'), { ...everyone, include: [{ login_method: { id } }] });
    expect((await world.call('DELETE', `${path}/${id}`)).codes).toEqual([12_130]);
  });
});
