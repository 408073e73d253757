import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listMap, listSet, mapOf } from './collection-shapes.ts';
import { immutable, rule } from './rule.ts';
import { checkRules } from './rule-limits.ts';
import { intOrString } from './scalar-shapes.ts';
import { toStructural } from './to-structural.ts';

const holds = (): boolean => true;
const check = (schema: z.ZodType): void => checkRules(toStructural(schema, 'spec'), 'spec');
const item = z.object({ name: z.string().max(9), port: immutable(z.int()) });

const refused: readonly { readonly name: string; readonly schema: z.ZodType; readonly says: string }[] = [
  {
    name: 'a rule that reads a string without max()',
    schema: z.object({ a: rule(z.object({ b: z.string() }), "self.b != ''", 'no', holds) }),
    says: 'spec.a: the rule "self.b != \'\'" costs without limit: spec.a.b has no max()',
  },
  {
    name: 'a rule that compares a whole object with a string without max() in it',
    schema: z.object({ a: immutable(z.object({ b: z.object({ c: z.string() }) })) }),
    says: 'spec.a.b.c has no max()',
  },
  {
    name: 'a rule on a list without max()',
    schema: rule(z.object({ l: z.array(z.int()) }), 'self.l.all(x, x > 1)', 'no', holds),
    says: 'spec.l has no max()',
  },
  {
    name: 'a rule on a list of strings without max()',
    schema: rule(z.object({ l: z.array(z.string()).max(3) }), 'self.l.all(x, x > 1)', 'no', holds),
    says: 'spec.l[] has no max()',
  },
  {
    name: 'a rule on a map without maxProperties',
    schema: z.object({ m: z.record(z.string().max(3), z.int()) }),
    says: 'spec.m has no maxProperties',
  },
  {
    name: 'a rule that compares the values of a map',
    schema: z.object({ m: immutable(mapOf(z.string(), { maxProperties: 2 })) }),
    says: 'spec.m.* has no max()',
  },
  {
    name: 'a rule on an int-or-string without maxLength',
    schema: z.object({ p: immutable(intOrString()) }),
    says: 'spec.p has no maxLength',
  },
  {
    name: 'a rule below a list without max()',
    schema: z.object({ l: listMap(item, ['name']) }),
    says: 'runs once per entry, and spec.l has no max()',
  },
  {
    name: 'a rule below a map without maxProperties',
    schema: z.object({ m: z.record(z.string(), immutable(z.int())) }),
    says: 'runs once per entry, and spec.m has no maxProperties',
  },
  {
    name: 'immutability inside a list that has no keys',
    schema: z.object({ l: z.array(item).max(3) }),
    says: 'only items of a listMap()',
  },
  {
    name: 'immutability inside a listMap() inside a list that has no keys',
    schema: z.object({ l: z.array(z.object({ m: listMap(item, ['name']).max(3) })).max(3) }),
    says: 'only items of a listMap()',
  },
  { name: 'a rule on an unknown value', schema: z.object({ u: immutable(z.unknown()) }), says: 'CEL cannot see' },
];

const allowed: readonly { readonly name: string; readonly schema: z.ZodType }[] = [
  { name: 'has() of anything', schema: rule(z.object({ a: z.string().optional() }), 'has(self.a)', 'no', holds) },
  {
    name: 'a field that is only named in quotes',
    schema: rule(z.object({ a: z.string() }), "'self.a' == ''", 'no', holds),
  },
  { name: 'an enum', schema: rule(z.object({ a: z.enum(['x']) }), "self.a == 'x'", 'no', holds) },
  { name: 'a date', schema: z.object({ a: immutable(z.iso.date()) }) },
  {
    name: 'keys of a bounded map',
    schema: z.object({ m: mapOf(z.string(), { keys: z.string().max(3), maxProperties: 2 }) }),
  },
  { name: 'a bounded set', schema: z.object({ s: immutable(listSet(z.string().max(3)).max(3)) }) },
  { name: 'a bounded int-or-string', schema: z.object({ p: immutable(intOrString({ maxLength: 3 })) }) },
  { name: 'immutability inside a bounded listMap()', schema: z.object({ l: listMap(item, ['name']).max(3) }) },
  {
    name: 'an optional chain',
    schema: rule(z.object({ a: z.int().optional() }), 'self.?a.orValue(1) > 0', 'no', holds),
  },
];

describe('a rule whose cost has no limit fails the build', () => {
  for (const { name, schema, says } of refused) test(name, () => expect(() => check(schema)).toThrow(says));
});

describe('a rule whose cost has a limit passes', () => {
  for (const { name, schema } of allowed) test(name, () => expect(() => check(schema)).not.toThrow());
});
