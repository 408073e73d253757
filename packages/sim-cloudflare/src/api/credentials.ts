import { hash } from 'node:crypto';
import { ApiError, refusal } from './api-error.ts';
import type { Principal } from './principal.ts';
import { namedId } from '../ids/create-id-source.ts';

export type TokenOptions = {
  /** The secret that callers send. */
  readonly value: string;
  readonly name?: string;
  /** Names of permission groups, for example `DNS Write`; all of them when absent. */
  readonly permissions?: readonly string[];
  /** Ids of accounts that the token is limited to. */
  readonly accounts?: readonly string[];
  /** Ids of zones that the token is limited to. */
  readonly zones?: readonly string[];
  readonly status?: 'active' | 'disabled';
  readonly expiresOn?: string;
  /** The account that owns the token; without it the token belongs to the user. */
  readonly accountOwner?: string;
};

export type UserOptions = { readonly email: string; readonly key: string };

export type Credentials = {
  /** Throws what the API answers to headers that name nobody. */
  readonly identify: (headers: Readonly<Record<string, string>>, path: string) => Principal;
  readonly add: (token: TokenOptions) => { readonly id: string };
  /** From now on the token is unknown. */
  readonly revoke: (id: string) => void;
};

const userOwner = 'user';
const nothing: ReadonlySet<string> = new Set();
const uploader: Principal = {
  tokenId: 'upload-token',
  tokenStatus: 'active',
  owner: userOwner,
  permissions: nothing,
  accounts: nothing,
  zones: nothing,
};

export function createCredentials(tokens: readonly TokenOptions[], user: UserOptions, now: () => number): Credentials {
  // By digest, so that a dump of the simulator shows no secret.
  const byDigest = new Map<string, TokenOptions & { readonly id: string }>();
  const add = (token: TokenOptions): { readonly id: string } => {
    const id = namedId(`token:${token.value}`);
    byDigest.set(digest(token.value), { ...token, id });
    return { id };
  };
  for (const token of tokens) add(token);

  return {
    add,
    revoke: (id) => {
      for (const [key, token] of byDigest) if (token.id === id) byDigest.delete(key);
    },
    identify: (headers, path) => {
      const { authorization } = headers;
      // Files of Pages are stored with a token that the API has handed out; the route looks into it.
      if (path.startsWith('/pages/assets/')) return uploader;
      if (authorization !== undefined) {
        const value = bearer(authorization);
        const token = byDigest.get(digest(value));
        if (!token) throw unknownToken(path);
        const principal = toPrincipal(token, now());
        if (principal.tokenStatus !== 'active' && !isVerify(path)) throw unknownToken(path);
        return principal;
      }
      return keyHolder(headers, user);
    },
  };
}

function digest(value: string): string {
  return hash('sha256', value, 'hex');
}

function bearer(header: string): string {
  const found = /^Bearer +([^\s]+)$/i.exec(header);
  if (found?.[1] !== undefined) return found[1];
  throw invalidHeaders(6111, 'Invalid format for Authorization header');
}

function keyHolder(headers: Readonly<Record<string, string>>, user: UserOptions): Principal {
  const email = headers['x-auth-email'];
  const key = headers['x-auth-key'];
  if (email === undefined && key === undefined) {
    throw refusal(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers');
  }
  if (email === undefined) throw invalidHeaders(6102, 'Invalid format for X-Auth-Email header');
  if (key === undefined) throw invalidHeaders(6103, 'Invalid format for X-Auth-Key header');
  if (email !== user.email || key !== user.key) throw refusal(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email');
  const everything = { permissions: 'all', accounts: 'all', zones: 'all' } as const;
  return { tokenId: 'global-key', tokenStatus: 'active', owner: userOwner, ...everything };
}

function invalidHeaders(code: number, message: string): ApiError {
  return new ApiError(400, [{ code: 6003, message: 'Invalid request headers', error_chain: [{ code, message }] }]);
}

function isVerify(path: string): boolean {
  return path.endsWith('/tokens/verify');
}

/** Three words for one fact, by the product that is asked. */
function unknownToken(path: string): ApiError {
  if (isVerify(path)) return refusal(401, 1000, 'Invalid API Token');
  if (path.startsWith('/zones')) return refusal(403, 9109, 'Invalid access token');
  return refusal(401, 10000, 'Authentication error');
}

function toPrincipal(token: TokenOptions & { readonly id: string }, nowMs: number): Principal {
  const expired = token.expiresOn !== undefined && Date.parse(token.expiresOn) <= nowMs;
  return {
    tokenId: token.id,
    tokenStatus: expired ? 'expired' : (token.status ?? 'active'),
    owner: token.accountOwner === undefined ? userOwner : `token:${token.id}`,
    permissions: token.permissions ? new Set(token.permissions) : 'all',
    accounts: token.accounts ? new Set(token.accounts) : 'all',
    zones: token.zones ? new Set(token.zones) : 'all',
    ...(token.accountOwner !== undefined && { ownerAccountId: token.accountOwner }),
    ...(token.expiresOn !== undefined && { expiresOn: token.expiresOn }),
  };
}
