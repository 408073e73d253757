import { differingPolicyFields } from '../access-policy-fields.ts';
import type { WireFields } from '../compare-fields.ts';
import type { OwnPolicy, SharedPolicy } from './contract.ts';

/** A policy of an application as the API shows it: in full, shared ones too. */
export type AttachedPolicy = WireFields & {
  readonly id: string;
  readonly name: string;
  readonly precedence: number;
  readonly reusable?: boolean;
};

export type WantedPolicies = { readonly own: readonly OwnPolicy[]; readonly shared: readonly SharedPolicy[] };

/** Which policies we have put there: the application's own by their names, shared ones by their ids. */
export type PolicyRecord = { readonly names: readonly string[]; readonly attached: readonly string[] };

export type MergedPolicies = {
  /** The whole list to send, in order. */
  readonly list: readonly WireFields[];
  readonly changed: boolean;
  /** The ids of the application's own policies, by name. */
  readonly ids: Readonly<Record<string, string>>;
};

export function recordOf({ own, shared }: WantedPolicies): PolicyRecord {
  return { names: own.map(({ name }) => name), attached: shared.map(({ id }) => id) };
}

/**
 * Ours among those that somebody else has put there. An application takes its policies as one list, so the others are
 * sent along as they are; they make room only where one of ours has their place.
 */
export function mergePolicies(
  wanted: WantedPolicies,
  observed: readonly AttachedPolicy[],
  record: PolicyRecord | undefined,
): MergedPolicies {
  const found = new Map(wanted.own.map((policy) => [policy.name, findOwn(policy.name, observed)] as const));
  const own = wanted.own.map((policy) => ({ ...toBody(policy), ...idOf(found.get(policy.name)) }));
  const ours = [...own, ...wanted.shared];
  const foreign = keepPlaces(
    foreignOf(wanted, observed, found, record),
    new Set(ours.map(({ precedence }) => precedence)),
  );
  const list = [...ours, ...foreign].toSorted((a, b) => a.precedence - b.precedence);
  const ids = [...found].flatMap(([name, policy]) => (policy ? [[name, policy.id] as const] : []));
  return { list, changed: isChanged(list, observed), ids: Object.fromEntries(ids) };
}

function findOwn(name: string, observed: readonly AttachedPolicy[]): AttachedPolicy | undefined {
  return observed.find((policy) => policy.reusable === false && policy.name === name);
}

function idOf(policy: AttachedPolicy | undefined): { readonly id?: string } {
  return policy ? { id: policy.id } : {};
}

type Placed = { readonly id: string; readonly precedence: number };

function foreignOf(
  { shared }: WantedPolicies,
  observed: readonly AttachedPolicy[],
  found: ReadonlyMap<string, AttachedPolicy | undefined>,
  record: PolicyRecord = { names: [], attached: [] },
): readonly Placed[] {
  const mine = new Set([...found.values()].map((policy) => policy?.id));
  const sharedIds = new Set([...shared.map(({ id }) => id), ...record.attached]);
  const wasOurs = ({ id, name, reusable }: AttachedPolicy): boolean =>
    reusable === false ? mine.has(id) || (record.names.includes(name) && !found.has(name)) : sharedIds.has(id);
  return observed.filter((policy) => !wasOurs(policy)).map(({ id, precedence }) => ({ id, precedence }));
}

/** No two policies share a place; those of others keep their order among each other. */
function keepPlaces(foreign: readonly Placed[], taken: ReadonlySet<number>): readonly Placed[] {
  const used = new Set(taken);
  return foreign
    .toSorted((a, b) => a.precedence - b.precedence)
    .map(({ id, precedence }) => {
      let place = precedence;
      while (used.has(place)) place += 1;
      used.add(place);
      return { id, precedence: place };
    });
}

function toBody({ sessionDuration, include = [], exclude = [], require = [], ...policy }: OwnPolicy): WireFields & {
  readonly precedence: number;
} {
  return { ...policy, include, exclude, require, ...(sessionDuration && { session_duration: sessionDuration }) };
}

function isChanged(list: readonly WireFields[], observed: readonly AttachedPolicy[]): boolean {
  const seen = new Map(observed.map((policy) => [policy.id, policy]));
  if (list.length !== observed.length) return true;
  return list.some((policy) => {
    const there = seen.get(String(policy['id']));
    if (!there || there.precedence !== policy['precedence']) return true;
    return policy['decision'] !== undefined && differingPolicyFields(policy, there).length > 0;
  });
}
