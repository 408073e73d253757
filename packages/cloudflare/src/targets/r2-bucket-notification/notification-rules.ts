import type { Loser } from '../../engine/l4-state/loser.ts';
import { readMark, withMark, withoutMark } from '../../engine/l4-state/ownership-mark.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import type { Source, SourceRef } from '../../engine/l4-state/source.ts';
import type { Aggregate } from '../../engine/l5-sync/target.ts';
import type { NotificationRule, R2BucketNotificationConfig } from './contract.ts';

/** A rule that is there. */
export type RemoteRule = NotificationRule & { readonly ruleId: string };
export type ObservedRules = { readonly queueId: string; readonly rules: readonly RemoteRule[] };

type WantedRule = { readonly owner: string; readonly rule: NotificationRule; readonly adopt?: true };

export type WantedRules = {
  readonly rules: readonly WantedRule[];
  /** Once it has met what is there. */
  readonly merged?: {
    readonly kept: readonly RemoteRule[];
    readonly add: readonly NotificationRule[];
    readonly drop: readonly RemoteRule[];
    readonly foreign: readonly RemoteRule[];
  };
};

/** Ids are given by the provider, so what a rule says stands for it until they are known. */
export type RecordedRules = { readonly rules: readonly string[]; readonly ids?: readonly string[] };

/** All rules of all sources. Two may not be about the same event: the first one has it. */
export function aggregateNotifications(sources: readonly Source<R2BucketNotificationConfig>[]): Aggregate<WantedRules> {
  const rules: (WantedRule & { readonly ref: SourceRef })[] = [];
  const losers: Loser[] = [];
  for (const { ref, config } of sources) {
    for (const rule of config.rules) {
      const other = rules.find((each) => overlaps(each.rule, rule));
      if (other) losers.push(toLoser(ref, rule, other));
      else rules.push({ ref, owner: sourceId(ref), rule: marked(rule, ref), ...(config.adopt && { adopt: true }) });
    }
  }
  return { ok: true, desired: { rules: rules.map(({ ref: _ref, ...rule }) => rule) }, losers };
}

/** The API adds and drops rules; which ones follows from whose those are that are there. */
export function mergeNotifications(
  { rules }: WantedRules,
  observed: ObservedRules | undefined,
  recorded: RecordedRules | undefined,
): WantedRules {
  const there = observed?.rules ?? [];
  const ours = new Set(there.filter((remote) => isOurs(remote, rules, recorded)));
  const kept = new Map<WantedRule, RemoteRule>();
  for (const one of rules) {
    const remote = there.find((each) => isSame(one.rule, each) && ![...kept.values()].includes(each));
    if (remote) kept.set(one, remote);
  }
  const keeps = new Set(kept.values());
  const drop = there.filter((remote) => !keeps.has(remote) && (ours.has(remote) || isGivenAway(remote, rules)));
  const merged = {
    kept: [...keeps],
    add: rules.filter((one) => !kept.has(one)).map(({ rule }) => rule),
    drop,
    foreign: there.filter((remote) => !keeps.has(remote) && !drop.includes(remote)),
  };
  return { rules, merged };
}

export function differingRules({ merged }: WantedRules, { rules }: ObservedRules): readonly string[] {
  const { add = [], drop = [] } = merged ?? {};
  const ids = new Set(rules.map(({ ruleId }) => ruleId));
  return [
    ...add.filter((rule) => !rules.some((remote) => isSame(rule, remote))).map((rule) => `+ ${nameOf(rule)}`),
    ...drop.filter(({ ruleId }) => ids.has(ruleId)).map((rule) => `- ${nameOf(rule)}`),
  ];
}

export function recordNotifications({ rules, merged }: WantedRules, observed?: ObservedRules): RecordedRules {
  const texts = rules.map(({ rule }) => textOf(rule));
  if (!observed) return { rules: texts };
  const kept = new Set(merged?.kept.map(({ ruleId }) => ruleId));
  const ours = observed.rules.filter((remote) => kept.has(remote.ruleId) || texts.includes(textOf(remote)));
  return { rules: texts, ids: ours.map(({ ruleId }) => ruleId) };
}

/** Whether one event could meet both, which the API does not allow within a bucket. */
export function overlaps(a: NotificationRule, b: NotificationRule): boolean {
  return (
    a.actions.some((action) => b.actions.includes(action)) &&
    (a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)) &&
    (a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix))
  );
}

/** For people. */
export function nameOf({ actions, prefix, suffix }: NotificationRule): string {
  return `${actions.join(', ')} of ${prefix}*${suffix}`;
}

function isOurs(remote: RemoteRule, wanted: readonly WantedRule[], recorded: RecordedRules | undefined): boolean {
  if (recorded) return (recorded.ids ?? []).includes(remote.ruleId) || recorded.rules.includes(textOf(remote));
  // Nothing is remembered: marks lead back to ours.
  const mark = readMark(remote.description);
  return mark?.kind === 'object' && wanted.some(({ owner }) => owner === sourceId(mark.owner));
}

/** The same, but for a mark that another hand has left out. */
function isSame(rule: NotificationRule, remote: RemoteRule): boolean {
  if (textOf(rule) === textOf(remote)) return true;
  const isUnmarked = readMark(remote.description) === undefined;
  return isUnmarked && textWith(rule, withoutMark(rule.description)) === textOf(remote);
}

/** Somebody else's rule about the very events that one of ours is about, whose author may take it over. */
function isGivenAway(remote: RemoteRule, wanted: readonly WantedRule[]): boolean {
  return wanted.some(({ rule, adopt }) => adopt && textWith(rule, '') === textWith(remote, ''));
}

function textWith(rule: NotificationRule, description: string): string {
  return textOf({ ...rule, description });
}

function textOf({ actions, prefix, suffix, description }: NotificationRule): string {
  return JSON.stringify([actions.toSorted(), prefix, suffix, description]);
}

function marked(rule: NotificationRule, ref: SourceRef): NotificationRule {
  const text = withMark(rule.description, ref, Number.POSITIVE_INFINITY);
  return { ...rule, description: text.ok ? text.text : rule.description };
}

function toLoser(ref: SourceRef, rule: NotificationRule, other: WantedRule & { readonly ref: SourceRef }): Loser {
  const reason = `${other.owner} has ${nameOf(other.rule)}, and rules of a bucket may not overlap`;
  return { ref, what: nameOf(rule), winner: other.ref, reason };
}
