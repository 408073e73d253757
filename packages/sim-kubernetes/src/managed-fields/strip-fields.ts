import type { FieldSet } from './field-set.ts';
import { difference, setOf } from './field-set.ts';

/** What identifies an object or is the server's own business: nobody owns it. */
const never = setOf(
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'clusterName'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
);

export function stripFields(fields: FieldSet): FieldSet {
  return difference(fields, never);
}
