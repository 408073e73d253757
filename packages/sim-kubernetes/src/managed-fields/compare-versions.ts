import type { Draft } from '../registry/json.ts';
import type { Comparison } from './compare-values.ts';
import { compareValues } from './compare-values.ts';
import type { FieldScope, Typed } from './field-scope.ts';
import type { Managers } from './managed-entries.ts';
import type { MergeType } from './merge-type.ts';
import { checkTyped } from './validate-typed.ts';

/** What changed, in each version that a manager wrote in. */
export type VersionedComparisons = ReadonlyMap<string, Comparison>;

/**
 * Compares two objects of the scope in its own version and in those of the managers. Managers of versions that are
 * gone are dropped. Nearly every object has managers of one version only, and is not waited for.
 */
export function compareVersions(
  scope: FieldScope,
  before: unknown,
  after: unknown,
  managers: Managers,
): VersionedComparisons | Promise<VersionedComparisons> {
  const own = filtered(scope, scope.apiVersion, compareValues(before, after, scope.type));
  const found = new Map([[scope.apiVersion, own]]);
  const others = dropUnserved(scope, managers);
  return others.size === 0 ? found : addOthers(scope, before as Draft, after as Draft, others, found);
}

async function addOthers(
  scope: FieldScope,
  before: Draft,
  after: Draft,
  others: ReadonlyMap<string, MergeType>,
  found: Map<string, Comparison>,
): Promise<VersionedComparisons> {
  for (const [apiVersion, type] of others) {
    const left = await typedAt(scope, before, apiVersion, type);
    const right = await typedAt(scope, after, apiVersion, type);
    found.set(apiVersion, filtered(scope, apiVersion, compareValues(left.value, right.value, type)));
  }
  return found;
}

/** An object in another version. Throws when it does not fit the schema of that version. */
export async function typedAt(
  { convert }: FieldScope,
  object: unknown,
  apiVersion: string,
  type: MergeType,
): Promise<Typed> {
  if ((object as Draft)['apiVersion'] === apiVersion) return { value: object, type };
  const value = await convert(object as Draft, apiVersion);
  checkTyped(value, type, false);
  return { value, type };
}

function dropUnserved(scope: FieldScope, managers: Managers): ReadonlyMap<string, MergeType> {
  const others = new Map<string, MergeType>();
  for (const [identity, { apiVersion }] of managers) {
    if (apiVersion === scope.apiVersion || others.has(apiVersion)) continue;
    const type = scope.typeAt(apiVersion);
    if (type === undefined) managers.delete(identity);
    else others.set(apiVersion, type);
  }
  return others;
}

function filtered(scope: FieldScope, apiVersion: string, comparison: Comparison): Comparison {
  const filter = scope.filterFor(apiVersion);
  return {
    removed: filter(comparison.removed),
    modified: filter(comparison.modified),
    added: filter(comparison.added),
  };
}
