import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call } from '../../api/route.ts';
import { networkRoutes, hostnameRoutes } from '../networks/network-tables.ts';
import { findLiveTunnel } from './find-tunnel.ts';
import { connectors, tunnels } from './tunnel.ts';
import type { Tunnel, TunnelType } from './tunnel.ts';

const mostTunnels: Readonly<Record<TunnelType, number>> = { cfd_tunnel: 1000, warp_connector: 10 };
const shortestSecretBytes = 32;

export function createTunnel(call: Call, type: TunnelType): Tunnel {
  const { state, world } = call;
  const accountId = param(call, 'account');
  const fields = toFields(call.body);
  const name = checkedName(call, type, fields['name']);
  const live = [...state.rows(tunnels, accountId).values()].filter((tunnel) => tunnel.deletedAt === null);
  if (live.filter((tunnel) => tunnel.type === type).length >= mostTunnels[type]) {
    throw refusal(400, 1016, `An account can have at most ${mostTunnels[type]} tunnels of this kind`);
  }
  const tunnel: Tunnel = {
    id: world.ids.uuid(),
    accountId,
    type,
    name,
    configSource: type === 'warp_connector' || fields['config_src'] === 'cloudflare' ? 'cloudflare' : 'local',
    secret: checkedSecret(fields['tunnel_secret']) ?? world.ids.base64(shortestSecretBytes),
    createdAt: timestamp(world),
    deletedAt: null,
    activeAt: null,
    inactiveAt: null,
  };
  state.put(tunnels, accountId, tunnel.id, tunnel);
  return tunnel;
}

export function editTunnel(call: Call, type: TunnelType): Tunnel {
  const tunnel = findLiveTunnel(call, type);
  const fields = toFields(call.body);
  const name = fields['name'] === undefined ? tunnel.name : checkedName(call, type, fields['name'], tunnel.id);
  const edited = { ...tunnel, name, secret: checkedSecret(fields['tunnel_secret']) ?? tunnel.secret };
  call.state.put(tunnels, tunnel.accountId, tunnel.id, edited);
  return edited;
}

/** Soft: the tunnel stays readable by its id, its name is free again. */
export function deleteTunnel(call: Call, type: TunnelType): Tunnel {
  const { state, query } = call;
  const tunnel = findLiveTunnel(call, type);
  const cascade = query.get('cascade') === 'true';
  if (!cascade && state.rows(connectors, tunnel.id).size > 0) {
    throw refusal(400, 1022, 'Cannot delete tunnel because it has active connections');
  }
  dropRoutes(call, tunnel, cascade);
  for (const id of state.rows(connectors, tunnel.id).keys()) state.remove(connectors, tunnel.id, id);
  const deleted = { ...tunnel, deletedAt: timestamp(call.world) };
  state.put(tunnels, tunnel.accountId, tunnel.id, deleted);
  return deleted;
}

function dropRoutes({ state, world }: Call, { id, accountId }: Tunnel, cascade: boolean): void {
  const deletedAt = timestamp(world);
  for (const table of [networkRoutes, hostnameRoutes] as const) {
    for (const route of state
      .rows<{ id: string; tunnelId: string; deletedAt: string | null }>(table, accountId)
      .values()) {
      if (route.tunnelId !== id || route.deletedAt !== null) continue;
      if (!cascade) throw refusal(400, 1023, 'Cannot delete tunnel because it has active routes');
      state.put<{ id: string; tunnelId: string; deletedAt: string | null }>(table, accountId, route.id, {
        ...route,
        deletedAt,
      });
    }
  }
}

/** Names are unique among the live tunnels of a kind. */
function checkedName({ state, params }: Call, type: TunnelType, value: unknown, except?: string): string {
  const name = textOf(value)?.trim() ?? '';
  if (name === '' || name.length > 255) throw refusal(400, 1020, 'Tunnel name must have 1 to 255 characters');
  for (const tunnel of state.rows(tunnels, params['account'] ?? '').values()) {
    if (tunnel.name === name && tunnel.type === type && tunnel.deletedAt === null && tunnel.id !== except) {
      throw refusal(409, 1013, 'You already have a tunnel with this name');
    }
  }
  return name;
}

function checkedSecret(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = textOf(value) ?? '';
  const bytes = Buffer.from(text, 'base64');
  if (
    bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '') ||
    bytes.byteLength < shortestSecretBytes
  ) {
    throw refusal(400, 1019, `tunnel_secret must be base64 of at least ${shortestSecretBytes} bytes`);
  }
  return text;
}
