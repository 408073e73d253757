import { listAll } from '@tributary/cloudflare-api';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call, SecretWish } from '../../engine/l5-sync/target.ts';
import { canonicalDuration } from '../access-policy-fields.ts';
import { firstWins } from '../first-wins.ts';
import { unlessGone } from '../unless-gone.ts';
import { accessServiceTokenContract } from './contract.ts';
import type { AccessServiceTokenConfig, AccessServiceTokenKey } from './contract.ts';
import { renewalOf } from './renewal.ts';

type Desired = Pick<AccessServiceTokenConfig, 'name' | 'duration' | 'secret'>;

type Remote = {
  readonly id?: string;
  readonly name?: string;
  readonly duration?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly expires_at?: string | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly last_seen_at?: string | null;
};

export type ObservedToken = {
  readonly id: string;
  readonly remote: Remote;
  /** Whether the Secret has a secret for this very token; undefined where nobody wants to know. */
  readonly stored?: boolean;
  /** It is time for another secret. */
  readonly due?: boolean;
  /** Entries of a Secret that were ours, and are not wanted there any more. */
  readonly left?: SecretWish;
};

type Memory = { readonly storing?: boolean; readonly version?: number; readonly place?: Desired['secret'] };

export const accessServiceTokenTarget = defineTarget<
  AccessServiceTokenKey,
  AccessServiceTokenConfig,
  Desired,
  ObservedToken
>({
  contract: accessServiceTokenContract,
  aggregate: (sources) => {
    const { winner, losers } = firstWins(sources, `service token ${sources[0]?.config.name ?? ''}`);
    const { name, duration, secret } = winner.config;
    return { ok: true, desired: { name, duration, secret }, losers };
  },
  scope: ({ accountId }) => accountId,
  observe: { lookup },
  idOf: ({ id }) => id,
  bornAt: ({ remote }) => remote.created_at,
  relation: ({ name }, { remote }) => (remote.name === name ? 'same' : 'none'),
  difference: ({ name, duration }, { remote, stored, due }, remembered) => [
    ...(remote.name === name ? [] : ['name']),
    ...(canonicalDuration(remote.duration) === canonicalDuration(duration) ? [] : ['duration']),
    // Told once and never again: one that is not stored for certain is lost, and there must be another.
    ...(stored && !due && !(remembered as Memory | undefined)?.storing ? [] : [secretField]),
  ],
  memory: {
    before: (_wanted, fields) => (fields.includes(secretField) ? { storing: true } : undefined),
    after: ({ secret: place }, { remote }, remembered) => {
      const { version = 0 } = (remembered ?? {}) as Memory;
      return { version: remote.client_secret === undefined ? Math.max(1, version) : version + 1, place };
    },
  },
  lookAgainAt: ({ remote }) => renewalOf(remote).at,
  create: {
    repeatable: 'intent',
    run: async ({ name, duration }, { accountId }, call) => {
      const { serviceTokens } = call.api.zeroTrust.access;
      const asked = { account_id: accountId, name, duration };
      return whole(await serviceTokens.create(asked, { signal: call.signal }), accountId, call);
    },
  },
  update: async ({ key, wanted, observed, fields, remembered }, call) => {
    const left = await leftBehind((remembered as Memory | undefined)?.place, wanted.secret, call);
    return { ...(await update(key, wanted, observed, fields, call)), ...(left && { left }) };
  },
  giveUp: () => 'delete',
  remove: async ({ id }, { accountId }, { api, signal }) =>
    void (await api.zeroTrust.access.serviceTokens.delete(id, { account_id: accountId }, { signal })),
  outputs: ({ remote }, _desired, _secrets, remembered) => {
    const { version = 1 } = (remembered ?? {}) as Memory;
    return { data: { ...toOutputs(remote), secretVersion: String(version) } };
  },
  secrets: async ({ remote, left }, { secret }) => [...toSecret(remote, secret), ...(left ? [left] : [])],
});

const secretField = 'client_secret';

