import { isDeepStrictEqual } from 'node:util';
import type { PodCondition } from '../contract/pod.ts';
import { findCondition } from './pod-conditions.ts';

type Fields = Readonly<Record<string, unknown>>;

/** These lists have merge keys in the API: to say the whole list, a strategic merge patch must say so. */
const mergedLists = new Set(['podIPs', 'hostIPs']);

/**
 * The strategic merge patch that gives a pod's status the wanted fields, undefined when it has them. Conditions go one by one,
 * by their type, so that what somebody else sets at the same moment is not lost; fields that are not named are left alone.
 */
export function statusPatch(before: Fields, wanted: Fields): Fields | undefined {
  const patch: Record<string, unknown> = {};
  for (const [field, next] of Object.entries(wanted)) {
    if (field === 'conditions') continue;
    if (isDeepStrictEqual(before[field] ?? null, next ?? null)) continue;
    patch[field] = next === undefined ? null : mergedLists.has(field) ? replaced(next as readonly unknown[]) : next;
  }
  const conditions = conditionPatch(conditionsOf(before), conditionsOf(wanted));
  if (conditions.length > 0) patch['conditions'] = conditions;
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Only what changed, and what is gone. */
function conditionPatch(before: readonly PodCondition[], wanted: readonly PodCondition[]): readonly Fields[] {
  const changed = wanted.flatMap((condition) => {
    const known = findCondition(before, condition.type);
    if (known && isDeepStrictEqual(withoutNulls(known), withoutNulls(condition))) return [];
    // A field that the old condition has and the new one has not would survive the merge.
    const dropped = Object.keys(known ?? {}).filter((field) => !(field in condition));
    return [{ ...condition, ...Object.fromEntries(dropped.map((field) => [field, null])) }];
  });
  const gone = before.filter(({ type }) => !findCondition(wanted, type));
  return [...changed, ...gone.map(({ type }) => ({ $patch: 'delete', type }))];
}

/** Servers write a time that was never set as null. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

function conditionsOf(status: Fields): readonly PodCondition[] {
  return (status['conditions'] ?? []) as readonly PodCondition[];
}

function replaced(list: readonly unknown[]): readonly unknown[] {
  return [...list, { $patch: 'replace' }];
}
