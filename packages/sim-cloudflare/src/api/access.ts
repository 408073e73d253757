import type { ApiError } from './api-error.ts';
import { noRoute, refusal } from './api-error.ts';
import type { Principal } from './principal.ts';
import { isHexId } from '../ids/create-id-source.ts';

/**
 * What a route asks of the caller. Permission groups are named without their last word: "DNS" stands for
 * "DNS Read" and "DNS Write". One of the groups is enough.
 */
export type Access =
  | { readonly scope: 'user' }
  /** The bearer of a token that the route itself looks into. */
  | { readonly scope: 'upload' }
  | { readonly scope: 'account' | 'zone'; readonly groups: readonly string[] };

export const userAccess: Access = { scope: 'user' };
export const uploadAccess: Access = { scope: 'upload' };

export function accountAccess(...groups: readonly string[]): Access {
  return { scope: 'account', groups };
}

export function zoneAccess(...groups: readonly string[]): Access {
  return { scope: 'zone', groups };
}

export type AccessRequest = {
  readonly path: string;
  readonly write: boolean;
  readonly params: Readonly<Record<string, string>>;
  /** The account that a zone belongs to; nothing when there is no such zone. */
  readonly accountOfZone: (zoneId: string) => string | undefined;
  readonly isAccount: (accountId: string) => boolean;
};

/** Throws in the order of the real API: identifier, then whether it can be seen, then whether it may be used. */
export function checkAccess(access: Access, principal: Principal, request: AccessRequest): void {
  if (access.scope === 'user' || access.scope === 'upload') return;
  const id = request.params[access.scope] ?? '';
  if (!isHexId(id)) throw noRoute(request.path);
  const visible = access.scope === 'account' ? seesAccount(principal, id, request) : seesZone(principal, id, request);
  if (!visible) throw invisible(access.scope);
  if (!isAllowed(principal, access.groups, request.write)) throw refusal(403, 10000, 'Authentication error');
}

export function isAllowed(principal: Principal, groups: readonly string[], write: boolean): boolean {
  if (principal.permissions === 'all' || groups.length === 0) return true;
  const verbs = write ? ['Write', 'Edit'] : ['Read', 'Write', 'Edit'];
  const { permissions } = principal;
  return groups.some((group) => verbs.some((verb) => permissions.has(`${group} ${verb}`)));
}

export function maySee(principal: Principal, accountId: string, zoneId?: string): boolean {
  if (principal.accounts !== 'all' && !principal.accounts.has(accountId)) return false;
  return zoneId === undefined || principal.zones === 'all' || principal.zones.has(zoneId);
}

function seesAccount(principal: Principal, id: string, request: AccessRequest): boolean {
  return request.isAccount(id) && maySee(principal, id);
}

function seesZone(principal: Principal, id: string, request: AccessRequest): boolean {
  const accountId = request.accountOfZone(id);
  return accountId !== undefined && maySee(principal, accountId, id);
}

function invisible(scope: 'account' | 'zone'): ApiError {
  return refusal(403, 9109, scope === 'zone' ? 'Invalid zone identifier' : 'Unauthorized to access requested resource');
}
