import type { Draft } from '../registry/json.ts';
import { sameJson } from '../registry/same-json.ts';
import { compareVersions } from './compare-versions.ts';
import { isEmptySet } from './field-set.ts';
import type { FieldScope } from './field-scope.ts';
import type { ManagerName, Managers } from './managed-entries.ts';
import { identityOf } from './managed-entries.ts';
import { mergeValues } from './merge-values.ts';
import { pruneFields } from './prune-fields.ts';
import { stripFields } from './strip-fields.ts';
import { toFieldSet } from './to-field-set.ts';
import { reconcileManagers, releaseFields } from './update-managers.ts';

export type ApplyRequest = {
  readonly manager: string;
  readonly force: boolean;
  /** Now, as the server writes times. */
  readonly time: string;
};

export type Applied = {
  /** `undefined`: the object stays as it is. */
  readonly object: Draft | undefined;
  readonly managers: Managers;
};

/** Merges a configuration into an object. Throws FieldConflicts unless `force` says that they do not matter. */
export async function applyConfig(
  scope: FieldScope,
  live: Draft,
  config: Draft,
  before: Managers,
  { manager, force, time }: ApplyRequest,
): Promise<Applied> {
  const managers = new Map(before);
  reconcileManagers(scope, managers);
  const { apiVersion, subresource, type } = scope;
  const name: ManagerName = { manager, operation: 'Apply', apiVersion, subresource };
  const identity = identityOf(name);
  const last = managers.get(identity);
  const merged = mergeValues(live, config, type);
  const fields = scope.filterFor(apiVersion)(toFieldSet(config, type));
  managers.set(identity, { ...name, time: last?.time, fields });
  const pruned = (await pruneFields(scope, merged, managers, last)) as Draft;
  releaseFields(managers, await compareVersions(scope, live, pruned, managers), identity, force);
  const object = sameJson(live, pruned) ? undefined : pruned;
  const own = managers.get(identity);
  if (own !== undefined) {
    const kept = stripFields(own.fields);
    if (isEmptySet(kept)) managers.delete(identity);
    else managers.set(identity, { ...own, fields: kept, time: object === undefined ? own.time : time });
  }
  return { object, managers };
}
