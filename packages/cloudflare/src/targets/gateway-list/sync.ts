import { isCloudflareError, listAll } from '@tributary/cloudflare-api';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { accountCalls } from '../account-object.ts';
import { inUse } from '../in-use.ts';
import { markedObject, markedWish, relationByName } from '../marked-object.ts';
import type { MarkedDesired, MarkedObserved } from '../marked-object.ts';
import type { OwnedConfig } from '../owned-contract.ts';
import { gatewayListContract } from './contract.ts';
import type { GatewayListItem, GatewayListKey } from './contract.ts';
import { canonicalItems, deltaOf } from './list-items.ts';

type Key = GatewayListKey;
type Observed = MarkedObserved & { readonly type?: string; readonly items?: readonly GatewayListItem[] };

const calls = accountCalls<Key>(({ zeroTrust }) => zeroTrust.gateway.lists);
const marked = markedObject(calls, ['name', 'description', 'items'], { sets: new Set(['items']) });

export const gatewayListTarget = defineTarget<Key, OwnedConfig, MarkedDesired, Observed>({
  ...marked,
  contract: gatewayListContract,
  aggregate: (sources, { type }) => {
    const wish = markedWish(sources, 'Gateway list');
    if (!wish.ok) return wish;
    const { body } = wish.desired;
    const items = canonicalItems((body['items'] ?? []) as readonly GatewayListItem[], type);
    return { ...wish, desired: { ...wish.desired, body: { ...body, type, items } } };
  },
  // A list of all lists has no items in it: asking for those of ours alone is cheaper than for those of everybody.
  observe: { lookup },
  relation,
  create: {
    repeatable: 'natural-key',
    run: async ({ body }, key, call) => withItems(await calls.create(body, key, call), key, call),
  },
  update: async ({ key, wanted, observed, fields }, call) => {
    const { name, description, body } = wanted;
    const { id } = observed;
    // Without items a PUT leaves them alone; with an empty list it would too, or would not.
    if (fields.some((field) => field !== 'items')) await calls.update(id, { name, description }, key, call);
    if (fields.includes('items')) await editItems(id, body['items'] as readonly GatewayListItem[], observed, key, call);
    return withItems({ ...observed, name, description }, key, call);
  },
  remove,
});

function relation(desired: MarkedDesired, observed: Observed): ReturnType<typeof relationByName> {
  return observed.type === desired.body['type'] ? relationByName(desired, observed) : 'none';
}

async function lookup({ key, desired, id }: Asked<Key, MarkedDesired>, call: Call): Promise<readonly Observed[]> {
  const found: readonly Observed[] = await marked.observe.lookup({ key, desired, id }, call);
  return Promise.all(
    found.map(async (list) => {
      const concerns = desired && (list.id === id || relation(desired, list) !== 'none');
      return concerns ? withItems(list, key, call) : list;
    }),
  );
}

async function withItems(list: Observed, { accountId }: Key, { api, signal }: Call): Promise<Observed> {
  const query = { account_id: accountId, per_page: 1000 };
  const items = await listAll(api.zeroTrust.gateway.lists.items.list(list.id, query as never, { signal }));
  const shown = items.map(({ value = '', description }) => ({ value, ...(description && { description }) }));
  return { ...list, items: shown };
}

/** First what goes, then what comes: where Cloudflare takes two texts for one item, it is there in the end. */
async function editItems(
  id: string,
  wanted: readonly GatewayListItem[],
  { items = [] }: Observed,
  { accountId }: Key,
  { api, signal }: Call,
): Promise<void> {
  const { append, remove: gone } = deltaOf(wanted, items);
  const edit = async (change: object): Promise<unknown> =>
    api.zeroTrust.gateway.lists.edit(id, { account_id: accountId, ...change }, { signal });
  if (gone.length > 0) await edit({ remove: gone });
  if (append.length > 0) await edit({ append });
}

/** A list that rules use stays, and they are named. */
async function remove(observed: Observed, key: Key, call: Call): Promise<void> {
  try {
    await calls.remove(observed, key, call);
  } catch (error) {
    // The code of this refusal is not known for certain, so look for what stands in the way.
    if (!isCloudflareError(error, 'validation', 'in-use', 'conflict')) throw error;
    const users = await rulesUsing(observed.id, key, call);
    if (users.length === 0) throw error;
    throw inUse(error, `rules use it: ${users.slice(0, 5).join(', ')}`);
  }
}

/** Expressions name a list by its id without dashes. */
async function rulesUsing(id: string, { accountId }: Key, { api, signal }: Call): Promise<readonly string[]> {
  const rules = await listAll(api.zeroTrust.gateway.rules.list({ account_id: accountId }, { signal }));
  const name = `$${id.replaceAll('-', '')}`;
  return rules
    .filter(({ traffic, identity, device_posture: posture }) =>
      [traffic, identity, posture].some((text) => text?.replaceAll('-', '').includes(name)),
    )
    .map((rule) => rule.name ?? rule.id ?? '');
}
