import { z } from 'zod';
import type { CelRule } from './structural-schema.ts';

/**
 * What the API server is told about a check that runs in our process as code. A check without a twin would hold
 * here and not there, so the converter refuses it.
 */
export type Twin =
  | { readonly kind: 'rule'; readonly rule: CelRule }
  | { readonly kind: 'immutable' }
  | { readonly kind: 'list'; readonly type: 'atomic' | 'set' | 'map'; readonly keys?: readonly string[] }
  | { readonly kind: 'properties'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'int-or-string'; readonly pattern?: string; readonly maxLength?: number }
  | { readonly kind: 'one-of'; readonly by: string }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'scalars' };

/** Something wrong with a value, at a path inside it. */
export type Finding = { readonly message: string; readonly path?: readonly (string | number)[] };

const twins = new WeakMap<object, Twin>();

/** Adds a check to a schema together with its twin. Absent and null values pass, as they do on the server. */
export function withTwin<S extends z.ZodType>(
  schema: S,
  twin: Twin,
  find: (value: z.output<S>) => readonly Finding[] = () => [],
): S {
  const check = z.check<z.output<S>>((payload) => {
    const { value } = payload;
    if (value === undefined || value === null) return;
    for (const { message, path } of find(value)) {
      payload.issues.push({ code: 'custom', message, path: [...(path ?? [])], input: value, continue: true });
    }
  });
  twins.set(check, twin);
  return schema.check(check);
}

export function twinOf(check: object): Twin | undefined {
  return twins.get(check);
}
