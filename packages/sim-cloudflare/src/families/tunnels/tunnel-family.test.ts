import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import { makeTunnel } from '../../testing/make-tunnel.ts';

const catchAll = { service: 'http_status:404' };
const nobody = '00000000-0000-4000-8000-000000000000';

describe('a tunnel', () => {
  test('is made with a token and a credentials file, and read back without them', async () => {
    const world = await startTestSim();
    const { call, account, sim } = world;
    const { result } = await call('POST', `${account}/cfd_tunnel`, { name: 'web', config_src: 'cloudflare' });
    expect(result).toMatchObject({
      name: 'web',
      account_tag: sim.accountId,
      config_src: 'cloudflare',
      remote_config: true,
      status: 'inactive',
      tun_type: 'cfd_tunnel',
      deleted_at: null,
    });
    expect(result.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const claims = JSON.parse(Buffer.from(result.token, 'base64').toString());
    expect(claims).toEqual({ a: sim.accountId, t: result.id, s: result.credentials_file.TunnelSecret });
    const read = (await call('GET', `${account}/cfd_tunnel/${result.id}`)).result;
    expect(Object.keys(read)).not.toContain('token');
    expect(Object.keys(read)).not.toContain('connections');
    expect((await call('GET', `${account}/cfd_tunnel/${result.id}/token`)).result).toBe(result.token);
  });

  test('is local unless said otherwise, and keeps a secret that was sent', async () => {
    const { call, account, sim } = await startTestSim();
    const secret = Buffer.alloc(32, 1).toString('base64');
    const { result } = await call('POST', `${account}/cfd_tunnel`, { name: 'web', tunnel_secret: secret });
    expect(result).toMatchObject({
      config_src: 'local',
      remote_config: false,
      credentials_file: { TunnelSecret: secret },
    });
    expect(sim.journal.calls().at(-1)?.body).toEqual({ name: 'web', tunnel_secret: '[redacted]' });
    for (const bad of ['short', Buffer.alloc(31).toString('base64'), '***']) {
      expect((await call('POST', `${account}/cfd_tunnel`, { name: 'b', tunnel_secret: bad })).codes).toEqual([1019]);
    }
  });

  test('has a name that no other live tunnel of its kind has: 1013', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const { path } = await makeTunnel(world);
    expect(await call('POST', `${account}/cfd_tunnel`, { name: 'web' })).toMatchObject({ status: 409, codes: [1013] });
    expect((await call('POST', `${account}/warp_connector`, { name: 'web' })).status).toBe(200);
    expect((await call('POST', `${account}/cfd_tunnel`, { name: '' })).codes).toEqual([1020]);
    const other = await makeTunnel(world, { name: 'other' });
    expect((await call('PATCH', other.path, { name: 'web' })).codes).toEqual([1013]);
    expect((await call('PATCH', path, { name: 'web' })).status).toBe(200);
    await call('DELETE', path);
    expect((await call('PATCH', other.path, { name: 'web' })).result).toMatchObject({ name: 'web' });
  });

  test('stays readable after its deletion, but can do nothing more', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const { path, id } = await makeTunnel(world);
    expect((await call('DELETE', path)).result).toMatchObject({ id, deleted_at: '2026-01-05T12:00:00.000Z' });
    expect((await call('GET', path)).result).toMatchObject({ deleted_at: '2026-01-05T12:00:00.000Z' });
    for (const [method, at] of [
      ['DELETE', path],
      ['PATCH', path],
      ['PUT', `${path}/configurations`],
      ['GET', `${path}/configurations`],
    ] as const) {
      expect(await call(method, at, method === 'GET' ? undefined : {})).toMatchObject({ status: 404, codes: [1003] });
    }
    expect(await call('GET', `${path}/token`)).toMatchObject({ status: 404, codes: [1054] });
    expect((await call('GET', `${account}/cfd_tunnel`)).result).toEqual([]);
    expect((await call('GET', `${account}/cfd_tunnel?is_deleted=true`)).result).toHaveLength(1);
  });

  test('that was never there is 1003, an id that is none 1002', async () => {
    const { call, account } = await startTestSim();
    expect(await call('GET', `${account}/cfd_tunnel/${nobody}`)).toMatchObject({ status: 404, codes: [1003] });
    expect(await call('GET', `${account}/cfd_tunnel/web`)).toMatchObject({ status: 404, codes: [1002] });
  });

  test('gets a new token with a new secret, and the old token is dead', async () => {
    const world = await startTestSim();
    const { path, token } = await makeTunnel(world);
    await world.call('PATCH', path, { tunnel_secret: Buffer.alloc(32, 2).toString('base64') });
    const renewed = (await world.call('GET', `${path}/token`)).result;
    expect(renewed).not.toBe(token);
    expect(() => world.sim.state.connect(token)).toThrow('Unauthorized');
    expect(world.sim.state.connect(renewed)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is listed by filters', async () => {
    const world = await startTestSim();
    const { call, account, sim } = world;
    const web = await makeTunnel(world);
    await makeTunnel(world, { name: 'web-2' });
    await makeTunnel(world, { name: 'gate' }, 'warp_connector');
    sim.state.connect(web.token);
    const names = async (path: string): Promise<string[]> =>
      ((await call('GET', `${account}/${path}`)).result as { name: string }[]).map(({ name }) => name);
    expect(await names('cfd_tunnel')).toEqual(['web', 'web-2']);
    expect(await names('cfd_tunnel?name=web')).toEqual(['web']);
    expect(await names(`cfd_tunnel?uuid=${web.id}`)).toEqual(['web']);
    expect(await names('cfd_tunnel?status=inactive')).toEqual(['web-2']);
    expect(await names('cfd_tunnel?include_prefix=web-')).toEqual(['web-2']);
    expect(await names('cfd_tunnel?exclude_prefix=web-')).toEqual(['web']);
    expect(await names('cfd_tunnel?existed_at=2026-01-05T11:00:00Z')).toEqual([]);
    expect(await names('cfd_tunnel?was_active_at=2026-01-05T13:00:00Z')).toEqual(['web']);
    expect(await names('tunnels')).toEqual(['web', 'web-2', 'gate']);
    expect(await names('tunnels?tun_types=warp_connector')).toEqual(['gate']);
    expect(await names('cfd_tunnel?per_page=1&page=2')).toEqual(['web-2']);
  });

  test('is one of 1,000, or of ten for WARP', async () => {
    const world = await startTestSim();
    for (let index = 0; index < 10; index += 1) await makeTunnel(world, { name: `w${index}` }, 'warp_connector');
    expect((await world.call('POST', `${world.account}/warp_connector`, { name: 'w10' })).codes).toEqual([1016]);
  });
});

