import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, formatCidr, parseCidr } from './cidr.ts';

const rows = [
  ['10.0.0.0/8', '10.0.0.0/16', true],
  ['10.0.0.0/16', '10.0.0.0/8', false],
  ['10.0.0.0/8', '11.0.0.0/16', false],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['::/0', '10.0.0.0/8', false],
  ['0.0.0.0/0', '10.0.0.0/8', true],
  ['2001:db8::/32', '2001:db8:1::/48', true],
] as const;

for (const [outer, inner, expected] of rows) {
  test(`${outer} ${expected ? 'contains' : 'does not contain'} ${inner}`, () => {
    expect(contains(parseCidr(outer)!, parseCidr(inner)!)).toBe(expected);
  });
}

test('a network that was written in its canonical form is read as the same network', () => {
  const four = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }));
  const six = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 }));
  fc.assert(
    fc.property(fc.oneof(four, six), ([address, prefix]) => {
      const parsed = parseCidr(`${address}/${prefix}`)!;
      expect(parseCidr(formatCidr(parsed))).toEqual(parsed);
      expect(contains(parsed, parseCidr(address)!)).toBe(true);
    }),
  );
});
