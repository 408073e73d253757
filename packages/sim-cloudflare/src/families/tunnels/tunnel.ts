import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';
import type { Reader } from '../../store/table.ts';

export type TunnelType = 'cfd_tunnel' | 'warp_connector';

export type Tunnel = {
  readonly id: string;
  readonly accountId: string;
  readonly type: TunnelType;
  readonly name: string;
  readonly configSource: 'local' | 'cloudflare';
  /** Base64. */
  readonly secret: string;
  readonly createdAt: string;
  readonly deletedAt: string | null;
  readonly activeAt: string | null;
  readonly inactiveAt: string | null;
};

/** One running replica of cloudflared, or of the WARP client. */
export type Connector = {
  readonly id: string;
  readonly version: string;
  readonly arch: string;
  readonly runAt: string;
  /** Set when the replica is stuck on an old configuration; else it runs the newest. */
  readonly configVersion?: number;
  readonly conns: readonly Connection[];
};

export type Connection = {
  readonly id: string;
  readonly uuid: string;
  readonly colo_name: string;
  readonly client_id: string;
  readonly client_version: string;
  readonly is_pending_reconnect: boolean;
  readonly origin_ip: string;
  readonly opened_at: string;
};

export type TunnelConfiguration = {
  readonly tunnelId: string;
  readonly version: number;
  readonly config: Fields;
  readonly createdAt: string;
};

/** By account. */
export const tunnels = defineTable<Tunnel>('tunnels');
/** By tunnel. */
export const connectors = defineTable<Connector>('connectors');
/** By account, one per tunnel. */
export const tunnelConfigurations = defineTable<TunnelConfiguration>('tunnel_configurations');

/** A healthy replica keeps so many connections. */
export const fullConnections = 4;

export function statusOf(state: Reader, { id, activeAt }: Tunnel): 'inactive' | 'healthy' | 'degraded' | 'down' {
  const replicas = [...state.rows(connectors, id).values()];
  if (replicas.length === 0) return activeAt === null ? 'inactive' : 'down';
  return replicas.every(({ conns }) => conns.length >= fullConnections) ? 'healthy' : 'degraded';
}

/** The tunnel as callers see it: its connections are a call of their own. */
export function toTunnel(state: Reader, tunnel: Tunnel): Fields {
  const remote = tunnel.type === 'cfd_tunnel' && {
    config_src: tunnel.configSource,
    remote_config: tunnel.configSource === 'cloudflare',
  };
  return {
    id: tunnel.id,
    account_tag: tunnel.accountId,
    created_at: tunnel.createdAt,
    deleted_at: tunnel.deletedAt,
    name: tunnel.name,
    conns_active_at: tunnel.activeAt,
    conns_inactive_at: tunnel.inactiveAt,
    tun_type: tunnel.type,
    metadata: {},
    status: statusOf(state, tunnel),
    ...remote,
  };
}

/** What a replica is started with. */
export function toRunToken({ accountId, id, secret }: Tunnel): string {
  return Buffer.from(JSON.stringify({ a: accountId, t: id, s: secret })).toString('base64');
}