describe('connectors', () => {
  test('make a tunnel healthy, degraded or down, and follow the configuration', async () => {
    const world = await startTestSim();
    const { call, sim } = world;
    const { path, id, token } = await makeTunnel(world);
    const status = async (): Promise<string> => (await call('GET', path)).result.status;
    const first = sim.state.connect(token);
    expect(await status()).toBe('healthy');
    sim.state.connect(token, { connections: 2, configVersion: 0 });
    expect(await status()).toBe('degraded');
    await call('PUT', `${path}/configurations`, { config: { ingress: [catchAll] } });
    const { result } = await call('GET', `${path}/connections`);
    expect(result).toMatchObject([{ id: first, config_version: 1 }, { config_version: 0 }]);
    expect(result[0].conns).toHaveLength(4);
    expect((await call('GET', `${path}/connectors/${first}`)).result).toMatchObject({ id: first, arch: 'linux_amd64' });
    expect((await call('GET', `${path}/connectors/${nobody}`)).codes).toEqual([1003]);
    sim.state.disconnect(id);
    expect(await status()).toBe('down');
  });

  test('stand in the way of deletion (1022) until they are dropped', async () => {
    const world = await startTestSim();
    const { call, sim } = world;
    const { path, token } = await makeTunnel(world);
    const first = sim.state.connect(token);
    sim.state.connect(token);
    expect(await call('DELETE', path)).toMatchObject({ status: 400, codes: [1022] });
    expect((await call('DELETE', `${path}/connections?client_id=${first}`)).result).toBeNull();
    expect((await call('GET', `${path}/connections`)).result).toHaveLength(1);
    await call('DELETE', `${path}/connections`);
    expect((await call('DELETE', path)).status).toBe(200);
  });

  test('and routes go with a deletion that cascades, and routes are refused without', async () => {
    const world = await startTestSim();
    const { call, account, sim } = world;
    const { path, id, token } = await makeTunnel(world);
    sim.state.connect(token);
    const route = (await call('POST', `${account}/teamnet/routes`, { network: '10.0.0.0/8', tunnel_id: id })).result.id;
    const host = (await call('POST', `${account}/zerotrust/routes/hostname`, { hostname: 'a.internal', tunnel_id: id }))
      .result.id;
    await call('DELETE', `${path}/connections`);
    expect(await call('DELETE', path)).toMatchObject({ status: 400, codes: [1023] });
    sim.state.connect(token);
    expect((await call('DELETE', `${path}?cascade=true`)).status).toBe(200);
    expect((await call('GET', `${account}/teamnet/routes/${route}`)).result.deleted_at).not.toBeNull();
    expect((await call('GET', `${account}/zerotrust/routes/hostname/${host}`)).result.deleted_at).not.toBeNull();
    expect((await call('GET', `${path}/connections`)).result).toEqual([]);
  });
});

describe('a WARP connector', () => {
  test('has no ingress but modes of high availability, with a version', async () => {
    const world = await startTestSim();
    const { path, id, token } = await makeTunnel(world, { name: 'gate' }, 'warp_connector');
    expect((await world.call('GET', `${path}/configurations`)).result).toMatchObject({
      tunnel_id: id,
      ha_mode: 'none',
      configuration_version: 0,
      config: null,
    });
    const config = { vips: [{ address: '10.0.0.1' }] };
    expect((await world.call('PUT', `${path}/configurations`, { ha_mode: 'local', config })).result).toMatchObject({
      ha_mode: 'local',
      configuration_version: 1,
      config,
    });
    expect((await world.call('PUT', `${path}/configurations`, { ha_mode: 'some' })).codes).toEqual([1056]);
    expect((await world.call('PUT', `${path}/failover`, { client_id: nobody })).codes).toEqual([1003]);
    const client = world.sim.state.connect(token);
    expect((await world.call('PUT', `${path}/failover`, { client_id: client })).result).toBeNull();
    expect((await world.call('GET', path)).result).not.toHaveProperty('config_src');
    expect((await world.call('GET', path.replace('warp_connector', 'cfd_tunnel'))).codes).toEqual([1003]);
  });
});
