import { refusal } from '../../api/api-error.ts';
import { textOf } from '../../api/fields.ts';
import type { Reader } from '../../store/table.ts';
import { tunnels } from '../tunnels/tunnel.ts';
import type { Tunnel } from '../tunnels/tunnel.ts';
import { hostnameRoutes, networkRoutes } from './network-tables.ts';

/** Routes by network and by hostname together. */
const mostRoutes = 1000;

export function routedTunnel(state: Reader, accountId: string, value: unknown): Tunnel {
  const tunnel = state.get(tunnels, accountId, textOf(value)?.toLowerCase() ?? '');
  if (!tunnel || tunnel.deletedAt !== null) throw refusal(404, 1003, 'Tunnel not found');
  return tunnel;
}

export function checkRouteQuota(state: Reader, accountId: string): void {
  const total =
    countLive(state.rows(networkRoutes, accountId).values()) +
    countLive(state.rows(hostnameRoutes, accountId).values());
  if (total >= mostRoutes) throw refusal(400, 1017, `An account can have at most ${mostRoutes} routes`);
}

function countLive(rows: Iterable<{ readonly deletedAt: string | null }>): number {
  return [...rows].filter(({ deletedAt }) => deletedAt === null).length;
}
