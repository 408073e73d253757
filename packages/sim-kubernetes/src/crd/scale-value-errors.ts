import type { FieldError } from '../registry/field-error.ts';
import type { JsonObject } from '../registry/json.ts';
import { invalidField } from '../schema/field-errors.ts';
import { isRecord } from '../schema/schema-walk.ts';
import type { CrdVersion } from './crd-object.ts';

type Scale = NonNullable<NonNullable<CrdVersion['subresources']>['scale']>;

const most = 2 ** 31 - 1;

/** The numbers that `scale` shows must be such that it can show them. */
export function scaleValueErrors(object: JsonObject, scale: Scale): readonly FieldError[] {
  return [scale.specReplicasPath, scale.statusReplicasPath].flatMap((path) =>
    path === undefined ? [] : replicaErrors(object, path),
  );
}

function replicaErrors(object: JsonObject, path: string): readonly FieldError[] {
  const value = path
    .replace(/^\./, '')
    .split('.')
    .reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), object);
  if (typeof value !== 'number') return [];
  if (value < 0) return [invalidField(path, value, 'should be a non-negative integer')];
  return value > most ? [invalidField(path, value, `should be less than or equal to ${most}`)] : [];
}
