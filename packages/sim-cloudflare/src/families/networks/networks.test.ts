import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import type { TestSim } from '../../testing/start-test-sim.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

async function tunnel({ call, account }: TestSim, name = 'web'): Promise<string> {
  return (await call('POST', `${account}/cfd_tunnel`, { name })).result.id as string;
}

describe('virtual networks', () => {
  test('every account has a default one, and making another the default demotes it', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/teamnet/virtual_networks`;
    const [first] = (await call('GET', path)).result;
    expect(first).toMatchObject({ name: 'default', is_default_network: true, deleted_at: null });
    const second = (await call('POST', path, { name: 'blue', comment: 'c', is_default_network: true })).result;
    expect((await call('GET', `${path}?is_default_network=true`)).result).toMatchObject([{ id: second.id }]);
    expect((await call('PATCH', `${path}/${first.id}`, { is_default_network: true })).result).toMatchObject({
      is_default_network: true,
    });
    expect((await call('GET', `${path}?is_default_network=false`)).result).toMatchObject([
      { name: 'blue', comment: 'c' },
    ]);
    expect((await call('PATCH', `${path}/${first.id}`, { is_default_network: false })).codes).toEqual([1048]);
    expect((await call('DELETE', `${path}/${first.id}`)).codes).toEqual([1048]);
  });

  test('have names of their own (1014), and what is not there is 1046', async () => {
    const { call, account } = await startTestSim();
    const path = `${account}/teamnet/virtual_networks`;
    const { id } = (await call('POST', path, { name: 'blue' })).result;
    expect(await call('POST', path, { name: 'blue' })).toMatchObject({ status: 409, codes: [1014] });
    expect((await call('PATCH', `${path}/${id}`, { name: 'default' })).codes).toEqual([1014]);
    expect((await call('POST', path, { name: '' })).codes).toEqual([1045]);
    expect((await call('POST', path, { name: 'x', comment: 'c'.repeat(257) })).codes).toEqual([1045]);
    expect(await call('GET', `${path}/${nobody}`)).toMatchObject({ status: 404, codes: [1046] });
    expect((await call('PATCH', `${path}/${id}`, { comment: 'new' })).result).toMatchObject({
      name: 'blue',
      comment: 'new',
    });
    expect((await call('GET', `${path}?name=blue&id=${id}`)).result).toHaveLength(1);
  });

  test('with live routes cannot be deleted; without, they stay readable and free their name', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const path = `${account}/teamnet/virtual_networks`;
    const { id } = (await call('POST', path, { name: 'blue' })).result;
    const route = (
      await call('POST', `${account}/teamnet/routes`, {
        network: '10.0.0.0/8',
        tunnel_id: await tunnel(world),
        virtual_network_id: id,
      })
    ).result.id;
    expect(await call('DELETE', `${path}/${id}`)).toMatchObject({ status: 400, codes: [1047] });
    await call('DELETE', `${account}/teamnet/routes/${route}`);
    expect((await call('DELETE', `${path}/${id}`)).result.deleted_at).not.toBeNull();
    expect((await call('GET', `${path}/${id}`)).result).toMatchObject({ id });
    expect((await call('DELETE', `${path}/${id}`)).codes).toEqual([1046]);
    expect((await call('POST', path, { name: 'blue' })).status).toBe(200);
    expect((await call('GET', `${path}?is_deleted=true`)).result).toHaveLength(1);
  });
});

describe('routes', () => {
  test('stand in the default network unless said otherwise, and lists join the names', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const path = `${account}/teamnet/routes`;
    const tunnelId = await tunnel(world);
    const created = (await call('POST', path, { network: '10.1.2.3/8', tunnel_id: tunnelId, comment: 'c' })).result;
    const [network] = (await call('GET', `${account}/teamnet/virtual_networks`)).result;
    expect(created).toMatchObject({
      network: '10.0.0.0/8',
      tunnel_id: tunnelId,
      virtual_network_id: network.id,
      comment: 'c',
      deleted_at: null,
    });
    expect((await call('GET', path)).result).toMatchObject([
      { id: created.id, tunnel_name: 'web', virtual_network_name: 'default', tun_type: 'cfd_tunnel' },
    ]);
    expect((await call('GET', `${path}/${created.id}`)).result).toEqual(created);
  });

  const canonical = [
    ['10.1.2.3', '10.1.2.3/32'],
    ['172.16.9.9/12', '172.16.0.0/12'],
    ['2001:DB8:0:0::1/64', '2001:db8::/64'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::ffff:192.0.2.1', '::ffff:c000:201/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ] as const;
  for (const [given, stored] of canonical) {
    test(`${given} is stored as ${stored}, and that is its only form`, async () => {
      const world = await startTestSim();
      const path = `${world.account}/teamnet/routes`;
      const tunnelId = await tunnel(world);
      expect((await world.call('POST', path, { network: given, tunnel_id: tunnelId })).result.network).toBe(stored);
      expect(await world.call('POST', path, { network: stored, tunnel_id: tunnelId })).toMatchObject({
        status: 409,
        codes: [1014],
      });
      const lookup = `network_subset=${encodeURIComponent(stored)}&network_superset=${encodeURIComponent(stored)}`;
      expect((await world.call('GET', `${path}?${lookup}`)).result).toHaveLength(1);
    });
  }

  test('may overlap, and are found by what holds them and by the longest match', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const path = `${account}/teamnet/routes`;
    const tunnelId = await tunnel(world);
    for (const network of ['10.0.0.0/8', '10.1.0.0/16', 'fd00::/8'])
      await call('POST', path, { network, tunnel_id: tunnelId });
    const networks = async (query: string): Promise<string[]> =>
      ((await call('GET', `${path}?${query}`)).result as { network: string }[]).map(({ network }) => network);
    expect(await networks('network_subset=10.0.0.0/8')).toEqual(['10.0.0.0/8', '10.1.0.0/16']);
    expect(await networks('network_superset=10.1.0.0/16')).toEqual(['10.0.0.0/8', '10.1.0.0/16']);
    expect(await networks('network_superset=10.2.0.0/16')).toEqual(['10.0.0.0/8']);
    expect(await networks(`tunnel_id=${nobody}`)).toEqual([]);
    expect(await networks('tun_types=warp_connector')).toEqual([]);
    expect(await networks('tun_types=cfd_tunnel&per_page=2&page=2')).toEqual(['fd00::/8']);
    expect((await call('GET', `${path}/ip/10.1.9.9`)).result).toMatchObject({ network: '10.1.0.0/16' });
    expect((await call('GET', `${path}/ip/192.0.2.1`)).codes).toEqual([1018]);
  });

  test('are edited and deleted by id, softly', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const path = `${account}/teamnet/routes`;
    const one = await tunnel(world);
    const two = await tunnel(world, 'two');
    const { id } = (await call('POST', path, { network: '10.0.0.0/8', tunnel_id: one })).result;
    await call('POST', path, { network: '11.0.0.0/8', tunnel_id: one });
    expect((await call('PATCH', `${path}/${id}`, { tunnel_id: two, comment: 'moved' })).result).toMatchObject({
      tunnel_id: two,
      comment: 'moved',
      network: '10.0.0.0/8',
    });
    expect((await call('PATCH', `${path}/${id}`, { network: '11.0.0.0/8' })).codes).toEqual([1014]);
    expect((await call('DELETE', `${path}/${id}`)).result.deleted_at).not.toBeNull();
    expect((await call('GET', `${path}/${id}`)).result.deleted_at).not.toBeNull();
    expect((await call('DELETE', `${path}/${id}`)).codes).toEqual([1018]);
    expect((await call('POST', path, { network: '10.0.0.0/8', tunnel_id: one })).status).toBe(200);
  });

  test('need a network, a live tunnel and a live virtual network; the path with a CIDR is gone', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const path = `${account}/teamnet/routes`;
    const tunnelId = await tunnel(world);
    for (const network of ['', '10.0.0.0/33', '10.0.0/8', 'x', 'fe80::1%a/64', '10.0.0.0/8/8']) {
      expect((await call('POST', path, { network, tunnel_id: tunnelId })).codes).toEqual([1015]);
    }
    expect((await call('POST', path, { network: '10.0.0.0/8', tunnel_id: nobody })).codes).toEqual([1003]);
    expect(
      (await call('POST', path, { network: '10.0.0.0/8', tunnel_id: tunnelId, virtual_network_id: nobody })).codes,
    ).toEqual([1046]);
    expect((await call('POST', `${path}/network/10.0.0.0%2F8`, { tunnel_id: tunnelId })).codes).toEqual([7003, 7000]);
  });

  test('are at most 1,000 in an account, those by hostname among them', async () => {
    const world = await startTestSim();
    const { call, account, sim } = world;
    const tunnelId = await tunnel(world);
    for (let index = 0; index < 1000; index += 1) {
      sim.state.insert('hostname_routes', sim.accountId, {
        id: `h${index}`,
        hostname: `h${index}.internal`,
        tunnelId,
        comment: '',
        createdAt: '',
        deletedAt: null,
      });
    }
    expect(
      (await call('POST', `${account}/teamnet/routes`, { network: '10.0.0.0/8', tunnel_id: tunnelId })).codes,
    ).toEqual([1017]);
  });
});

describe('hostname routes', () => {
  test('are unique among the live ones (409), edited and softly deleted', async () => {
    const world = await startTestSim();
    const { call, account } = world;
    const path = `${account}/zerotrust/routes/hostname`;
    const one = await tunnel(world);
    const two = await tunnel(world, 'two');
    const { result } = await call('POST', path, { hostname: 'DB.internal.', tunnel_id: one, comment: 'c' });
    expect(result).toMatchObject({
      hostname: 'db.internal',
      tunnel_id: one,
      tunnel_name: 'web',
      tun_type: 'cfd_tunnel',
      comment: 'c',
    });
    expect(await call('POST', path, { hostname: 'db.internal', tunnel_id: two })).toMatchObject({
      status: 409,
      codes: [1014],
    });
    expect((await call('PATCH', `${path}/${result.id}`, { tunnel_id: two })).result).toMatchObject({
      tunnel_name: 'two',
      hostname: 'db.internal',
    });
    expect((await call('GET', `${path}?hostname=db&tunnel_id=${two}&comment=c&id=${result.id}`)).result).toHaveLength(
      1,
    );
    expect((await call('GET', `${path}?tunnel_id=${one}`)).result).toEqual([]);
    await call('DELETE', `${path}/${result.id}`);
    expect((await call('GET', path)).result).toEqual([]);
    expect((await call('GET', `${path}/${result.id}`)).result.deleted_at).not.toBeNull();
    expect((await call('PATCH', `${path}/${result.id}`, {})).codes).toEqual([1018]);
    expect((await call('GET', `${path}/${nobody}`)).codes).toEqual([1018]);
    expect((await call('POST', path, { hostname: 'a b', tunnel_id: one })).codes).toEqual([1015]);
    expect((await call('POST', path, { hostname: 'a', tunnel_id: nobody })).codes).toEqual([1003]);
  });
});
