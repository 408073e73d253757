import { hashOf } from '@tributary/runtime';
import { readMark } from '../../engine/l4-state/ownership-mark.ts';
import type { Mark } from '../../engine/l4-state/ownership-mark.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { isOurs, textOf } from './ruleset.ts';
import type { Entry, OurEntry, RecordedRules, RemoteRule, Ruleset, WantedRule, WantedRuleset } from './ruleset.ts';

/**
 * The rules of a phase are one list of many authors, which the API replaces as a whole. Ours are those that we recorded
 * before we wrote them, and those marked by a source of which nothing is recorded; all else is foreign, and stays byte
 * for byte between the neighbours that it had.
 */
export function mergeRules(
  wanted: WantedRuleset,
  observed: Ruleset | undefined,
  recorded: RecordedRules | undefined,
): WantedRuleset {
  const found = observed?.rules ?? [];
  const owners = ownersOf(wanted.rules, found, recorded);
  const taken = refsOfOthers(wanted.rules, found, owners);
  const rules = wanted.rules.filter(({ rule }) => !taken.includes(rule.ref ?? ''));
  const entries = toEntries(rules, found, owners);
  const description = wanted.description ?? keptDescription(observed, recorded);
  return { ...wanted, merged: { description, entries: placeAmong(found, owners, entries), taken } };
}

/** Of a wish that has not met what is there, refs are not known; how many rules an owner has is. */
export function recordRules({ rules, description, merged }: WantedRuleset): RecordedRules {
  const ours = merged
    ? merged.entries.filter(isOurs).map(({ ref, owner }) => ({ ref, owner }))
    : rules.map(({ rule, owner }) => ({ ref: rule.ref ?? '', owner }));
  return { ...(description !== undefined && { description }), rules: ours };
}

/** By number, not by ref: a rule that says something else now has not been deleted. */
export function entryNames({ rules }: RecordedRules): readonly string[] {
  const counts = new Map<string, number>();
  return rules.map(({ owner }) => {
    const number = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, number);
    return `rule ${number} of ${owner}`;
  });
}

/** The rules of ours that are there, each with its owner. */
type Owners = ReadonlyMap<RemoteRule, string>;

function ownersOf(
  wanted: readonly WantedRule[],
  found: readonly RemoteRule[],
  recorded: RecordedRules | undefined,
): Owners {
  const known = new Map(recorded?.rules.map(({ ref, owner }) => [ref, owner]));
  const remembered = new Set(known.values());
  const unknown = new Set(wanted.map(({ owner }) => owner).filter((owner) => !remembered.has(owner)));
  const chosen = new Map(wanted.flatMap((one) => (one.rule.ref === undefined ? [] : [[one.rule.ref, one] as const])));
  return new Map(
    found.flatMap((remote) => {
      const marked = ownerIn(readMark(remote.description), unknown);
      const asked = chosen.get(remote.ref);
      const isAdopted = asked && (asked.adopt || isWanted(asked, remote));
      const owner = known.get(remote.ref) ?? marked ?? (isAdopted ? asked.owner : undefined);
      return owner === undefined ? [] : [[remote, owner] as const];
    }),
  );
}

function ownerIn(mark: Mark | undefined, owners: ReadonlySet<string>): string | undefined {
  const owner = mark?.kind === 'object' ? sourceId(mark.owner) : undefined;
  return owner !== undefined && owners.has(owner) ? owner : undefined;
}

/** Whether somebody has made the very rule, with the very ref, that one of ours asks for. */
function isWanted({ rule }: WantedRule, remote: RemoteRule): boolean {
  return textOf({ ...rule, description: '' }) === textOf({ ...remote, description: '' });
}

function refsOfOthers(wanted: readonly WantedRule[], found: readonly RemoteRule[], owners: Owners): readonly string[] {
  const foreign = new Set(found.filter((remote) => !owners.has(remote)).map(({ ref }) => ref));
  return wanted.flatMap(({ rule }) => (rule.ref !== undefined && foreign.has(rule.ref) ? [rule.ref] : []));
}

/**
 * Which of the rules that are there each wanted one is, so that ids survive: the one with its ref; else one that says the
 * same; else one of that description; else the next of its owner that nobody else is.
 */
function toEntries(wanted: readonly WantedRule[], found: readonly RemoteRule[], owners: Owners): readonly OurEntry[] {
  const free = new Set(owners.keys());
  const before = new Map<WantedRule, RemoteRule>();
  const match = (fits: (one: WantedRule, remote: RemoteRule) => boolean): void => {
    for (const one of wanted.filter((each) => !before.has(each))) {
      const remote = [...free].find((each) => owners.get(each) === one.owner && fits(one, each));
      if (!remote) continue;
      before.set(one, remote);
      free.delete(remote);
    }
  };
  const chosen = new Set(wanted.flatMap(({ rule }) => rule.ref ?? []));
  const isFree = ({ ref }: RemoteRule): boolean => !chosen.has(ref);
  match(({ rule }, remote) => rule.ref === remote.ref);
  match(({ rule }, remote) => isFree(remote) && textOf(rule) === textOf(remote));
  match(({ rule }, remote) => isFree(remote) && rule.description === remote.description);
  match((_one, remote) => isFree(remote));
  const refs = new Set([...found.map(({ ref }) => ref), ...chosen]);
  return wanted.map((one) => {
    const { owner, rule } = one;
    const remote = before.get(one);
    return { owner, ref: rule.ref ?? remote?.ref ?? newRef(one, refs), before: remote, rule };
  });
}

/** A function of the rule alone where it can be, so that a write that is repeated says the same. */
function newRef({ owner, rule }: WantedRule, refs: Set<string>): string {
  for (let number = 0; ; number += 1) {
    const ref = `managed-${hashOf([owner, textOf(rule), number]).slice(0, 20)}`;
    if (refs.has(ref)) continue;
    refs.add(ref);
    return ref;
  }
}

/** Ours take the places that ours had, in our order; those that are more follow the last of them, or stand at the end. */
function placeAmong(found: readonly RemoteRule[], owners: Owners, entries: readonly OurEntry[]): readonly Entry[] {
  const last = found.findLastIndex((remote) => owners.has(remote));
  const rest = [...entries];
  const placed = found.flatMap((remote, index): readonly Entry[] => {
    if (!owners.has(remote)) return [{ foreign: remote }];
    return rest.splice(0, index === last ? rest.length : 1);
  });
  return [...placed, ...rest];
}

function keptDescription(observed: Ruleset | undefined, recorded: RecordedRules | undefined): string {
  const there = observed?.description ?? '';
  return recorded?.description !== undefined && recorded.description === there ? '' : there;
}
