import { isRecord } from '../schema/schema-walk.ts';

/** A part of a patch as it is stored where nothing was before; undefined when it only said what to remove. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, '$patch')) return undefined;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutDirectives(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** Nulls in objects mean removal, and where nothing was there is nothing to remove. Lists keep theirs. */
export function withoutNullFields(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNullFields(item)]));
}
