import { mergePatchBetween } from '@tributary/runtime';

/** The merge patch that makes these fields of the copy equal, undefined when they are: what others changed in P is repaired. */
export function contentPatch<T extends object>(
  wanted: T,
  actual: T,
  fields: readonly (keyof T & string)[],
): Readonly<Record<string, unknown>> | undefined {
  const pick = (from: T): Readonly<Record<string, unknown>> =>
    Object.fromEntries(fields.map((field) => [field, from[field] ?? {}]));
  return mergePatchBetween(pick(actual), pick(wanted));
}
