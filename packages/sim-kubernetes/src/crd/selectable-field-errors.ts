import type { FieldError } from '../registry/field-error.ts';
import { followFieldPath } from '../schema/cel/rule-field-path.ts';
import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  requiredField,
  tooManyField,
} from '../schema/field-errors.ts';
import type { CrdVersion } from './crd-object.ts';

const mostFields = 8;

/** Fields that selectors may name: plain values outside of metadata, each once. */
export function selectableFieldErrors(version: CrdVersion, at: string): readonly FieldError[] {
  const { selectableFields = [] } = version;
  const schema = version.schema?.openAPIV3Schema;
  if (selectableFields.length === 0 || !schema) return [];
  const seen = new Set<string>();
  const errors = selectableFields.flatMap(({ jsonPath = '' }, index) => {
    const here = childPath(keyPath(at, index), 'jsonPath');
    if (jsonPath === '') return [requiredField(here)];
    const target = followFieldPath(jsonPath, schema, { allowBrackets: false });
    if (typeof target === 'string') return [invalidField(here, jsonPath, `is an invalid path: ${target}`)];
    const twice = seen.has(target.path);
    seen.add(target.path);
    const selectable = ['string', 'boolean', 'integer'].includes(target.schema.type ?? '');
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    return [
      ...(target.root === 'metadata' ? [invalidField(here, jsonPath, 'must not point to fields in metadata')] : []),
      ...(selectable ? [] : [invalidField(here, jsonPath, detail)]),
      ...(twice ? [duplicateField(here, jsonPath)] : []),
    ];
  });
  return seen.size > mostFields ? [...errors, tooManyField(at, seen.size, mostFields)] : errors;
}
