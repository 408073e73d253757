import { z } from 'zod';
import { LossySchemaError } from './lossy-schema-error.ts';
import { withTwin } from './twin.ts';

type Variants = Readonly<Record<string, z.ZodObject>>;
type FieldsOf<V extends Variants> = { [K in keyof V]: keyof V[K]['shape'] }[keyof V];
type Flat<T> = { [K in keyof T]: T[K] };

/** The value of one variant: its discriminator, its own fields, and no field of another variant. */
type OneOf<D extends string, V extends Variants, Values extends Record<keyof V, unknown>> = {
  [K in keyof V & string]: Flat<
    { [P in D]: K } & Values[K] & { [F in Exclude<FieldsOf<V>, keyof V[K]['shape']>]?: never }
  >;
}[keyof V & string];

type Outputs<V extends Variants> = { [K in keyof V]: z.output<V[K]> };
type Inputs<V extends Variants> = { [K in keyof V]: z.input<V[K]> };

/**
 * An object whose `discriminator` says which fields it has. In the CRD it is one object with the fields of all
 * variants and CEL rules for which belong to which; in TypeScript it is a union.
 */
export function oneOfBy<D extends string, const V extends Variants>(
  discriminator: D,
  variants: V,
): z.ZodType<OneOf<D, V, Outputs<V>>, OneOf<D, V, Inputs<V>>> {
  const fields = new Set(Object.values(variants).flatMap(({ shape }) => Object.keys(shape)));
  if (fields.has(discriminator)) throw new LossySchemaError(discriminator, 'the discriminator is added by oneOfBy()');
  const options = Object.entries(variants).map(([name, variant]) => {
    if (variant.def.checks?.length || variant.def.catchall) {
      throw new LossySchemaError(name, 'a variant has fields only: put rules around oneOfBy()');
    }
    const foreign = [...fields].filter((field) => !(field in variant.shape));
    return z.object({
      [discriminator]: z.literal(name),
      ...variant.shape,
      ...Object.fromEntries(foreign.map((field) => [field, z.never().optional()])),
    });
  });
  const union = z.discriminatedUnion(discriminator, options as unknown as [z.ZodObject]);
  return withTwin(union, { kind: 'one-of', by: discriminator }) as unknown as z.ZodType<
    OneOf<D, V, Outputs<V>>,
    OneOf<D, V, Inputs<V>>
  >;
}
