import type { KubeObject } from '../object.ts';

type Mutable = { metadata: { managedFields?: unknown } };

/**
 * Drops what no controller reads and what makes up a third of an object. By assignment: `delete` would turn the
 * object into a dictionary, which costs more memory than the fields did.
 */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields !== undefined) (object as unknown as Mutable).metadata.managedFields = undefined;
  return object;
}
