import type { FieldError } from '../../registry/field-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import { subdomainName } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, invalidField, tooLongField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { flag, textMap } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkDataKey, checkPrefix } from '../validation/field-checks.ts';

export const maxDataBytes = 1024 * 1024;

export const configMap: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  strategy: {
    noGeneration: true,
    validate: (object) => {
      const data = textMap(object, 'data');
      const binary = textMap(object, 'binaryData');
      const errors: FieldError[] = [];
      for (const key of Object.keys(data)) {
        errors.push(...checkDataKey(key, 'data'));
        if (key in binary) errors.push(invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData'));
      }
      for (const key of Object.keys(binary)) errors.push(...checkDataKey(key, 'binaryData'));
      const size = sum(Object.values(data).map((value) => Buffer.byteLength(value))) + decodedBytes(binary);
      if (size > maxDataBytes) errors.push(tooLongField('[]', maxDataBytes));
      return errors;
    },
    validateUpdate: (next, old) => [
      ...checkPrefix(next, subdomainName),
      ...validateFrozen(next, old, ['data', 'binaryData']),
    ],
  },
};

/** What is immutable stays so, with its data. */
export function validateFrozen(next: JsonObject, old: JsonObject, fields: readonly string[]): Errors {
  if (!flag(old, 'immutable')) return [];
  const changed = fields.filter((field) => !sameJson(next[field], old[field]));
  return [...(flag(next, 'immutable') ? [] : ['immutable']), ...changed].map((field) =>
    forbiddenField(field, 'field is immutable when `immutable` is set'),
  );
}

/** The size of values that are written in base64. */
export function decodedBytes(values: Readonly<Record<string, string>>): number {
  return sum(Object.values(values).map((value) => Buffer.byteLength(value, 'base64')));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
