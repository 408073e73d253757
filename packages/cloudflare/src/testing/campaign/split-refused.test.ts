import { expect, test } from 'vitest';
import type { Property } from './properties.ts';
import { splitRefused } from './split-refused.ts';

const all = ['name', 'rules.[].host', 'rules.[].port.number', 'rules.[].port.name', 'size'].map(toProperty);

function toProperty(text: string): Property {
  return { name: text.replaceAll('.[]', '[]'), path: text.split('.'), schema: {}, leaf: true };
}

function partsOf(some: readonly Property[], reason: string): readonly string[] {
  return splitRefused(some, reason).map((part) => part.map(({ name }) => name).join(' '));
}

test.each([
  [
    'the field that the reason is within is tried apart, with all that stands in it',
    all,
    'spec.rules[0].port.name: not beside a number',
    ['name size', 'rules[].host rules[].port.number rules[].port.name'],
  ],
  [
    'then what is blamed in it',
    all.slice(1, 4),
    'spec.rules[0].port.name: not beside a number',
    ['rules[].host', 'rules[].port.number rules[].port.name'],
  ],
  [
    'and at last that alone',
    all.slice(2, 4),
    'spec.rules[0].port.name: not beside a number',
    ['rules[].port.number', 'rules[].port.name'],
  ],
  [
    'a reason that blames nothing cuts between fields',
    all,
    'Cloudflare does not want it',
    ['name rules[].host rules[].port.number rules[].port.name', 'size'],
  ],
  [
    'as does one that blames what is not among them',
    all.slice(1, 4),
    'spec.zone: not found',
    ['rules[].host', 'rules[].port.number rules[].port.name'],
  ],
  ['one alone has no parts', all.slice(0, 1), 'spec.name: too long', []],
])('%s', (_name, some, reason, parts) => {
  expect(partsOf(some, reason)).toEqual(parts);
});
