import { canonicalJson } from '@tributary/runtime';
import { readMark, withMark } from '../engine/l4-state/ownership-mark.ts';
import type { Source } from '../engine/l4-state/source.ts';
import type { Aggregate, Target } from '../engine/l5-sync/target.ts';
import type { AccountCalls, AccessObserved } from './account-object.ts';
import type { FieldComparison, WireFields } from './compare-fields.ts';
import { echoesOf, unechoedFields } from './echoed-fields.ts';
import { firstWins } from './first-wins.ts';
import type { OwnedConfig, OwnedKey } from './owned-contract.ts';

/** The request for an object with a name and a description. */
export type MarkedDesired = { readonly name: string; readonly description: string; readonly body: WireFields };

export type MarkedObserved = AccessObserved & { readonly description?: string };

// No limit of these descriptions is documented. If there is one, Cloudflare says so, and nothing has been cut.
const longestDescription = Number.MAX_SAFE_INTEGER;

/** What the first source wants, with its mark in the description; `what` names the kind of object to those who lose. */
export function markedWish(sources: readonly Source<OwnedConfig>[], what: string): Aggregate<MarkedDesired> {
  const { winner, losers } = firstWins(sources, `${what} ${sources[0]?.config.name ?? ''}`);
  const { name, description = '', body } = winner.config;
  const marked = withMark(description, winner.ref, longestDescription);
  if (!marked.ok) return { ok: false, message: 'spec.description is too long', ref: winner.ref };
  return {
    ok: true,
    desired: { name, description: marked.text, body: { ...body, name, description: marked.text } },
    losers,
  };
}

type Marked<K extends OwnedKey> = Required<
  Pick<
    Target<K, object, MarkedDesired, MarkedObserved>,
    | 'scope'
    | 'observe'
    | 'idOf'
    | 'markedText'
    | 'bornAt'
    | 'relation'
    | 'difference'
    | 'memory'
    | 'create'
    | 'update'
    | 'giveUp'
    | 'remove'
  >
>;

/**
 * A target whose objects carry our mark in their descriptions and are replaced as a whole. Cloudflare would make a second
 * one of the same name; a repeated create is prevented by the look before it, which finds the first by its mark.
 */
export function markedObject<K extends OwnedKey>(
  calls: AccountCalls<K>,
  fields: readonly string[],
  comparison?: FieldComparison,
): Marked<K> {
  return {
    scope: calls.scope,
    observe: {
      lookup: async (asked, call) => alive(await calls.observe.lookup(asked, call)),
      list: async (key, call) => alive((await calls.observe.list?.(key, call)) ?? []),
    },
    idOf: calls.idOf,
    markedText: ({ description }) => description,
    bornAt: calls.bornAt,
    relation: relationByName,
    difference: ({ body }, observed, remembered) => unechoedFields(body, observed, fields, { comparison, remembered }),
    memory: { after: ({ body }, observed) => echoesOf(body, observed, fields, comparison) },
    create: { repeatable: 'natural-key', run: async ({ body }, key, call) => calls.create(body, key, call) },
    update: async ({ key, wanted, observed }, call) => calls.update(observed.id, wanted.body, key, call),
    giveUp: () => 'delete',
    remove: calls.remove,
  };
}

/** A deleted one may be shown as such for some time. */
function alive(objects: readonly AccessObserved[]): readonly AccessObserved[] {
  return objects.filter((object) => !object['deleted_at']);
}

/** The same name takes its place. One of another name with the very same mark is ours from before it was renamed. */
export function relationByName(
  { name, description }: Pick<MarkedDesired, 'name' | 'description'>,
  observed: MarkedObserved,
): 'same' | 'beside' | 'none' {
  if (observed.name === name) return 'same';
  const [mine, theirs] = [readMark(description), readMark(observed.description)];
  return mine && theirs && canonicalJson(mine) === canonicalJson(theirs) ? 'beside' : 'none';
}
