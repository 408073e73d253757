import type { SchemaNode } from '../../packages/sim-kubernetes/src/registry/schema-node.ts';
import type { GoField } from './builtin-go-fields.ts';

/**
 * How Go writes the fields of one struct, as far as it differs from the usual: lists and maps are left out when
 * empty, scalars when zero, structs when absent.
 */
export type FieldEncoding = {
  /** Scalars behind a pointer: kept even when zero. */
  readonly kept?: readonly string[];
  /** Always written: a scalar as its zero value, a struct as `{}`, a list or map as `null`. */
  readonly always?: readonly string[];
  /** Struct values that are left out when all of them is empty. */
  readonly unlessZero?: readonly string[];
};

export function toFieldEncoding(schema: SchemaNode, fields: readonly GoField[]): FieldEncoding | undefined {
  const kept: string[] = [];
  const always: string[] = [];
  const unlessZero: string[] = [];
  for (const field of fields) {
    const property = schema.properties?.[field.json];
    if (property === undefined) continue;
    const struct = property.$ref !== undefined || property.allOf !== undefined;
    if (field.pointer) {
      if (!struct && property.type !== 'array' && property.additionalProperties === undefined) kept.push(field.json);
    } else if (field.omitZero && struct) unlessZero.push(field.json);
    // encoding/json never finds a struct empty, so omitempty has no effect on it.
    else if (!field.omitEmpty || struct) always.push(field.json);
  }
  const encoding = { ...list('kept', kept), ...list('always', always), ...list('unlessZero', unlessZero) };
  return Object.keys(encoding).length === 0 ? undefined : encoding;
}

function list(key: string, values: readonly string[]): Record<string, readonly string[]> {
  return values.length === 0 ? {} : { [key]: values.toSorted() };
}
