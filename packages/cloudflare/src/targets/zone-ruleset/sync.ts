import { isCloudflareError } from '@tributary/cloudflare-api';
import { OperatorError } from '@tributary/runtime';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { retold } from '../retold.ts';
import { unlessGone } from '../unless-gone.ts';
import { aggregateRules } from './aggregate.ts';
import { zoneRulesetContract } from './contract.ts';
import type { ZoneRulesetConfig, ZoneRulesetKey } from './contract.ts';
import { entryNames, mergeRules, recordRules } from './merge-rules.ts';
import { isOurs, textOf } from './ruleset.ts';
import type { Entry, RecordedRules, RemoteRule, Ruleset, WantedRuleset } from './ruleset.ts';

export const zoneRulesetTarget = defineTarget<ZoneRulesetKey, ZoneRulesetConfig, WantedRuleset, Ruleset>({
  contract: zoneRulesetContract,
  aggregate: aggregateRules,
  scope: ({ zoneId, phase }) => `${zoneId}/${phase}`,
  observe: { lookup: async ({ key }, call) => lookup(key, call) },
  idOf: ({ id }) => id,
  relation: () => 'same',
  difference: differingParts,
  shared: {
    record: recordRules,
    merge: (wanted, observed, recorded) => mergeRules(wanted, observed, recorded as RecordedRules | undefined),
    cleared: (observed, recorded) => mergeRules({ rules: [] }, observed, recorded as RecordedRules | undefined),
    entries: (recorded) => entryNames(recorded as RecordedRules),
  },
  create: {
    // A second PUT finds what the first has made.
    repeatable: 'natural-key',
    run: async (wanted, key, call) => put(wanted, key, call),
  },
  update: async ({ key, wanted, observed, fields }, call) => {
    const { taken = [] } = wanted.merged ?? {};
    const written = fields.length > taken.length ? await put(wanted, key, call) : observed;
    if (taken.length === 0) return written;
    throw new OperatorError(
      'rulesets/ref-taken',
      `a rule that is not ours has the ref ${taken.join(', ')}: choose another one, or annotate the object with ` +
        'cloudflare-operator.io/adopt: "true" to take it over',
      { kind: 'after', ms: 5 * 60_000 },
    );
  },
  giveUp: () => 'clear',
  outputs: ({ id, version, lastUpdated }, { merged }) => ({
    version: Number(version),
    data: {
      rulesetId: id,
      rulesetVersion: version,
      lastUpdated,
      foreignRules: String(merged?.entries.filter((entry) => !isOurs(entry)).length ?? 0),
    },
  }),
});

function differingParts({ merged }: WantedRuleset, observed: Ruleset): readonly string[] {
  const { description = '', entries = [], taken = [] } = merged ?? {};
  const order = entries.map((entry) => (isOurs(entry) ? entry.ref : entry.foreign.ref));
  const there = new Map(observed.rules.map((rule) => [rule.ref, rule]));
  const isInOrder = order.length === observed.rules.length && observed.rules.every(({ ref }, at) => ref === order[at]);
  const changed = entries.filter(isOurs).flatMap(({ ref, rule }) => {
    const remote = there.get(ref);
    return remote === undefined || textOf(rule) === textOf(remote) ? [] : [`rule ${ref}`];
  });
  return [
    ...(description === observed.description ? [] : ['description']),
    ...(isInOrder ? [] : ['rules']),
    ...changed,
    ...taken.map((ref) => `ref ${ref}`),
  ];
}

async function lookup({ zoneId, phase }: ZoneRulesetKey, { api, signal }: Call): Promise<readonly Ruleset[]> {
  const found = await unlessGone(
    api.rulesets.phases.get(phase as Phase, { zone_id: zoneId }, { signal }) as Promise<object>,
  );
  return found ? [toRuleset(found)] : [];
}

type Phase = Parameters<Call['api']['rulesets']['phases']['get']>[0];

async function put({ merged }: WantedRuleset, { zoneId, phase }: ZoneRulesetKey, call: Call): Promise<Ruleset> {
  const { description = '', entries = [] } = merged ?? {};
  const body = { zone_id: zoneId, description, rules: entries.map(toBody) } as Parameters<
    typeof call.api.rulesets.phases.update
  >[1];
  try {
    const answer = await call.api.rulesets.phases.update(phase as Phase, body, { signal: call.signal });
    return toRuleset(answer as object);
  } catch (error) {
    throw isCloudflareError(error) ? blamed(error, entries) : error;
  }
}

function toBody(entry: Entry): object {
  if (isOurs(entry)) return { ...(entry.before && { id: entry.before.id }), ...entry.rule, ref: entry.ref };
  const { version: _version, last_updated: _updated, ...rule } = entry.foreign;
  return rule;
}

/** One bad rule spoils the list for all: whose it is must be said. */
function blamed(refusal: Parameters<typeof retold>[0], entries: readonly Entry[]): Error {
  const [, index] = /^\/rules\/(\d+)(\/|$)/.exec(refusal.pointer ?? '') ?? [];
  const entry = index === undefined ? undefined : entries[Number(index)];
  if (!entry || !isOurs(entry)) return refusal;
  const number =
    entries
      .filter(isOurs)
      .filter(({ owner }) => owner === entry.owner)
      .indexOf(entry) + 1;
  return retold(refusal, { detail: `rule ${number} of ${entry.owner}: ${refusal.detail}` });
}

function toRuleset(answer: object): Ruleset {
  const { id, description, version, last_updated: lastUpdated, rules } = answer as Answer;
  return { id, description: description ?? '', version, lastUpdated, rules: rules ?? [] };
}

type Answer = {
  readonly id: string;
  readonly description?: string;
  readonly version: string;
  readonly last_updated: string;
  readonly rules?: readonly RemoteRule[];
};
