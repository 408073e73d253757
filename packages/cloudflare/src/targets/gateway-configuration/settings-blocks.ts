import type { WireFields } from '../compare-fields.ts';
import type { FieldValues } from '../field-wins.ts';

/** What is there, by the same paths as what is wanted. */
export function valuesAt(settings: WireFields, paths: readonly string[]): WireFields {
  return Object.fromEntries(paths.map((path) => [path, at(settings, path)]));
}

function at(settings: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), settings);
}

/** Parts of a block that are Cloudflare's to say. */
const readOnly = new Set(['read_only', 'source_account', 'version', 'binding_status', 'updated_at']);

/** The blocks of the given paths, since a block is replaced as a whole: as they are, but for what is wanted of them. */
export function changedBlocks(wanted: FieldValues, observed: WireFields, paths: readonly string[]): WireFields {
  const names = new Set(paths.map((path) => path.split('.')[0] ?? ''));
  const inBlocks = Object.entries(wanted).filter(([path]) => names.has(path.split('.')[0] ?? ''));
  const start = Object.fromEntries([...names].map((name) => [name, writable(observed[name])]));
  return inBlocks.reduce<WireFields>((blocks, [path, value]) => withValue(blocks, path.split('.'), value), start);
}

function writable(block: unknown): WireFields {
  return isFields(block) ? Object.fromEntries(Object.entries(block).filter(([name]) => !readOnly.has(name))) : {};
}

function withValue(fields: WireFields, [name = '', ...rest]: readonly string[], value: unknown): WireFields {
  if (rest.length === 0) return { ...fields, [name]: value };
  const inner = fields[name];
  return { ...fields, [name]: withValue(isFields(inner) ? inner : {}, rest, value) };
}

function isFields(value: unknown): value is WireFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
