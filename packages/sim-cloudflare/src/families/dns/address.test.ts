import { expect, test } from 'vitest';
import { isForbiddenTarget } from './address.ts';

const rows = [
  ['A', '0.0.0.1', true],
  ['A', '9.255.255.255', false],
  ['A', '10.255.255.255', true],
  ['A', '100.64.0.1', true],
  ['A', '100.128.0.1', false],
  ['A', '127.0.0.1', true],
  ['A', '169.254.1.1', true],
  ['A', '172.15.255.255', false],
  ['A', '172.31.255.255', true],
  ['A', '172.32.0.0', false],
  ['A', '192.0.2.1', false],
  ['A', '192.168.0.1', true],
  ['A', '239.0.0.1', true],
  ['AAAA', '::1', true],
  ['AAAA', '100::', false],
  ['AAAA', '2001:db8::1', false],
  ['AAAA', 'fdff::1', true],
  ['AAAA', 'fe80::1', true],
  ['AAAA', 'ff02::1', true],
  ['CNAME', '10.0.0.1', false],
] as const;

for (const [type, content, forbidden] of rows) {
  test(`${type} ${content} is ${forbidden ? 'forbidden' : 'allowed'} behind the proxy`, () => {
    expect(isForbiddenTarget(type, content)).toBe(forbidden);
  });
}
