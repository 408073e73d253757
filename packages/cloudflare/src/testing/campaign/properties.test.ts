import { expect, test } from 'vitest';
import { depthIn, withProperty } from './edit-spec.ts';
import { propertiesOf } from './properties.ts';
import type { Property } from './properties.ts';
import { toRounds } from './rounds.ts';
import type { Schema } from './schema-of.ts';
import { valueFor } from './values.ts';

const schema: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    size: { type: 'integer', minimum: 3, maximum: 4 },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        required: ['host'],
        properties: { host: { type: 'string', pattern: '^[a-z.]+$' }, open: { type: 'boolean', default: true } },
      },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

function property(name: string): Property {
  const found = propertiesOf(schema).find((one) => one.name === name);
  if (!found) throw new RangeError(name);
  return found;
}

test('every property of a schema is found, those within lists included', () => {
  expect(propertiesOf(schema).map(({ name, leaf }) => `${name}${leaf ? '' : ' …'}`)).toEqual([
    'name',
    'size',
    'rules …',
    'rules[].host',
    'rules[].open',
    'labels',
  ]);
});

test.each([
  ['an enum has its values', { enum: ['a', 'b'] }, 'a', 'b'],
  ['an enum of one has that', { enum: ['a'] }, 'a', 'a'],
  ['a flag becomes what it is not by default', { type: 'boolean', default: true }, false, true],
  ['a number stays within its bounds', { type: 'integer', minimum: 3, maximum: 4 }, 4, 4],
  ['a text fits its pattern', { type: 'string', pattern: String.raw`^\d+\.` }, '10.1.0.0/16', '10.2.0.0/16'],
  ['a text is as long as it must be', { type: 'string', minLength: 40 }, 'x'.repeat(40), 'y'.repeat(40)],
  ['a time is a time', { type: 'string', format: 'date-time' }, '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z'],
  ['a map has an entry', { type: 'object', additionalProperties: { type: 'string' } }, { a: 'a1' }, { b: 'b2' }],
] as const)('%s', (_name, given, first, second) => {
  expect(valueFor(given, 'first', 'x', {})).toEqual(first);
  expect(valueFor(given, 'second', 'x', {})).toEqual(second);
});

test('what is known of a property comes before what its schema says, by its name or the end of it', () => {
  const known = { 'a.zone': ['x', 'y'], '*zone': ['p', 'q'] } as const;
  expect(valueFor({ type: 'string' }, 'first', 'a.zone', known)).toBe('x');
  expect(valueFor({ type: 'string' }, 'second', 'b.zone', known)).toBe('q');
});

test('a property is set with all that must be around it', () => {
  const set = withProperty({ name: 'n' }, property('rules[].open'), schema, 'first', {});
  expect(set).toEqual({ name: 'n', rules: [{ host: 'one.example.com', open: false }] });
  expect(depthIn(set, ['rules', '[]', 'open'])).toBe(3);
  expect(depthIn(set, ['rules', '[]', 'shut', 'now'])).toBe(2);
  expect(depthIn(set, ['labels', '{}'])).toBe(0);
});

test('properties go into as few rounds as the rules of the kind allow', () => {
  const properties = propertiesOf(schema).filter(({ leaf }) => leaf);
  const isValid = (fields: object): boolean => !('size' in fields && 'labels' in fields);
  const rounds = toRounds({ bases: [{ name: 'n' }], properties, schema, known: {}, isValid });
  expect(rounds.map((round) => round.properties.map(({ name }) => name))).toEqual([
    ['name', 'size', 'rules[].host', 'rules[].open'],
    ['labels'],
  ]);
  expect(rounds[1]).toMatchObject({
    base: { name: 'n' },
    first: { labels: { a: 'a1' } },
    second: { labels: { b: 'b2' } },
  });
});
