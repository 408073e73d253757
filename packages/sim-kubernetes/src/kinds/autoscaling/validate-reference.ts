import type { Draft } from '../../registry/json.ts';
import { pathSegmentName } from '../../registry/name-checks.ts';
import { invalidField, requiredField } from '../../schema/field-errors.ts';
import { text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';

/** Another object by kind and name. */
export function validateReference(reference: Draft, path: string, mayBeCore: boolean): Errors {
  const errors = ['kind', 'name'].flatMap((key) => {
    const value = text(reference, key);
    if (value === '') return [requiredField(`${path}.${key}`)];
    return pathSegmentName(value, false).map((fault) => invalidField(`${path}.${key}`, value, fault));
  });
  const version = text(reference, 'apiVersion');
  const parts = version.split('/');
  if (parts.length > 2) {
    errors.push(invalidField(`${path}.apiVersion`, version, `unexpected GroupVersion string: ${version}`));
  } else if (parts.length < 2 || parts[0] === '') {
    // The core group has nothing that scales but the ReplicationController, which may be named without its group.
    const isCore = version === 'v1' && text(reference, 'kind') === 'ReplicationController';
    if (!isCore && !mayBeCore)
      errors.push(invalidField(`${path}.apiVersion`, version, 'apiVersion must specify API group'));
  }
  return errors;
}
