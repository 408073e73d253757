import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { flagOf, textOf, toFields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import type { Reader } from '../../store/table.ts';
import { tunnels } from '../tunnels/tunnel.ts';
import { contains, formatCidr, parseCidr } from './cidr.ts';
import type { Cidr } from './cidr.ts';
import { networkRoutes, virtualNetworks } from './network-tables.ts';
import type { NetworkRoute } from './network-tables.ts';
import { checkRouteQuota, routedTunnel } from './route-rules.ts';
import { defaultNetworkId, liveNetwork } from './virtual-networks.ts';

const access = accountAccess('Cloudflare One Networks', 'Cloudflare Tunnel');
const all = '/accounts/:account/teamnet/routes';
const one = `${all}/:route`;

export const networkRouteFamily: Family = {
  name: 'routes',
  routes: [
    { method: 'GET', path: all, access, run: listRoutes },
    { method: 'POST', path: all, access, run: createRoute },
    { method: 'GET', path: `${all}/ip/:ip`, access, run: routeOfAddress },
    { method: 'GET', path: one, access, run: (call) => ({ result: toRoute(find(call)) }) },
    { method: 'PATCH', path: one, access, run: editRoute },
    { method: 'DELETE', path: one, access, run: deleteRoute },
  ],
};

function toRoute({ id, network, tunnelId, virtualNetworkId, comment, createdAt, deletedAt }: NetworkRoute): object {
  return {
    id,
    network,
    tunnel_id: tunnelId,
    virtual_network_id: virtualNetworkId,
    comment,
    created_at: createdAt,
    deleted_at: deletedAt,
  };
}

/** Lists join the names. */
function toListed(state: Reader, accountId: string, route: NetworkRoute): object {
  const tunnel = state.get(tunnels, accountId, route.tunnelId);
  const network = state.get(virtualNetworks, accountId, route.virtualNetworkId);
  return {
    ...toRoute(route),
    tun_type: tunnel?.type ?? 'cfd_tunnel',
    tunnel_name: tunnel?.name ?? '',
    virtual_network_name: network?.name ?? '',
  };
}

function find(call: Call): NetworkRoute {
  const route = call.state.get(networkRoutes, param(call, 'account'), param(call, 'route'));
  if (!route) throw refusal(404, 1018, 'Route not found');
  return route;
}

function findLive(call: Call): NetworkRoute {
  const route = find(call);
  if (route.deletedAt !== null) throw refusal(404, 1018, 'Route not found');
  return route;
}

function cidrOf(value: unknown): Cidr {
  const cidr = parseCidr(textOf(value) ?? '');
  if (!cidr) throw refusal(400, 1015, `${JSON.stringify(value)} is not a valid network`);
  return cidr;
}

function createRoute(call: Call): Reply {
  const { state, world } = call;
  const accountId = param(call, 'account');
  const fields = toFields(call.body);
  const network = formatCidr(cidrOf(fields['network']));
  const tunnel = routedTunnel(state, accountId, fields['tunnel_id']);
  const virtualNetworkId = textOf(fields['virtual_network_id']) ?? '';
  checkRouteQuota(state, accountId);
  return stored(call, {
    id: world.ids.uuid(),
    network,
    tunnelId: tunnel.id,
    virtualNetworkId:
      virtualNetworkId === '' ? defaultNetworkId(state, accountId) : liveNetwork(state, accountId, virtualNetworkId).id,
    comment: textOf(fields['comment']) ?? '',
    createdAt: timestamp(world),
    deletedAt: null,
  });
}

function editRoute(call: Call): Reply {
  const route = findLive(call);
  const accountId = param(call, 'account');
  const fields = toFields(call.body);
  const virtualNetworkId = textOf(fields['virtual_network_id']);
  return stored(call, {
    ...route,
    network: fields['network'] === undefined ? route.network : formatCidr(cidrOf(fields['network'])),
    tunnelId:
      fields['tunnel_id'] === undefined ? route.tunnelId : routedTunnel(call.state, accountId, fields['tunnel_id']).id,
    virtualNetworkId:
      virtualNetworkId === undefined ? route.virtualNetworkId : liveNetwork(call.state, accountId, virtualNetworkId).id,
    comment: textOf(fields['comment']) ?? route.comment,
  });
}

/** Networks may overlap; only the very same one in the same virtual network is refused. */
function stored(call: Call, route: NetworkRoute): Reply {
  const accountId = param(call, 'account');
  for (const other of call.state.rows(networkRoutes, accountId).values()) {
    const same = other.network === route.network && other.virtualNetworkId === route.virtualNetworkId;
    if (same && other.deletedAt === null && other.id !== route.id) {
      throw refusal(409, 1014, 'You already have a route defined for this exact IP subnet');
    }
  }
  call.state.put(networkRoutes, accountId, route.id, route);
  return { result: toRoute(route) };
}

function deleteRoute(call: Call): Reply {
  const deleted = { ...findLive(call), deletedAt: timestamp(call.world) };
  call.state.put(networkRoutes, param(call, 'account'), deleted.id, deleted);
  return { result: toRoute(deleted) };
}

function listRoutes(call: Call): Reply {
  const { state, query } = call;
  const accountId = param(call, 'account');
  const deleted = flagOf(query, 'is_deleted') ?? false;
  const subset = queriedNetwork(query, 'network_subset');
  const superset = queriedNetwork(query, 'network_superset');
  const types = query.getAll('tun_types').flatMap((value) => value.split(','));
  const rows = [...state.rows(networkRoutes, accountId).values()].filter((route) => {
    const own = cidrOf(route.network);
    return (
      deleted === (route.deletedAt !== null) &&
      (query.get('tunnel_id') ?? route.tunnelId) === route.tunnelId &&
      (query.get('virtual_network_id') ?? route.virtualNetworkId) === route.virtualNetworkId &&
      (query.get('route_id') ?? route.id) === route.id &&
      (query.get('comment') ?? route.comment) === route.comment &&
      (subset === undefined || contains(subset, own)) &&
      (superset === undefined || contains(own, superset)) &&
      (types.length === 0 || types.includes(state.get(tunnels, accountId, route.tunnelId)?.type ?? ''))
    );
  });
  return toPage(
    query,
    rows.map((route) => toListed(state, accountId, route)),
    { defaultSize: 20, maxSize: 1000 },
  );
}

function queriedNetwork(query: URLSearchParams, name: string): Cidr | undefined {
  const text = query.get(name);
  return text === null ? undefined : cidrOf(text);
}

/** The longest match, as a packet finds it. */
function routeOfAddress(call: Call): Reply {
  const { state, query } = call;
  const accountId = param(call, 'account');
  const address = cidrOf(param(call, 'ip'));
  const networkId = query.get('virtual_network_id') ?? defaultNetworkId(state, accountId);
  const [best] = [...state.rows(networkRoutes, accountId).values()]
    .filter((route) => route.deletedAt === null && route.virtualNetworkId === networkId)
    .filter((route) => contains(cidrOf(route.network), address))
    .toSorted((a, b) => cidrOf(b.network).prefix - cidrOf(a.network).prefix);
  if (!best) throw refusal(404, 1018, 'Route not found');
  return { result: toListed(state, accountId, best) };
}
