import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { toPage, toSinglePage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply, Route } from '../../api/route.ts';
import { detachConnectors } from './attach-connector.ts';
import { filterTunnels } from './filter-tunnels.ts';
import { findLiveTunnel, findTunnel } from './find-tunnel.ts';
import { configurationVersion, getConfiguration, putConfiguration } from './tunnel-configuration.ts';
import { connectors, toRunToken, toTunnel } from './tunnel.ts';
import type { Connector, Tunnel, TunnelType } from './tunnel.ts';
import { failover, getHighAvailability, putHighAvailability } from './warp-high-availability.ts';
import { createTunnel, deleteTunnel, editTunnel } from './write-tunnel.ts';

const cloudflared = accountAccess(
  'Cloudflare Tunnel',
  'Cloudflare One Connectors',
  'Cloudflare One Connector: cloudflared',
);
const warp = accountAccess('Cloudflare Tunnel', 'Cloudflare One Connectors', 'Cloudflare One Connector: WARP');
const pages = { defaultSize: 20, maxSize: 1000 };

export const tunnelFamily: Family = {
  name: 'tunnels',
  routes: [
    { method: 'GET', path: '/accounts/:account/tunnels', access: cloudflared, run: listAllTunnels },
    ...sharedRoutes('cfd_tunnel', cloudflared),
    {
      method: 'GET',
      path: '/accounts/:account/cfd_tunnel/:tunnel/configurations',
      access: cloudflared,
      run: getConfiguration,
    },
    {
      method: 'PUT',
      path: '/accounts/:account/cfd_tunnel/:tunnel/configurations',
      access: cloudflared,
      run: putConfiguration,
    },
    {
      method: 'DELETE',
      path: '/accounts/:account/cfd_tunnel/:tunnel/connections',
      access: cloudflared,
      run: dropConnections,
    },
    ...sharedRoutes('warp_connector', warp),
    {
      method: 'GET',
      path: '/accounts/:account/warp_connector/:tunnel/configurations',
      access: warp,
      run: getHighAvailability,
    },
    {
      method: 'PUT',
      path: '/accounts/:account/warp_connector/:tunnel/configurations',
      access: warp,
      run: putHighAvailability,
    },
    { method: 'PUT', path: '/accounts/:account/warp_connector/:tunnel/failover', access: warp, run: failover },
  ],
};

/** What both kinds of tunnel can do. */
function sharedRoutes(type: TunnelType, access: Route['access']): readonly Route[] {
  const all = `/accounts/:account/${type}`;
  const one = `${all}/:tunnel`;
  return [
    { method: 'GET', path: all, access, run: (call) => listTunnels(call, [type]) },
    { method: 'POST', path: all, access, run: (call) => created(call, createTunnel(call, type)) },
    { method: 'GET', path: one, access, run: (call) => shown(call, findTunnel(call, type)) },
    { method: 'PATCH', path: one, access, run: (call) => shown(call, editTunnel(call, type)) },
    { method: 'DELETE', path: one, access, run: (call) => shown(call, deleteTunnel(call, type)) },
    { method: 'GET', path: `${one}/token`, access, run: (call) => getToken(call, type) },
    { method: 'GET', path: `${one}/connections`, access, run: (call) => listConnectors(call, type) },
    { method: 'GET', path: `${one}/connectors/:connector`, access, run: (call) => getConnector(call, type) },
  ];
}

function shown({ state }: Call, tunnel: Tunnel): Reply {
  return { result: toTunnel(state, tunnel) };
}

function listTunnels(call: Call, types: readonly TunnelType[]): Reply {
  const { state, query } = call;
  const page = toPage(query, filterTunnels(state, param(call, 'account'), query, types), pages);
  return { ...page, result: page.result.map((tunnel) => toTunnel(state, tunnel as Tunnel)) };
}

function listAllTunnels(call: Call): Reply {
  const known: readonly TunnelType[] = ['cfd_tunnel', 'warp_connector'];
  const asked = call.query.getAll('tun_types').flatMap((value) => value.split(','));
  return listTunnels(call, asked.length === 0 ? known : known.filter((type) => asked.includes(type)));
}

/** Only the answer to the create holds what a replica needs; later there is the token. */
function created({ state }: Call, tunnel: Tunnel): Reply {
  const file = {
    AccountTag: tunnel.accountId,
    TunnelID: tunnel.id,
    TunnelName: tunnel.name,
    TunnelSecret: tunnel.secret,
  };
  return { result: { ...toTunnel(state, tunnel), credentials_file: file, token: toRunToken(tunnel) } };
}

function getToken(call: Call, type: TunnelType): Reply {
  const tunnel = findTunnel(call, type);
  if (tunnel.deletedAt !== null) throw refusal(404, 1054, 'Token for tunnel not found');
  return { result: toRunToken(tunnel) };
}

function toConnector(
  call: Call,
  tunnel: Tunnel,
  { id, version, arch, runAt, conns, configVersion }: Connector,
): unknown {
  const running = tunnel.type === 'cfd_tunnel' && {
    config_version: configVersion ?? configurationVersion(call.state, tunnel),
  };
  return { id, version, arch, features: ['ha-origin'], run_at: runAt, conns, ...running };
}

function listConnectors(call: Call, type: TunnelType): Reply {
  const tunnel = findTunnel(call, type);
  return toSinglePage(
    [...call.state.rows(connectors, tunnel.id).values()].map((row) => toConnector(call, tunnel, row)),
  );
}

function getConnector(call: Call, type: TunnelType): Reply {
  const tunnel = findTunnel(call, type);
  const connector = call.state.get(connectors, tunnel.id, param(call, 'connector'));
  if (!connector) throw refusal(404, 1003, 'Connector not found');
  return { result: toConnector(call, tunnel, connector) };
}

function dropConnections(call: Call): Reply {
  const tunnel = findLiveTunnel(call, 'cfd_tunnel');
  detachConnectors(call.state, tunnel, call.query.get('client_id') ?? undefined, timestamp(call.world));
  return { result: null };
}
