import { listAll } from '@tributary/cloudflare-api';
import type { CloudflareClient } from '@tributary/cloudflare-api';
import { canonicalJson } from '@tributary/runtime';
import type { TargetKey } from '../engine/l4-state/sync-state-name.ts';
import type { Asked, Call, Memory, Observation, Target } from '../engine/l5-sync/target.ts';
import type { WireFields } from './compare-fields.ts';
import { unlessGone } from './unless-gone.ts';

/** What most products of an account have in common at the API: they are listed per account, and replaced as a whole. */
export type AccessObserved = WireFields & { readonly id: string; readonly name: string; readonly created_at?: string };

export type AccessDesired = {
  readonly name: string;
  /** The request, but for secrets. */
  readonly body: WireFields;
  /** The part of it that the API never shows again. */
  readonly unseen?: WireFields;
  /** It is only looked up. */
  readonly lookup?: true;
};

type InAccount = { readonly accountId: string };
type Account = { readonly account_id: string; readonly per_page?: number };
type Options = { readonly signal: AbortSignal };

type Collection = {
  readonly list: (query: never, options: Options) => Parameters<typeof listAll<object>>[0];
  readonly get: (id: string, query: Account, options: Options) => Promise<object>;
  readonly create: (body: never, options: Options) => Promise<object>;
  readonly update: (id: string, body: never, options: Options) => Promise<object>;
  readonly delete: (id: string, query: Account, options: Options) => Promise<unknown>;
};

export type AccountCalls<K extends InAccount> = {
  readonly scope: (key: K) => string;
  readonly observe: Observation<K, unknown, AccessObserved>;
  readonly idOf: (observed: AccessObserved) => string;
  readonly bornAt: (observed: AccessObserved) => string | undefined;
  readonly create: (body: object, key: K, call: Call) => Promise<AccessObserved>;
  readonly update: (id: string, body: object, key: K, call: Call) => Promise<AccessObserved>;
  readonly remove: (observed: AccessObserved, key: K, call: Call) => Promise<void>;
};

/** The calls of one product, by what the SDK calls it. */
export function accountCalls<K extends InAccount>(collectionOf: (api: CloudflareClient) => unknown): AccountCalls<K> {
  const at = ({ api }: Call): Collection => collectionOf(api) as Collection;
  const list = async ({ accountId }: K, call: Call): Promise<readonly AccessObserved[]> => {
    const query = { account_id: accountId, per_page: 1000 };
    return (await listAll(at(call).list(query as never, { signal: call.signal }))) as readonly AccessObserved[];
  };
  const lookup = async ({ key, id }: Asked<K, unknown>, call: Call): Promise<readonly AccessObserved[]> => {
    const query = { account_id: key.accountId };
    const known = id && (await unlessGone(at(call).get(id, query, { signal: call.signal })));
    return known ? [known as AccessObserved] : list(key, call);
  };
  return {
    scope: ({ accountId }) => accountId,
    observe: { lookup, list },
    idOf: ({ id }) => id,
    bornAt: ({ created_at: createdAt }) => createdAt,
    create: async (body, { accountId }, call) => {
      const made = await at(call).create({ account_id: accountId, ...body } as never, { signal: call.signal });
      return made as AccessObserved;
    },
    update: async (id, body, { accountId }, call) => {
      const made = await at(call).update(id, { account_id: accountId, ...body } as never, { signal: call.signal });
      return made as AccessObserved;
    },
    remove: async ({ id }, { accountId }, call) =>
      void (await at(call).delete(id, { account_id: accountId }, { signal: call.signal })),
  };
}

/** What was sent and is never shown is remembered; where the API shows it after all, that counts. */
const unseenMemory: Memory<AccessDesired, AccessObserved> = {
  after: ({ unseen }) => (unseen && Object.keys(unseen).length > 0 ? { unseen } : undefined),
};

export function unseenDifference(
  { unseen = {} }: AccessDesired,
  observed: AccessObserved,
  remembered: unknown,
): readonly string[] {
  const sent = (remembered as { readonly unseen?: WireFields } | undefined)?.unseen ?? {};
  return [...new Set([...Object.keys(unseen), ...Object.keys(sent)])].filter(
    (name) => canonicalJson(unseen[name] ?? null) !== canonicalJson(observed[name] ?? sent[name] ?? null),
  );
}

type Named<K extends TargetKey> = Pick<
  Target<K, object, AccessDesired, AccessObserved>,
  | 'scope'
  | 'observe'
  | 'idOf'
  | 'bornAt'
  | 'relation'
  | 'memory'
  | 'create'
  | 'update'
  | 'giveUp'
  | 'remove'
  | 'outputs'
>;

/** A target whose objects are told apart by their names. */
export function namedAccessObject<K extends InAccount & TargetKey>(calls: AccountCalls<K>): Named<K> {
  return {
    scope: calls.scope,
    observe: calls.observe,
    idOf: calls.idOf,
    bornAt: calls.bornAt,
    remove: calls.remove,
    relation: ({ name }, observed) => (observed.name === name ? 'same' : 'none'),
    memory: unseenMemory,
    create: {
      allowed: ({ lookup }) => !lookup,
      repeatable: 'intent',
      run: async ({ body }, key, call) => calls.create(body, key, call),
    },
    update: async ({ key, wanted, observed }, call) => calls.update(observed.id, wanted.body, key, call),
    giveUp: ({ key }) => ('lookup' in key ? 'retain' : 'delete'),
    outputs: ({ name }) => ({ data: { name } }),
  };
}
