import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { LossySchemaError } from './lossy-schema-error.ts';
import { twinOf } from './twin.ts';
import type { Twin } from './twin.ts';
import { defOf } from './zod-def.ts';

/** A schema without its wrappers, and what the wrappers said. */
export type Peeled = {
  readonly core: z.core.$ZodTypes;
  readonly optional: boolean;
  readonly nullable: boolean;
  /** A default as given, and with the defaults inside it. */
  readonly fallback: { readonly given: unknown; readonly filled: unknown } | undefined;
  readonly description: string | undefined;
  /** Innermost first, as the checks run. */
  readonly twins: readonly Twin[];
};

export function peel(schema: z.core.$ZodType, path: string): Peeled {
  let layer = schema as z.core.$ZodTypes;
  let optional = false;
  let nullable = false;
  let fallback: Peeled['fallback'];
  let description: string | undefined;
  const twins: Twin[] = [];
  for (;;) {
    description ??= describe(layer, path);
    twins.unshift(...twinsOf(layer));
    const def = defOf(layer);
    if (def.type === 'lazy') {
      layer = def.getter() as z.core.$ZodTypes;
      continue;
    }
    if (!isWrapper(def)) {
      if (fallback) checkFallback(schema, fallback.given, path);
      return { core: layer, optional, nullable, fallback, description, twins };
    }
    optional ||= def.type === 'optional';
    nullable ||= def.type === 'nullable';
    if (def.type === 'default' || def.type === 'prefault') fallback ??= defaultOf(def, path);
    refuseBareChecks(layer, path);
    layer = def.innerType as z.core.$ZodTypes;
  }
}

type Wrapper =
  | z.core.$ZodOptionalDef
  | z.core.$ZodNullableDef
  | z.core.$ZodDefaultDef
  | z.core.$ZodPrefaultDef
  | z.core.$ZodReadonlyDef;

function isWrapper(def: z.core.$ZodTypeDef): def is Wrapper {
  return ['optional', 'nullable', 'default', 'prefault', 'readonly'].includes(def.type);
}

/** Every check must have its twin, where the converter of the type does not translate checks itself. */
export function refuseBareChecks(schema: z.core.$ZodType, path: string): void {
  for (const check of defOf(schema).checks ?? []) {
    if (!twinOf(check)) {
      throw new LossySchemaError(
        path,
        'refine, superRefine and check exist in our process only: use rule() with a CEL twin',
      );
    }
  }
}

function twinsOf(schema: z.core.$ZodType): readonly Twin[] {
  return (defOf(schema).checks ?? []).flatMap((check) => twinOf(check) ?? []);
}

function describe(schema: z.core.$ZodType, path: string): string | undefined {
  const meta = z.globalRegistry.get(schema);
  const foreign = Object.keys(meta ?? {}).find((key) => key.startsWith('x-'));
  if (foreign !== undefined)
    throw new LossySchemaError(path, `meta() does not carry ${foreign}: use the helper for it`);
  return meta?.description;
}

function defaultOf(def: z.core.$ZodDefaultDef | z.core.$ZodPrefaultDef, path: string): Peeled['fallback'] {
  const value: unknown = def.defaultValue;
  if (!isDeepStrictEqual(value, def.defaultValue))
    throw new LossySchemaError(path, 'the default differs from call to call');
  if (value === null) throw new LossySchemaError(path, 'the server does not default to null');
  const parsed = z.safeParse(def.innerType, value);
  if (!parsed.success) throw new LossySchemaError(path, `the default is not valid: ${parsed.error.issues[0]?.message}`);
  // zod hands a default out as it is, the server goes on to fill in the defaults inside it.
  if (def.type === 'default' && !isDeepStrictEqual(parsed.data, value)) {
    throw new LossySchemaError(path, 'the default lacks defaults of the fields inside it: use prefault({})');
  }
  return { given: value, filled: parsed.data };
}

function checkFallback(schema: z.core.$ZodType, value: unknown, path: string): void {
  const parsed = z.safeParse(schema, undefined);
  const given = z.safeParse(schema, value);
  if (!parsed.success || !given.success || !isDeepStrictEqual(parsed.data, given.data)) {
    throw new LossySchemaError(path, 'the default does not take effect in our process');
  }
}
