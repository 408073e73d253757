import { flagOf } from '../../api/fields.ts';
import type { Reader } from '../../store/table.ts';
import { statusOf, tunnels } from './tunnel.ts';
import type { Tunnel, TunnelType } from './tunnel.ts';

/** The list filters. Deleted tunnels are hidden unless asked for. */
export function filterTunnels(
  state: Reader,
  accountId: string,
  query: URLSearchParams,
  types: readonly TunnelType[],
): readonly Tunnel[] {
  const deleted = flagOf(query, 'is_deleted') ?? false;
  const tests: readonly ((tunnel: Tunnel) => boolean)[] = [
    ({ type }) => types.includes(type),
    (tunnel) => existedOrIs(tunnel, query.get('existed_at'), deleted),
    given(query, 'name', (name, tunnel) => tunnel.name === name),
    given(query, 'uuid', (id, tunnel) => tunnel.id === id.toLowerCase()),
    given(query, 'status', (status, tunnel) => statusOf(state, tunnel) === status),
    given(query, 'include_prefix', (prefix, tunnel) => tunnel.name.startsWith(prefix)),
    given(query, 'exclude_prefix', (prefix, tunnel) => !tunnel.name.startsWith(prefix)),
    given(query, 'was_active_at', (at, tunnel) => wasActive(tunnel, at)),
    given(query, 'was_inactive_at', (at, tunnel) => !wasActive(tunnel, at)),
  ];
  return [...state.rows(tunnels, accountId).values()].filter((tunnel) => tests.every((test) => test(tunnel)));
}

function given(
  query: URLSearchParams,
  name: string,
  test: (value: string, tunnel: Tunnel) => boolean,
): (tunnel: Tunnel) => boolean {
  const value = query.get(name);
  return (tunnel) => value === null || value === '' || test(value, tunnel);
}

function existedOrIs({ createdAt, deletedAt }: Tunnel, at: string | null, deleted: boolean): boolean {
  if (at === null) return deleted === (deletedAt !== null);
  const whenMs = Date.parse(at);
  return Date.parse(createdAt) <= whenMs && (deletedAt === null || Date.parse(deletedAt) > whenMs);
}

function wasActive({ activeAt, inactiveAt }: Tunnel, at: string): boolean {
  const whenMs = Date.parse(at);
  return (
    activeAt !== null && Date.parse(activeAt) <= whenMs && (inactiveAt === null || Date.parse(inactiveAt) > whenMs)
  );
}
