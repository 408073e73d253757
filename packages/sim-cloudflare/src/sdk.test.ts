import Cloudflare from 'cloudflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimCloudflare } from './start-sim-cloudflare.ts';
import type { SimCloudflare } from './start-sim-cloudflare.ts';
import { seededRandom } from './testing/start-test-sim.ts';

let sim: SimCloudflare;
let client: Cloudflare;

beforeAll(async () => {
  sim = await startSimCloudflare({ random: seededRandom(3) });
  client = new Cloudflare({ baseURL: sim.url, apiToken: sim.token, apiKey: null, apiEmail: null, maxRetries: 0 });
});
afterAll(async () => sim.stop());

describe('the official SDK over HTTP, unmodified', () => {
  test('finds accounts, zones and its own token', async () => {
    expect((await client.user.tokens.verify()).status).toBe('active');
    expect((await client.accounts.list()).result.map(({ id }) => id)).toEqual([sim.accountId]);
    const zones = await client.zones.list({ name: 'example.net', account: { id: sim.accountId } });
    expect(zones.result).toMatchObject([{ name: 'example.net', plan: { legacy_id: 'pro' } }]);
    expect((await client.zones.get({ zone_id: sim.zones[0]!.id })).name).toBe('example.com');
  });

  test('reads and writes zone settings', async () => {
    const zone = { zone_id: sim.zones[0]!.id };
    expect(await client.zones.settings.edit('ssl', { ...zone, value: 'strict' })).toMatchObject({ value: 'strict' });
    expect(await client.zones.settings.get('ssl', zone)).toMatchObject({ id: 'ssl', value: 'strict' });
    const all = (await client.get(`/zones/${zone.zone_id}/settings`)) as { result: unknown[] };
    expect(all.result.length).toBeGreaterThan(50);
  });

  test('keeps DNS records with all verbs, pages to the end and sends batches', async () => {
    const zone = { zone_id: sim.zones[1]!.id };
    const made = await client.dns.records.create({ ...zone, type: 'A', name: 'www', content: '192.0.2.1', ttl: 1 });
    expect(made.name).toBe('www.example.net');
    const id = made.id;
    expect(
      await client.dns.records.edit(id, { ...zone, type: 'A', name: 'www', ttl: 60, content: '192.0.2.2' }),
    ).toMatchObject({ ttl: 60 });
    expect(
      await client.dns.records.update(id, { ...zone, type: 'A', name: 'www', content: '192.0.2.3', ttl: 1 }),
    ).toMatchObject({ ttl: 1 });
    const posts = Array.from({ length: 250 }, (_, index) => ({
      type: 'TXT' as const,
      name: `t${index}`,
      content: 'x',
      ttl: 1 as const,
    }));
    const batch = await client.dns.records.batch({ ...zone, deletes: [{ id }], posts });
    expect(batch?.posts).toHaveLength(250);
    let seen = 0;
    for await (const record of client.dns.records.list({ ...zone, per_page: 100 }))
      seen += record.type === 'TXT' ? 1 : 0;
    expect(seen).toBe(250);
    const found = await client.dns.records.list({ ...zone, name: { exact: 't7.example.net' }, type: 'TXT' });
    expect(found.result).toMatchObject([{ content: '"x"' }]);
    expect(await client.dns.records.delete(found.result[0]!.id, zone)).toEqual({ id: found.result[0]!.id });
    expect(await client.dns.records.export(zone)).toContain('t8.example.net.');
    expect((await client.dns.usage.zone.get(zone)).record_usage).toBe(249);
    const file = await Cloudflare.toFile(
      Buffer.from('t9.example.net. 1 IN TXT "x"\nnew.example.net. 60 IN A 192.0.2.7\n'),
      'zone',
    );
    const imported = await client.dns.records.import({ ...zone, file: file as unknown as string });
    expect(imported).toMatchObject({ recs_added: 1, total_records_parsed: 2 });
  });

  test('runs a tunnel from its creation to its deletion', async () => {
    const account = { account_id: sim.accountId };
    const api = client.zeroTrust.tunnels.cloudflared;
    const tunnel = await api.create({ ...account, name: 'sdk', config_src: 'cloudflare' });
    const id = tunnel.id!;
    const config = {
      ingress: [
        { hostname: 'a.example.com', service: 'http://a:80' },
        { hostname: '', service: 'http_status:404' },
      ],
    };
    expect((await api.configurations.update(id, { ...account, config })).version).toBe(1);
    expect((await api.configurations.get(id, account)).config?.ingress).toHaveLength(2);
    const token = await api.token.get(id, account);
    sim.state.connect(token);
    expect((await api.connections.get(id, account)).result).toMatchObject([{ config_version: 1 }]);
    await expect(api.delete(id, account)).rejects.toMatchObject({ status: 400, errors: [{ code: 1022 }] });
    expect((await api.list({ ...account, name: 'sdk', is_deleted: false })).result).toMatchObject([
      { id, status: 'healthy' },
    ]);
    expect((await api.delete(id, account, { query: { cascade: true } })).deleted_at).toBeTypeOf('string');
    await expect(api.create({ ...account, name: '' })).rejects.toBeInstanceOf(Cloudflare.BadRequestError);
  });

  test('keeps virtual networks, routes and hostname routes', async () => {
    const account = { account_id: sim.accountId };
    const api = client.zeroTrust.networks;
    const tunnel = await client.zeroTrust.tunnels.warpConnector.create({ ...account, name: 'gate' });
    const network = await api.virtualNetworks.create({ ...account, name: 'blue' });
    const route = await api.routes.create({
      ...account,
      network: '10.0.0.0/8',
      tunnel_id: tunnel.id!,
      virtual_network_id: network.id,
    });
    await expect(
      api.routes.create({ ...account, network: '10.0.0.0/8', tunnel_id: tunnel.id!, virtual_network_id: network.id }),
    ).rejects.toBeInstanceOf(Cloudflare.ConflictError);
    expect((await api.routes.list({ ...account, is_deleted: false })).result).toMatchObject([
      { virtual_network_name: 'blue', tun_type: 'warp_connector' },
    ]);
    expect((await api.routes.ips.get('10.9.9.9', { ...account, virtual_network_id: network.id })).id).toBe(route.id);
    const host = await api.hostnameRoutes.create({ ...account, hostname: 'db.internal', tunnel_id: tunnel.id! });
    expect((await api.hostnameRoutes.list(account)).result).toMatchObject([{ id: host.id, tunnel_name: 'gate' }]);
    await expect(api.virtualNetworks.delete(network.id, account)).rejects.toMatchObject({ errors: [{ code: 1047 }] });
    expect((await api.routes.delete(route.id!, account)).deleted_at).toBeTypeOf('string');
    expect((await api.virtualNetworks.list({ ...account, name: 'blue' })).result).toHaveLength(1);
  });

  test('works in process with the same answers', async () => {
    const inside = new Cloudflare({
      baseURL: sim.url,
      apiToken: sim.token,
      apiKey: null,
      apiEmail: null,
      fetch: sim.fetch,
      maxRetries: 0,
    });
    expect((await inside.zones.list()).result).toEqual((await client.zones.list()).result);
    await expect(inside.zones.get({ zone_id: 'x' })).rejects.toBeInstanceOf(Cloudflare.NotFoundError);
  });

  test('meets its own error classes on broken connections, limits and pages of the edge', async () => {
    sim.faults.arm({ fault: { kind: 'dropped', when: 'before' } });
    await expect(client.zones.list()).rejects.toBeInstanceOf(Cloudflare.APIConnectionError);
    sim.faults.arm({ fault: { kind: 'rate-limited', retryAfterSeconds: 1 } });
    await expect(client.zones.list()).rejects.toBeInstanceOf(Cloudflare.RateLimitError);
    sim.faults.arm({ fault: { kind: 'html', when: 'before' } });
    await expect(client.zones.list()).rejects.toMatchObject({ status: 520, errors: [] });
    sim.faults.arm({ fault: { kind: 'slow-body', ms: 5 } });
    expect((await client.zones.list()).result).toHaveLength(2);
  });
});
