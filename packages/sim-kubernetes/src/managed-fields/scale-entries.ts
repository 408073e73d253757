// A Scale is a view of one field of its parent, so its managers are those of that field, under another name.
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { difference, hasPath, insertAt, isEmptySet, setOf } from './field-set.ts';
import type { ManagedFieldsEntry, Manager, Managers } from './managed-entries.ts';
import { identityOf, toEntries, toManagers } from './managed-entries.ts';

/**
 * Where the parent keeps its replicas, by version: a path, null for a version that cannot be scaled, undefined for one
 * that is not served.
 */
export type ReplicasPaths = (apiVersion: string) => readonly string[] | null | undefined;

const scaleVersion = 'autoscaling/v1';
const replicasOfScale = setOf(['spec', 'replicas']);
const replicasPath = ['f:spec', 'f:replicas'];

/** The managers of the replicas as the Scale shows them. */
export function toScaleEntries(
  parent: readonly ManagedFieldsEntry[],
  pathIn: ReplicasPaths,
): readonly ManagedFieldsEntry[] | undefined {
  const managers: Managers = new Map();
  for (const manager of toManagers(parent).values()) {
    const path = pathIn(manager.apiVersion);
    if (!path || !hasPath(manager.fields, path)) continue;
    const own = { ...manager, apiVersion: scaleVersion, fields: replicasOfScale };
    managers.set(identityOf(own), own);
  }
  return toEntries(managers);
}

/** The managers of the parent after its Scale was written. */
export function toParentEntries(
  parent: readonly ManagedFieldsEntry[],
  scale: readonly ManagedFieldsEntry[],
  apiVersion: string,
  pathIn: ReplicasPaths,
): readonly ManagedFieldsEntry[] | undefined {
  const before = toManagers(parent);
  const ofScale = toManagers(scale);
  const after: Managers = new Map();
  for (const [identity, manager] of before) {
    const path = pathIn(manager.apiVersion);
    if (path === undefined) continue;
    const kept = path === null ? manager : keepReplicas(identity, manager, path, ofScale);
    if (kept !== undefined) after.set(identity, kept);
  }
  const fields: FieldSetDraft = {};
  insertAt(fields, pathIn(apiVersion) ?? []);
  for (const [identity, manager] of ofScale) {
    // The time is that of an entry by this name in the parent, which a manager that is new here has not.
    const { time } = before.get(identity) ?? { time: undefined };
    if (hasPath(manager.fields, replicasPath)) after.set(identity, { ...manager, apiVersion, fields, time });
  }
  return toEntries(after);
}

/** Whoever is no longer a manager of the Scale has lost the replicas. */
function keepReplicas(
  identity: string,
  manager: Manager,
  path: readonly string[],
  ofScale: Managers,
): Manager | undefined {
  if (!hasPath(manager.fields, path) || ofScale.delete(identity)) return manager;
  const replicas: FieldSetDraft = {};
  insertAt(replicas, path);
  const fields: FieldSet = difference(manager.fields, replicas);
  return isEmptySet(fields) ? undefined : { ...manager, fields };
}
