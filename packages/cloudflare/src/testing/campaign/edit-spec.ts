import type { Property } from './properties.ts';
import type { Schema } from './schema-of.ts';
import { valueFor } from './values.ts';
import type { KnownValues, Turn } from './values.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields with one property set; what it stands in is made where it is not there. */
export function withProperty(
  fields: Fields,
  { path, schema }: Pick<Property, 'path' | 'schema'>,
  root: Schema,
  turn: Turn,
  known: KnownValues,
): Fields {
  return set(fields, path, root, '', { schema, turn, known }) as Fields;
}

type Setting = { readonly schema: Schema; readonly turn: Turn; readonly known: KnownValues };

function set(current: unknown, path: readonly string[], at: Schema, name: string, setting: Setting): unknown {
  const [step, ...rest] = path;
  const { turn, known, schema } = setting;
  if (step === undefined) return valueFor(schema, turn, name, known);
  const start = current ?? valueFor(at, turn, name, known);
  if (step === '[]') {
    const [first, ...others] = Array.isArray(start) ? (start as readonly unknown[]) : [];
    return [set(first, rest, at.items ?? {}, `${name}[]`, setting), ...others];
  }
  const map = (typeof start === 'object' && start !== null ? start : {}) as Fields;
  if (step === '{}') {
    const key = Object.keys(map)[0] ?? 'a';
    const inner = typeof at.additionalProperties === 'object' ? at.additionalProperties : {};
    return { ...map, [key]: set(map[key], rest, inner, `${name}{}`, setting) };
  }
  const inner = at.properties?.[step] ?? {};
  return { ...map, [step]: set(map[step], rest, inner, name === '' ? step : `${name}.${step}`, setting) };
}

/** How much of a path the fields have: as many of its steps as lead somewhere. */
export function depthIn(fields: unknown, path: readonly string[]): number {
  const [step, ...rest] = path;
  if (step === undefined || typeof fields !== 'object' || fields === null) return 0;
  const inner: readonly unknown[] = step === '[]' || step === '{}' ? Object.values(fields) : [(fields as Fields)[step]];
  const there = inner.filter((one) => one !== undefined);
  return Math.max(0, ...there.map((one) => 1 + depthIn(one, rest)));
}
