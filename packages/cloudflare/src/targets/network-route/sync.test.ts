import { beforeEach, expect, test } from 'vitest';
import type { Call } from '../../engine/l5-sync/target.ts';
import { desiredOf, sourceOf, startSimCall } from '../../testing/sim-call.ts';
import type { SimCall } from '../../testing/sim-call.ts';
import type { RouteKey } from './contract.ts';
import { networkRouteTarget } from './sync.ts';
import type { DesiredRoute, ObservedRoute } from './sync.ts';

let sim: SimCall['sim'];
let call: Call;
let tunnelId = '';

beforeEach(async () => {
  ({ sim, call } = await startSimCall());
  tunnelId = post('cfd_tunnel', { name: 't', config_src: 'cloudflare' });
});

function post(path: string, body: object): string {
  const answer = sim.dashboard('POST', `/accounts/${sim.accountId}/${path}`, body);
  return (answer.body as { readonly result: { readonly id: string } }).result.id;
}

function keyOf(network: string, virtualNetworkId = ''): RouteKey {
  return { accountId: sim.accountId, network, virtualNetworkId };
}

function wantedOf(key: RouteKey, tunnel = tunnelId): DesiredRoute {
  const source = sourceOf({ kind: 'NetworkRoute', name: 'r' }, { network: key.network, tunnelId: tunnel });
  return desiredOf(networkRouteTarget.aggregate([source], key));
}

async function make(key: RouteKey): Promise<ObservedRoute> {
  const made = await networkRouteTarget.create?.run(wantedOf(key), key, call);
  if (!made) throw new Error('nothing was made');
  return made;
}

const networks = ['10.0.0.0/8', 'fd00::/8', '10.96.0.7/32'];

test.each(networks)('%s reads back as it was sent, in the default network', async (network) => {
  const key = keyOf(network);
  const made = await make(key);
  const wanted = wantedOf(key);
  for (const id of [undefined, made.id]) {
    const seen = await networkRouteTarget.observe.lookup({ key, desired: wanted, id }, call);
    expect(seen.map(({ id: found }) => found)).toEqual([made.id]);
    expect(seen.map((each) => networkRouteTarget.relation(wanted, each, key))).toEqual(['same']);
    expect(seen.flatMap((each) => networkRouteTarget.difference(wanted, each))).toEqual([]);
  }
  expect(made.comment).toBe('[managed-by:NetworkRoute//r]');
});

test('the same network elsewhere is another route', async () => {
  const office = post('teamnet/virtual_networks', { name: 'office' });
  const made = await make(keyOf('10.0.0.0/8', office));
  const key = keyOf('10.0.0.0/8');
  const all = (await networkRouteTarget.observe.list?.(key, call)) ?? [];
  expect(all.map((each) => networkRouteTarget.relation(wantedOf(key), each, key))).toEqual(['none']);
  expect(all.map((each) => networkRouteTarget.relation(wantedOf(key), each, keyOf('10.0.0.0/8', office)))).toEqual([
    'same',
  ]);
  expect(await networkRouteTarget.observe.lookup({ key, desired: wantedOf(key), id: undefined }, call)).toMatchObject([
    { id: made.id, inDefaultNetwork: false },
  ]);
});

test('a route to another tunnel differs, so it is adopted only when that is allowed', async () => {
  const key = keyOf('10.0.0.0/8');
  const made = await make(key);
  const other = post('cfd_tunnel', { name: 'other', config_src: 'cloudflare' });
  expect(networkRouteTarget.difference(wantedOf(key, other), made)).toEqual(['tunnel_id']);
  const changed = await networkRouteTarget.update?.(
    { key, wanted: wantedOf(key, other), observed: made, fields: ['tunnel_id'] },
    call,
  );
  expect(changed).toMatchObject({ id: made.id, tunnelId: other, inDefaultNetwork: true });
});

test('a deleted route is not there, by id and by network', async () => {
  const key = keyOf('10.0.0.0/8');
  const made = await make(key);
  await networkRouteTarget.remove?.(made, key, call);
  expect(await networkRouteTarget.observe.lookup({ key, desired: wantedOf(key), id: made.id }, call)).toEqual([]);
  expect(await networkRouteTarget.observe.list?.(key, call)).toEqual([]);
});
