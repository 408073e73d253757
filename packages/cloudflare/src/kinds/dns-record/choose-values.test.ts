import { expect, test } from 'vitest';
import { chooseValues } from './choose-values.ts';

const mixed = ['lb.example.org', '2001:db8::1', '192.0.2.1'];

test.each([
  {
    what: 'a name gives way to the addresses beside it',
    addresses: mixed,
    type: undefined,
    contents: ['2001:db8::1', '192.0.2.1'],
  },
  {
    what: 'of several names the first one counts',
    addresses: ['a.example', 'b.example'],
    type: undefined,
    contents: ['a.example'],
  },
  { what: 'a type takes only what fits it', addresses: mixed, type: 'CNAME', contents: ['lb.example.org'] },
  { what: 'a type that is no address takes everything', addresses: mixed, type: 'TXT', contents: mixed },
  { what: 'nothing makes nothing', addresses: [], type: undefined, contents: [] },
])('All: $what', ({ addresses, type, contents }) => {
  expect(chooseValues(addresses, 'All', type).map(({ content }) => content)).toEqual(contents);
});

test.each([
  ['First', 'lb.example.org', 'CNAME'],
  ['PreferIPv4', '192.0.2.1', 'A'],
  ['PreferIPv6', '2001:db8::1', 'AAAA'],
] as const)('%s: %s', (selection, content, type) => {
  expect(chooseValues(mixed, selection, undefined)).toEqual([{ type, content }]);
});

test('a family that is not there gives way to what comes first', () => {
  expect(chooseValues(['192.0.2.1', '192.0.2.2'], 'PreferIPv6', undefined)).toEqual([
    { type: 'A', content: '192.0.2.1' },
  ]);
});
