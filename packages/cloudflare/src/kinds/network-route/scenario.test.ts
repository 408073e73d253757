import { getCondition } from '@tributary/runtime';
import type { Condition, Kind, KubeObject } from '@tributary/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { syncStateKind } from '../../engine/l4-state/sync-state.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { Shown } from '../../testing/dashboard.ts';
import { createWorld } from '../../testing/world.ts';
import type { World } from '../../testing/world.ts';
import { networkRouteKind } from './resource.ts';

// A tunnel, a virtual network, routes and a private service: everything that a private network is made of.

const group = 'networking.cloudflare-operator.io';
const kindOf = (kind: string, plural: string, scope: 'Cluster' | 'Namespaced'): Kind<Told> => ({
  group,
  version: 'v1alpha2',
  kind,
  plural,
  scope,
});
type Told = KubeObject & {
  readonly status?: { readonly conditions?: readonly Condition[] } & Readonly<Record<string, unknown>>;
};
const networkKind = kindOf('VirtualNetwork', 'virtualnetworks', 'Cluster');
const privateKind = kindOf('PrivateService', 'privateservices', 'Namespaced');

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.applyCredentials();
  await world.apply(
    `${object('ClusterTunnel', 'office', '{ newTunnel: { name: office }, cloudflare: {} }')}\n---\n${object('VirtualNetwork', 'office', '{ comment: upstairs, cloudflare: {} }')}`,
  );
});
afterEach(async () => world.stop());

function object(kind: string, name: string, spec: string, metadata = ''): string {
  return `{ apiVersion: ${group}/v1alpha2, kind: ${kind}, metadata: { name: ${name}${metadata} }, spec: ${spec} }`;
}

const at = (path: string): string => `/accounts/${world.sim.accountId}/${path}`;
const routes = (): readonly Shown[] =>
  listAtDashboard(world.sim, at('teamnet/routes?is_deleted=false')).toSorted((a, b) =>
    a.network < b.network ? -1 : 1,
  );
const lan = (network: string, more = 'virtualNetworkRef: { name: office }'): string =>
  object(
    'NetworkRoute',
    'lan',
    `{ network: '${network}', tunnelRef: { name: office }, cloudflare: {}${more && `, ${more}`} }`,
  );

function shown(kind: Kind<Told>, name: string, namespace?: string): Told | undefined {
  return world.get(kind, { ...(namespace && { namespace }), name });
}

function ready(kind: Kind<Told>, name: string, namespace?: string): Condition | undefined {
  return getCondition<Condition>(shown(kind, name, namespace)?.status?.conditions, 'Ready');
}

const routeKind = networkRouteKind as unknown as Kind<Told>;

async function untilReady(kind: Kind<Told>, name: string, namespace?: string): Promise<void> {
  await world.waitFor(() => {
    const found = shown(kind, name, namespace);
    return (
      ready(kind, name, namespace)?.status === 'True' &&
      found?.status?.['observedGeneration'] === found?.metadata.generation
    );
  });
}

test(
  'a route waits for its tunnel and its network, is made once, and then all is silent',
  { timeout: 30_000 },
  async () => {
    await world.apply(lan('10.20.30.40/16'));
    await untilReady(routeKind, 'lan');
    expect(routes()).toMatchObject([
      {
        network: '10.20.0.0/16',
        tunnel_name: 'office',
        virtual_network_name: 'office',
        comment: '[managed-by:NetworkRoute//lan]',
      },
    ]);
    expect(shown(networkKind, 'office')?.status).toMatchObject({
      state: 'active',
      isDefault: false,
      accountId: world.sim.accountId,
    });
    expect(shown(routeKind, 'lan')?.status).toMatchObject({
      network: '10.20.0.0/16',
      tunnelName: 'office',
      state: 'active',
      virtualNetworkId: shown(networkKind, 'office')?.status?.['virtualNetworkId'],
    });
    world.clearCounts();
    await world.clock.advance(600_000);
    expect([world.writeCounts(), world.sim.journal.count()]).toEqual([{}, 0]);
  },
);

test('another network is another route: the old one goes', { timeout: 30_000 }, async () => {
  await world.apply(lan('10.20.0.0/16'));
  await untilReady(routeKind, 'lan');
  await world.apply(lan('fd00:20::/64'));
  await untilReady(routeKind, 'lan');
  await world.clock.advance(5000);
  expect(routes().map(({ network }) => network)).toEqual(['fd00:20::/64']);
});

