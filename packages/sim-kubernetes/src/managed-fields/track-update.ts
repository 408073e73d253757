import { capManagers } from './cap-managers.ts';
import { compareVersions } from './compare-versions.ts';
import type { VersionedComparisons } from './compare-versions.ts';
import { isEmptySet, union } from './field-set.ts';
import type { FieldScope } from './field-scope.ts';
import type { ManagerName, Managers } from './managed-entries.ts';
import { identityOf } from './managed-entries.ts';
import { stripFields } from './strip-fields.ts';
import { changedFields, reconcileManagers, releaseFields } from './update-managers.ts';

/** Gives a manager the fields that it changed. The table is changed in place; a promise when versions differ. */
export function trackUpdate(
  scope: FieldScope,
  before: unknown,
  after: unknown,
  managers: Managers,
  writer: { readonly manager: string; readonly time: string },
): void | Promise<void> {
  reconcileManagers(scope, managers);
  const comparisons = compareVersions(scope, before, after, managers);
  if (comparisons instanceof Promise) return comparisons.then((found) => record(scope, managers, found, writer));
  record(scope, managers, comparisons, writer);
}

function record(
  { apiVersion, subresource }: FieldScope,
  managers: Managers,
  comparisons: VersionedComparisons,
  { manager, time }: { readonly manager: string; readonly time: string },
): void {
  releaseFields(managers, comparisons, undefined, true);
  const own = comparisons.get(apiVersion);
  const fields = own === undefined ? {} : stripFields(changedFields(own));
  if (!isEmptySet(fields)) {
    const name: ManagerName = {
      manager: manager === '' ? 'unknown' : manager,
      operation: 'Update',
      apiVersion,
      subresource,
    };
    const identity = identityOf(name);
    const previous = managers.get(identity);
    managers.set(identity, { ...name, time, fields: previous ? union(fields, previous.fields) : fields });
  }
  capManagers(managers);
}
