import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { flagOf, textOf, toFields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import type { Reader } from '../../store/table.ts';
import { isName } from '../dns/normalise-name.ts';
import { tunnels } from '../tunnels/tunnel.ts';
import { hostnameRoutes } from './network-tables.ts';
import type { HostnameRoute } from './network-tables.ts';
import { checkRouteQuota, routedTunnel } from './route-rules.ts';

const access = accountAccess('Cloudflare One Networks', 'Cloudflare Tunnel');
const all = '/accounts/:account/zerotrust/routes/hostname';
const one = `${all}/:route`;

export const hostnameRouteFamily: Family = {
  name: 'hostname-routes',
  routes: [
    { method: 'GET', path: all, access, run: listRoutes },
    { method: 'POST', path: all, access, run: createRoute },
    {
      method: 'GET',
      path: one,
      access,
      run: (call) => ({ result: toRoute(call.state, param(call, 'account'), find(call)) }),
    },
    { method: 'PATCH', path: one, access, run: editRoute },
    { method: 'DELETE', path: one, access, run: deleteRoute },
  ],
};

function toRoute(state: Reader, accountId: string, route: HostnameRoute): object {
  const tunnel = state.get(tunnels, accountId, route.tunnelId);
  return {
    id: route.id,
    hostname: route.hostname,
    tunnel_id: route.tunnelId,
    tunnel_name: tunnel?.name ?? '',
    tun_type: tunnel?.type ?? 'cfd_tunnel',
    comment: route.comment,
    created_at: route.createdAt,
    deleted_at: route.deletedAt,
  };
}

function find(call: Call): HostnameRoute {
  const route = call.state.get(hostnameRoutes, param(call, 'account'), param(call, 'route'));
  if (!route) throw refusal(404, 1018, 'Hostname route not found');
  return route;
}

function findLive(call: Call): HostnameRoute {
  const route = find(call);
  if (route.deletedAt !== null) throw refusal(404, 1018, 'Hostname route not found');
  return route;
}

function hostnameOf(value: unknown): string {
  const hostname = (textOf(value) ?? '').toLowerCase().replace(/\.$/, '');
  if (!isName(hostname)) throw refusal(400, 1015, `${JSON.stringify(value)} is not a valid hostname`);
  return hostname;
}

function createRoute(call: Call): Reply {
  const accountId = param(call, 'account');
  const fields = toFields(call.body);
  const hostname = hostnameOf(fields['hostname']);
  const tunnel = routedTunnel(call.state, accountId, fields['tunnel_id']);
  checkRouteQuota(call.state, accountId);
  return stored(call, {
    id: call.world.ids.uuid(),
    hostname,
    tunnelId: tunnel.id,
    comment: textOf(fields['comment']) ?? '',
    createdAt: timestamp(call.world),
    deletedAt: null,
  });
}

function editRoute(call: Call): Reply {
  const route = findLive(call);
  const fields = toFields(call.body);
  const accountId = param(call, 'account');
  return stored(call, {
    ...route,
    hostname: fields['hostname'] === undefined ? route.hostname : hostnameOf(fields['hostname']),
    tunnelId:
      fields['tunnel_id'] === undefined ? route.tunnelId : routedTunnel(call.state, accountId, fields['tunnel_id']).id,
    comment: textOf(fields['comment']) ?? route.comment,
  });
}

function stored(call: Call, route: HostnameRoute): Reply {
  const accountId = param(call, 'account');
  for (const other of call.state.rows(hostnameRoutes, accountId).values()) {
    if (other.hostname === route.hostname && other.deletedAt === null && other.id !== route.id) {
      throw refusal(409, 1014, `The hostname ${route.hostname} is already routed to another tunnel`);
    }
  }
  call.state.put(hostnameRoutes, accountId, route.id, route);
  return { result: toRoute(call.state, accountId, route) };
}

function deleteRoute(call: Call): Reply {
  const accountId = param(call, 'account');
  const deleted = { ...findLive(call), deletedAt: timestamp(call.world) };
  call.state.put(hostnameRoutes, accountId, deleted.id, deleted);
  return { result: toRoute(call.state, accountId, deleted) };
}

function listRoutes(call: Call): Reply {
  const { state, query } = call;
  const accountId = param(call, 'account');
  const deleted = flagOf(query, 'is_deleted') ?? false;
  const rows = [...state.rows(hostnameRoutes, accountId).values()].filter(
    (route) =>
      deleted === (route.deletedAt !== null) &&
      (query.get('id') ?? route.id) === route.id &&
      (query.get('tunnel_id') ?? route.tunnelId) === route.tunnelId &&
      route.hostname.includes(query.get('hostname')?.toLowerCase() ?? '') &&
      (query.get('comment') ?? route.comment) === route.comment,
  );
  return toPage(
    query,
    rows.map((route) => toRoute(state, accountId, route)),
    { defaultSize: 20, maxSize: 1000 },
  );
}
