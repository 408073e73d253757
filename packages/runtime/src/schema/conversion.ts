import type { z } from 'zod';
import type { StructuralSchema } from './structural-schema.ts';

/** A converted schema with what its parent has to know. */
export type Converted = {
  readonly node: StructuralSchema;
  /** The field may be absent and has no default. */
  readonly optional: boolean;
  readonly immutable: boolean;
};

/** Converts a child: what the converters of containers are given, so that they need not import each other. */
export type Convert = (schema: z.core.$ZodType, path: string) => Converted;
