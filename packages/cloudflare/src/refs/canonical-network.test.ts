import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalNetwork, hostNetwork } from './canonical-network.ts';

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['10.1.2.3/15', '10.0.0.0/15'],
  ['10.1.2.3/32', '10.1.2.3/32'],
  ['255.255.255.255/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::1/64', '2001:db8::/64'],
  ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
  ['::1/128', '::1/128'],
  ['::ffff:10.0.0.1/128', '::ffff:a00:1/128'],
])('%s is written %s', (text, canonical) => {
  expect(canonicalNetwork(text)).toBe(canonical);
});

test.each(['', '10.0.0.0', '10.0.0.0/33', '10.0.0.256/8', '::/129', 'fe80::1%eth0/64', '10.0.0.0/8/8', 'x/8'])(
  '%j is no network',
  (text) => {
    expect(canonicalNetwork(text)).toBeUndefined();
  },
);

test('the network of one address is as long as its version allows', () => {
  expect(hostNetwork('10.96.0.7')).toBe('10.96.0.7/32');
  expect(hostNetwork('FD00:0::7')).toBe('fd00::7/128');
  expect(hostNetwork('None')).toBeUndefined();
});

test('writing a network the one way twice changes nothing', () => {
  const network = fc
    .tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128))
    .map(([address, prefix]) => `${address}/${address.includes(':') ? prefix : prefix % 33}`);
  fc.assert(
    fc.property(network, (text) => {
      const once = canonicalNetwork(text);
      expect(once).toBeDefined();
      expect(canonicalNetwork(once ?? '')).toBe(once);
    }),
  );
});
