import { refusal } from '../api/api-error.ts';
import { isFields } from '../api/fields.ts';
import type { Fields } from '../api/fields.ts';
import { timestamp } from '../api/route.ts';
import type { World } from '../api/route.ts';
import { attachConnector, detachConnectors } from '../families/tunnels/attach-connector.ts';
import type { ConnectorOptions } from '../families/tunnels/attach-connector.ts';
import { tunnels } from '../families/tunnels/tunnel.ts';
import type { Tunnel } from '../families/tunnels/tunnel.ts';
import type { Store, StoreDump } from '../store/create-store.ts';
import { defineTable } from '../store/table.ts';
import type { Table } from '../store/table.ts';

/** The world behind the API: what it holds, and what others do to it. */
export type SimState = {
  /** Everything, by table and scope. Secrets of tunnels are among it. */
  readonly dump: () => StoreDump;
  /** The rows of one table of one scope (an account, a zone or a tunnel), as they are stored. */
  readonly rows: (table: string, scope: string) => readonly Fields[];
  /** Changes a stored row past all rules; the row must be there. */
  readonly change: (table: string, scope: string, id: string, fields: Fields) => void;
  /** Stores a row past all rules; it needs an `id`. */
  readonly insert: (table: string, scope: string, row: Fields) => void;
  readonly remove: (table: string, scope: string, id: string) => void;
  /** A replica of cloudflared (or of the WARP client) starts with this run token; a stale token is refused. */
  readonly connect: (runToken: string, options?: ConnectorOptions) => string;
  /** One replica ends, or all of them. */
  readonly disconnect: (tunnelId: string, connectorId?: string) => void;
};

export function createSimState(store: Store, world: World): SimState {
  const rowOf = (table: string, scope: string, id: string): Fields => {
    const row = store.read().get(anyTable(table), scope, id);
    if (!row) throw refusal(404, 0, `there is no ${id} in ${table} of ${scope}`);
    return row;
  };
  const put = (table: string, scope: string, row: Fields): void => {
    const { id } = row;
    if (typeof id !== 'string') throw refusal(400, 0, 'a row needs an id');
    store.transact((draft) => draft.put(anyTable(table), scope, id, row));
  };
  return {
    dump: store.dump,
    rows: (table, scope) => [...store.read().rows(anyTable(table), scope).values()],
    change: (table, scope, id, fields) => put(table, scope, { ...rowOf(table, scope, id), ...fields }),
    insert: put,
    remove: (table, scope, id) => {
      rowOf(table, scope, id);
      store.transact((draft) => draft.remove(anyTable(table), scope, id));
    },
    connect: (runToken, options = {}) => {
      const tunnel = tunnelOfToken(store, runToken);
      const at = timestamp(world);
      return store.transact((draft) => attachConnector(draft, tunnel, options, { ids: world.ids, at })).result.id;
    },
    disconnect: (tunnelId, connectorId) => {
      const tunnel = findTunnel(store, tunnelId);
      store.transact((draft) => detachConnectors(draft, tunnel, connectorId, timestamp(world)));
    },
  };
}

function anyTable(name: string): Table<Fields> {
  return defineTable<Fields>(name);
}

function tunnelOfToken(store: Store, runToken: string): Tunnel {
  const claims = readToken(runToken);
  const tunnel = store.read().get(tunnels, String(claims['a']), String(claims['t']));
  if (tunnel && tunnel.deletedAt === null && tunnel.secret === claims['s']) return tunnel;
  throw refusal(401, 0, 'Unauthorized: Invalid tunnel secret');
}

function readToken(runToken: string): Fields {
  try {
    const claims: unknown = JSON.parse(Buffer.from(runToken, 'base64').toString('utf8'));
    return isFields(claims) ? claims : {};
  } catch {
    return {};
  }
}

function findTunnel(store: Store, tunnelId: string): Tunnel {
  for (const scope of Object.keys(store.dump()['tunnels'] ?? {})) {
    const tunnel = store.read().get(tunnels, scope, tunnelId);
    if (tunnel) return tunnel;
  }
  throw refusal(404, 0, `there is no tunnel ${tunnelId}`);
}
