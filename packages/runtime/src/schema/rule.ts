import { LossySchemaError } from './lossy-schema-error.ts';
import type { z } from 'zod';
import { celFieldPath } from './cel-text.ts';
import type { CelRule } from './structural-schema.ts';
import { withTwin } from './twin.ts';

export type RuleOptions = {
  /** A direct field of the value to blame; the value itself when absent. */
  readonly field?: string;
  readonly reason?: CelRule['reason'];
};

/**
 * A rule that both sides enforce: the server runs `cel`, our process runs `holds`. `self` in CEL is the value
 * after defaulting, as `holds` is given it. Absent and null values are not asked about.
 */
export function rule<S extends z.ZodType>(
  schema: S,
  cel: string,
  message: string,
  holds: (value: NonNullable<z.output<S>>) => boolean,
  options: RuleOptions = {},
): S {
  if (usesOldSelf(cel)) throw new LossySchemaError(cel, 'compares with the old object: use transitionRule()');
  const path = options.field === undefined ? [] : [options.field];
  const twin = { kind: 'rule', rule: toCelRule(cel, message, options) } as const;
  return withTwin(schema, twin, (value) => (holds(value as NonNullable<z.output<S>>) ? [] : [{ message, path }]));
}

/** A rule about a change (`oldSelf`). Only the server sees both sides of a change, so it alone enforces it. */
export function transitionRule<S extends z.ZodType>(
  schema: S,
  cel: string,
  message: string,
  options: RuleOptions = {},
): S {
  if (!usesOldSelf(cel)) throw new LossySchemaError(cel, 'does not mention oldSelf: use rule()');
  return withTwin(schema, { kind: 'rule', rule: toCelRule(cel, message, options) });
}

/**
 * A field that keeps its first value. Where the field is optional its parent also gets a rule that it neither
 * comes nor goes. It still can with its parent: make that immutable where it matters.
 */
export function immutable<S extends z.ZodType>(schema: S): S {
  return withTwin(schema, { kind: 'immutable' });
}

export function usesOldSelf(cel: string): boolean {
  return /\boldSelf\b/.test(cel);
}

function toCelRule(cel: string, message: string, { field, reason }: RuleOptions): CelRule {
  return {
    rule: cel,
    message,
    ...(reason !== undefined && { reason }),
    ...(field !== undefined && { fieldPath: celFieldPath(field) }),
  };
}