async function lookup(
  { key, desired, id }: Asked<AccessServiceTokenKey, Desired>,
  call: Call,
): Promise<readonly ObservedToken[]> {
  const { serviceTokens } = call.api.zeroTrust.access;
  const account = { account_id: key.accountId };
  const { signal } = call;
  const known = id && (await unlessGone(serviceTokens.get(id, account, { signal })));
  const found = known ? [known] : await listAll(serviceTokens.list({ ...account, per_page: 1000 }, { signal }));
  const stored = desired && (await call.readSecret(desired.secret));
  return found.map((token: Remote) => ({
    id: token.id ?? '',
    remote: token,
    due: renewalOf(token).at !== undefined && (renewalOf(token).at ?? 0) <= call.now(),
    stored:
      desired !== undefined &&
      stored?.[desired.secret.clientIdKey] === token.client_id &&
      Boolean(stored?.[desired.secret.clientSecretKey]),
  }));
}

/** What was stored under other names; nothing where it is gone already. */
async function leftBehind(
  before: Memory['place'],
  { namespace, name, clientIdKey, clientSecretKey }: Desired['secret'],
  call: Call,
): Promise<SecretWish | undefined> {
  if (!before) return undefined;
  const isSame = before.namespace === namespace && before.name === name;
  const wanted = isSame ? [clientIdKey, clientSecretKey] : [];
  const there = (await call.readSecret(before)) ?? {};
  const without = [before.clientIdKey, before.clientSecretKey].filter((key) => key in there && !wanted.includes(key));
  return without.length > 0 ? { namespace: before.namespace, name: before.name, data: {}, without } : undefined;
}

/** Another secret, where one is needed; the old one is good for as long as the token was, so that nobody is shut out. */
async function update(
  { accountId }: AccessServiceTokenKey,
  { name, duration }: Desired,
  { id, remote }: ObservedToken,
  fields: readonly string[],
  call: Call,
): Promise<ObservedToken> {
  const { signal } = call;
  const { serviceTokens } = call.api.zeroTrust.access;
  const account = { account_id: accountId };
  let seen: Remote = remote;
  if (fields.some((field) => field !== secretField)) {
    seen = { ...seen, ...(await serviceTokens.update(id, { ...account, name, duration }, { signal })) };
  }
  if (!fields.includes(secretField)) return toObserved(seen);
  const until = seen.expires_at ? { previous_client_secret_expires_at: seen.expires_at } : {};
  const rotated = await serviceTokens.rotate(id, { ...account, ...until }, { signal });
  // It depends on nothing that we know of whether a new secret also means more time, so time is asked for by itself.
  const refreshed = seen.duration === 'forever' ? {} : await serviceTokens.refresh(id, account, { signal });
  return whole({ ...seen, ...rotated, ...refreshed }, accountId, call);
}

/** Answers to a creation may leave out when the token expires, which we have to know. */
async function whole(answer: Remote, accountId: string, { api, signal }: Call): Promise<ObservedToken> {
  const { id = '', expires_at: expiresAt, duration } = answer;
  if (expiresAt || duration === 'forever') return toObserved(answer);
  const seen = await api.zeroTrust.access.serviceTokens.get(id, { account_id: accountId }, { signal });
  return toObserved({ ...seen, ...answer });
}

function toObserved(remote: Remote): ObservedToken {
  return { id: remote.id ?? '', remote, stored: true };
}

function toOutputs(remote: Remote): Readonly<Record<string, string>> {
  const day = remote.last_seen_at?.slice(0, 10);
  return {
    clientId: remote.client_id ?? '',
    ...(remote.expires_at && { expiresAt: remote.expires_at }),
    ...(remote.created_at && { createdAt: remote.created_at }),
    ...(remote.updated_at && { updatedAt: remote.updated_at }),
    // To the day: a token in use would have its status written for ever.
    ...(day && { lastSeenAt: `${day}T00:00:00Z` }),
  };
}

/** Nothing, where the API did not tell a secret just now: what is stored stays. */
function toSecret(remote: Remote, secret: Desired['secret']): readonly SecretWish[] {
  if (remote.client_secret === undefined) return [];
  const { namespace, name, clientIdKey, clientSecretKey } = secret;
  const data = { [clientIdKey]: remote.client_id ?? '', [clientSecretKey]: remote.client_secret };
  return [{ namespace, name, data }];
}
