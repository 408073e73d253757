import type { IdSource } from '../../ids/create-id-source.ts';
import type { Draft } from '../../store/table.ts';
import { connectors, fullConnections, tunnels } from './tunnel.ts';
import type { Connector, Tunnel } from './tunnel.ts';

export type ConnectorOptions = {
  /** Fewer than four make the tunnel degraded. */
  readonly connections?: number;
  readonly version?: string;
  readonly originIp?: string;
  /** The configuration that the replica is stuck on. */
  readonly configVersion?: number;
};

const colos = ['fra03', 'ams07', 'fra08', 'ams12'];

/** A replica connects, as cloudflared does with its token. */
export function attachConnector(
  state: Draft,
  tunnel: Tunnel,
  options: ConnectorOptions,
  { ids, at }: { readonly ids: IdSource; readonly at: string },
): Connector {
  const id = ids.uuid();
  const version = options.version ?? '2026.10.1';
  const conns = Array.from({ length: options.connections ?? fullConnections }, (_, index) => {
    const connection = ids.uuid();
    return {
      id: connection,
      uuid: connection,
      colo_name: colos[index % colos.length] ?? '',
      client_id: id,
      client_version: version,
      is_pending_reconnect: false,
      origin_ip: options.originIp ?? '198.51.100.7',
      opened_at: at,
    };
  });
  const stuck = options.configVersion !== undefined && { configVersion: options.configVersion };
  const connector: Connector = { id, version, arch: 'linux_amd64', runAt: at, conns, ...stuck };
  state.put(connectors, tunnel.id, id, connector);
  state.put(tunnels, tunnel.accountId, tunnel.id, { ...tunnel, activeAt: at, inactiveAt: null });
  return connector;
}

/** One replica goes, or all of them. */
export function detachConnectors(state: Draft, tunnel: Tunnel, connectorId: string | undefined, at: string): void {
  const ids = [...state.rows(connectors, tunnel.id).keys()].filter(
    (id) => connectorId === undefined || id === connectorId,
  );
  for (const id of ids) state.remove(connectors, tunnel.id, id);
  if (ids.length > 0 && state.rows(connectors, tunnel.id).size === 0) {
    state.put(tunnels, tunnel.accountId, tunnel.id, { ...tunnel, inactiveAt: at });
  }
}
