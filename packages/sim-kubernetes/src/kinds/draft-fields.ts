// Reading and writing drafts, whose fields have no static types. Nothing here throws: a value of another type counts
// as absent, for wrong types were refused before.
import type { Draft, Json } from '../registry/json.ts';

type Fields = Draft | { readonly [key: string]: Json | undefined };

export function text(fields: Fields | undefined, key: string): string {
  const value = fields?.[key];
  return typeof value === 'string' ? value : '';
}

export function count(fields: Fields | undefined, key: string): number {
  const value = fields?.[key];
  return typeof value === 'number' ? value : 0;
}

export function maybeNumber(fields: Fields | undefined, key: string): number | undefined {
  const value = fields?.[key];
  return typeof value === 'number' ? value : undefined;
}

export function flag(fields: Fields | undefined, key: string): boolean {
  return fields?.[key] === true;
}

/** The object behind a key, not a copy; empty when there is none. */
export function child(fields: Fields | undefined, key: string): Draft {
  return maybeChild(fields, key) ?? {};
}

export function maybeChild(fields: Fields | undefined, key: string): Draft | undefined {
  const value = fields?.[key];
  return isFields(value) ? value : undefined;
}

/** The object behind a path such as `spec.template.spec`. */
export function at(fields: Fields | undefined, path: string): Draft {
  return path.split('.').reduce<Draft>((parent, key) => child(parent, key), fields ?? {});
}

/** The object behind a key, put there if there is none. */
export function ensureChild(draft: Draft, key: string): Draft {
  const found = maybeChild(draft, key) ?? {};
  draft[key] = found;
  return found;
}

/** The objects in a list; empty when there is none. */
export function items(fields: Fields | undefined, key: string): readonly Draft[] {
  const value = fields?.[key];
  return Array.isArray(value) ? value.filter((item) => isFields(item)) : [];
}

export function texts(fields: Fields | undefined, key: string): readonly string[] {
  const value = fields?.[key];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** A map of strings such as labels. */
export function textMap(fields: Fields | undefined, key: string): Readonly<Record<string, string>> {
  return child(fields, key) as Record<string, string>;
}

/** Fills absent fields; an empty text counts as absent, as it does in Go. */
export function fill(draft: Draft, defaults: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (draft[key] === undefined || draft[key] === null || draft[key] === '') draft[key] = value;
  }
}

export function isFields(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
