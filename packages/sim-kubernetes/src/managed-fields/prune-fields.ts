import type { FieldSet } from './field-set.ts';
import { difference, intersection, isEmptySet, union } from './field-set.ts';
import { typedAt } from './compare-versions.ts';
import type { FieldScope, Typed } from './field-scope.ts';
import type { Manager, Managers } from './managed-entries.ts';
import type { MergeType } from './merge-type.ts';
import { withNamedFields } from './named-fields.ts';
import { removeItems } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';

/**
 * Removes from a merged object what its manager applied the last time and does not apply now, unless somebody else
 * owns it as well. `managers` already holds what is applied now.
 */
export async function pruneFields(
  scope: FieldScope,
  merged: unknown,
  managers: Managers,
  last: Manager | undefined,
): Promise<unknown> {
  if (last === undefined || isEmptySet(last.fields)) return merged;
  const type = typeIn(scope, last.apiVersion);
  if (type === undefined) return merged;
  const whole = await typedAt(scope, merged, last.apiVersion, type);
  const bare: Typed = { value: removeItems(whole.value, withNamedFields(last.fields, type), type), type };
  const owned = await addBackOwned(scope, whole, bare, last.apiVersion, managers);
  const pruned = await addBackDangling(scope, whole, owned, last, type);
  return (await typedAt(scope, pruned, scope.apiVersion, scope.type)).value;
}

function typeIn(scope: FieldScope, apiVersion: string): MergeType | undefined {
  return apiVersion === scope.apiVersion ? scope.type : scope.typeAt(apiVersion);
}

/** Version after version, the one that was pruned first: without it a conversion might miss a field that it needs. */
async function addBackOwned(
  scope: FieldScope,
  whole: Typed,
  bare: Typed,
  prunedVersion: string,
  managers: Managers,
): Promise<Typed> {
  const owned = new Map<string, FieldSet>([[prunedVersion, {}]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? {}, fields));
  }
  let [merged, pruned] = [whole, bare];
  for (const [apiVersion, fields] of owned) {
    const type = typeIn(scope, apiVersion);
    if (type === undefined) continue;
    merged = await typedAt(scope, merged.value, apiVersion, type);
    pruned = await typedAt(scope, pruned.value, apiVersion, type);
    const kept = union(namedFields(pruned), withNamedFields(fields, type));
    pruned = { value: removeItems(merged.value, difference(namedFields(merged), kept), type), type };
  }
  return pruned;
}

/** What nobody owns stays as well: only what the manager had applied itself goes. */
async function addBackDangling(
  scope: FieldScope,
  whole: Typed,
  pruned: Typed,
  last: Manager,
  type: MergeType,
): Promise<unknown> {
  const there = await typedAt(scope, pruned.value, last.apiVersion, type);
  const gone = difference(namedFields(whole), namedFields(there));
  return removeItems(whole.value, intersection(gone, withNamedFields(last.fields, type)), type);
}

function namedFields({ value, type }: Typed): FieldSet {
  return withNamedFields(toFieldSet(value, type), type);
}
