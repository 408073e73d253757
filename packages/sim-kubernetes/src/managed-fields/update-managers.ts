import type { Comparison } from './compare-values.ts';
import type { VersionedComparisons } from './compare-versions.ts';
import type { FieldSet } from './field-set.ts';
import { difference, intersection, isEmptySet, union } from './field-set.ts';
import { pathsOf } from './field-order.ts';
import type { FieldScope } from './field-scope.ts';
import type { Managers } from './managed-entries.ts';
import { dropEmpty } from './managed-entries.ts';
import type { MergeType } from './merge-type.ts';
import { reconcileSet } from './reconcile-set.ts';

export type Conflict = { readonly identity: string; readonly path: readonly string[] };

/** An applied configuration wants to change what others own. */
export class FieldConflicts extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('conflicts');
    this.conflicts = conflicts;
  }
}

/** Takes from every manager but the one that writes what the write has changed or removed. */
export function releaseFields(
  managers: Managers,
  comparisons: VersionedComparisons,
  writer: string | undefined,
  force: boolean,
): void {
  const lost = new Map<string, FieldSet>();
  const changed = new Map([...comparisons].map(([version, comparison]) => [version, changedFields(comparison)]));
  for (const [identity, { apiVersion, fields }] of managers) {
    const taken = identity === writer ? undefined : intersection(changed.get(apiVersion) ?? {}, fields);
    if (taken !== undefined && !isEmptySet(taken)) lost.set(identity, taken);
  }
  if (!force && lost.size > 0) throw new FieldConflicts([...lost].toSorted(byIdentity).flatMap(toConflicts));
  for (const [identity, manager] of managers) {
    if (identity === writer) continue;
    const kept = difference(manager.fields, lost.get(identity) ?? {});
    const fields = difference(kept, comparisons.get(manager.apiVersion)?.removed ?? {});
    if (fields !== manager.fields) managers.set(identity, { ...manager, fields });
  }
  dropEmpty(managers);
}

function byIdentity([a]: [string, FieldSet], [b]: [string, FieldSet]): number {
  return a < b ? -1 : 1;
}

function toConflicts([identity, fields]: [string, FieldSet]): readonly Conflict[] {
  return pathsOf(fields).map((path) => ({ identity, path }));
}

export function changedFields({ modified, added }: Comparison): FieldSet {
  return union(modified, added);
}

// What was reconciled once with a type need not be again: sets and types never change.
const reconciled = new WeakMap<MergeType, WeakSet<FieldSet>>();

/** Brings the sets in line with schemas that changed since they were written. Unserved versions are left alone. */
export function reconcileManagers(scope: FieldScope, managers: Managers): void {
  if (!scope.changeable) return;
  for (const [identity, manager] of managers) {
    const own = manager.apiVersion === scope.apiVersion;
    const type = own ? scope.type : scope.typeAt(manager.apiVersion);
    if (type === undefined) continue;
    let known = reconciled.get(type);
    if (known === undefined) reconciled.set(type, (known = new WeakSet()));
    if (known.has(manager.fields)) continue;
    const fields = reconcileSet(manager.fields, type);
    known.add(fields);
    if (fields !== manager.fields) managers.set(identity, { ...manager, fields });
  }
}
