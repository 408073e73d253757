import { recordWrite } from '../managed-fields/field-manager.ts';
import { fieldScopeOf } from '../managed-fields/field-scope-of.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { StoreConflict } from '../storage/store.ts';
import type { RestDeps, WriteContext, WriteTarget } from './rest-deps.ts';

/** Leaves in the draft's managedFields who made it so. A promise only when it takes a conversion to know. */
export function recordManager(
  { registry, hooks }: RestDeps,
  { type, subresource }: WriteTarget,
  current: StoredObject | undefined,
  draft: Draft,
  { fieldManager, untracked = false }: WriteContext,
): void | Promise<void> {
  if (untracked) return;
  const scope = fieldScopeOf(registry, type, subresource);
  return recordWrite(scope, current, draft, { manager: fieldManager, time: hooks.now() });
}

/** An object without its managedFields, which a draft of it need not carry: they are taken from the object itself. */
export function withoutManagers(object: StoredObject): StoredObject {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : { ...object, metadata };
}

/**
 * Stores a draft; when it is too large, once more without managedFields, which may be what makes it so. What was
 * applied is refused instead: without them the next application could remove nothing.
 */
export function storeWithin<Stored>(
  draft: Draft,
  { untracked = false }: WriteContext,
  store: (draft: Draft) => Stored | StoreConflict,
): Stored | StoreConflict {
  const result = store(draft);
  const { managedFields, ...metadata } = draft['metadata'] as Draft;
  if (untracked || managedFields === undefined || !isTooLarge(result)) return result;
  return store({ ...draft, metadata });
}

function isTooLarge(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'conflict' in result && result.conflict === 'too-large';
}
