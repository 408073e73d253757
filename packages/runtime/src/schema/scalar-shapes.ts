import { z } from 'zod';
import { toRe2Pattern } from './re2-pattern.ts';
import { withTwin } from './twin.ts';

export type IntOrStringOptions = { readonly pattern?: RegExp; readonly maxLength?: number };

type IntOrString = z.ZodUnion<readonly [z.ZodNumber, z.ZodString]>;

/** An integer or a string, such as a port by number or by name. The options are about the string. */
export function intOrString({ pattern, maxLength }: IntOrStringOptions = {}): IntOrString {
  let text = z.string();
  if (pattern) text = text.regex(pattern);
  if (maxLength !== undefined) text = text.max(maxLength);
  return withTwin(z.union([z.number().int(), text]), {
    kind: 'int-or-string',
    ...(pattern && { pattern: toRe2Pattern(pattern, 'intOrString()') }),
    ...(maxLength !== undefined && { maxLength }),
  });
}

const quantityPattern =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;

/** An amount as Kubernetes writes it: `500m`, `2Gi`, `1e3`, or a plain integer. */
export function quantity(): IntOrString {
  return intOrString({ pattern: quantityPattern });
}

/** A time span as Go writes it: `30s`, `1h30m`, `250ms`. */
export function duration(): z.ZodString {
  return z.string().regex(/^([0-9]+(ms|s|m|h))+$/);
}

// The time of day as the server checks it, which is less than RFC 3339 does: any character may stand before the
// fraction, and what follows another "t" is not looked at.
const timeOfDay = /^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([^\n][0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$/u;

/** A point in time, as metav1.Time writes it: the format date-time and nothing more, as generated CRDs have it. */
export function timestamp(): z.ZodString {
  return withTwin(z.string(), { kind: 'format', format: 'date-time' }, (text) => {
    const [date = '', time = ''] = text.toLowerCase().split('t');
    return z.regexes.date.test(date) && timeOfDay.test(time) ? [] : [{ message: 'must be a date-time' }];
  });
}

/**
 * A string, a number or a boolean. The server has no type for that and takes any value; ours is the only check.
 */
export function anyScalar(): z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean]> {
  return withTwin(z.union([z.string(), z.number(), z.boolean()]), { kind: 'scalars' });
}

/** An object whose fields nobody knows; the server keeps them all. */
export function preserveUnknown(): z.ZodType<Record<string, unknown>> {
  return z.looseObject({});
}