test(
  'a network at Cloudflare can be named without an object of its own, and is left as it is',
  { timeout: 30_000 },
  async () => {
    const garage = atDashboard(world.sim, 'POST', at('teamnet/virtual_networks'), { name: 'garage', comment: 'mine' });
    await world.apply(lan('10.20.0.0/16', 'virtualNetworkRef: { cloudflareName: garage }'));
    await untilReady(routeKind, 'lan');
    expect(routes()).toMatchObject([{ virtual_network_name: 'garage' }]);
    await world.delete(networkRouteKind, { name: 'lan' });
    await world.waitFor(() => world.get(networkRouteKind, { name: 'lan' }) === undefined);
    await world.waitFor(() => world.list(syncStateKind).every(({ spec }) => !spec.cloudflareId.includes('garage')));
    expect(routes()).toEqual([]);
    expect(atDashboard(world.sim, 'GET', at(`teamnet/virtual_networks/${garage.id}`))).toMatchObject({
      comment: 'mine',
      deleted_at: null,
    });
  },
);

test('a network that is nowhere is told by name', { timeout: 30_000 }, async () => {
  await world.apply(lan('10.20.0.0/16', 'virtualNetworkRef: { cloudflareName: cellar }'));
  await world.waitFor(() => ready(routeKind, 'lan')?.message.includes('cellar') === true);
  expect(ready(routeKind, 'lan')).toMatchObject({ status: 'False', reason: 'DependencyError' });
});

test(
  "somebody's route to another tunnel is left alone until the object may adopt it",
  { timeout: 30_000 },
  async () => {
    const other = atDashboard(world.sim, 'POST', at('cfd_tunnel'), { name: 'other', config_src: 'cloudflare' });
    atDashboard(world.sim, 'POST', at('teamnet/routes'), { network: '10.20.0.0/16', tunnel_id: other.id });
    await world.apply(lan('10.20.0.0/16', ''));
    await world.waitFor(() => ready(routeKind, 'lan')?.reason === 'NotOwned');
    expect(routes()).toMatchObject([{ tunnel_name: 'other', comment: '' }]);
    await world.apply(
      lan('10.20.0.0/16', '').replace('name: lan', 'name: lan, annotations: { cloudflare-operator.io/adopt: "true" }'),
    );
    await untilReady(routeKind, 'lan');
    expect(routes()).toMatchObject([{ tunnel_name: 'office' }]);
  },
);

test('a virtual network waits with its end for the routes of others, and says which', { timeout: 30_000 }, async () => {
  await untilReady(networkKind, 'office');
  const id = shown(networkKind, 'office')?.status?.['virtualNetworkId'];
  const other = atDashboard(world.sim, 'POST', at('cfd_tunnel'), { name: 'other', config_src: 'cloudflare' });
  const route = atDashboard(world.sim, 'POST', at('teamnet/routes'), {
    network: '10.9.0.0/16',
    tunnel_id: other.id,
    virtual_network_id: id,
  });
  await world.delete(networkKind, { name: 'office' });
  await world.waitFor(() => ready(networkKind, 'office')?.message.includes('10.9.0.0/16 to other') === true);
  expect(routes().map((each) => each.id)).toEqual([route.id]);
  atDashboard(world.sim, 'DELETE', at(`teamnet/routes/${route.id}`));
  await world.waitFor(() => shown(networkKind, 'office') === undefined, 600_000);
});

test('of two networks that want to be the default, the older one is it', { timeout: 30_000 }, async () => {
  await world.apply(object('VirtualNetwork', 'first', '{ isDefaultNetwork: true, cloudflare: {} }'));
  await untilReady(networkKind, 'first');
  expect(shown(networkKind, 'first')?.status).toMatchObject({ isDefault: true });
  await world.clock.advance(2000);
  await world.apply(object('VirtualNetwork', 'second', '{ isDefaultNetwork: true, cloudflare: {} }'));
  await world.waitFor(() => ready(networkKind, 'second')?.reason === 'DuplicateDefault');
});

test('a private service has a route for each of its addresses', { timeout: 30_000 }, async () => {
  const wiki = (ips: string): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'wiki', namespace: 'default' },
      spec: { ports: [{ port: 80 }], ...JSON.parse(ips) },
    }) as KubeObject;
  await world.apply(
    object(
      'PrivateService',
      'wiki',
      '{ serviceRef: { name: wiki, port: 80 }, tunnelRef: { name: office }, cloudflare: {} }',
      ', namespace: default',
    ),
  );
  await world.apply(wiki('{"clusterIP":"None"}'));
  await world.waitFor(() => ready(privateKind, 'wiki', 'default')?.reason === 'InvalidConfig');
  expect(ready(privateKind, 'wiki', 'default')?.message).toContain('has no cluster IP');
  await world.delete(
    { ...privateKind, group: '', version: 'v1', kind: 'Service', plural: 'services' },
    { namespace: 'default', name: 'wiki' },
  );
  await world.apply(wiki('{"ipFamilyPolicy":"PreferDualStack"}'));
  await untilReady(privateKind, 'wiki', 'default');
  const { network, serviceIP, state } = shown(privateKind, 'wiki', 'default')?.status ?? {};
  expect(state).toBe('active');
  expect(
    routes()
      .map((each) => each.network)
      .join(', '),
  ).toBe(network);
  expect(String(network)).toContain(`${String(serviceIP).split(', ')[0] ?? ''}/32`);
});
