import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { syncStateName } from './sync-state-name.ts';

const cases = [
  {
    name: 'reads as type and key, with a hash that tells keys apart',
    of: ['DNSRecord', { zoneId: 'z1', object: 'DNSRecord/default/app' }, 'app.example.com'] as const,
    is: /^dns-record-app-example-com-[0-9a-f]{10}$/,
  },
  {
    name: 'an acronym stays one word',
    of: ['R2BucketDomain', { domain: 'x' }, 'x'] as const,
    is: /^r2-bucket-domain-x-[0-9a-f]{10}$/,
  },
  {
    name: 'a wildcard is spelled out',
    of: ['DNSRecord', { host: '*.x' }, '*.example.com'] as const,
    is: /^dns-record-any-example-com-[0-9a-f]{10}$/,
  },
  {
    name: 'a key that cannot be written in a name leaves type and hash',
    of: ['VirtualNetwork', { name: '网络' }, '网络'] as const,
    is: /^virtual-network-[0-9a-f]{10}$/,
  },
];

describe('the name of a SyncState', () => {
  for (const { name, of, is } of cases) {
    const [type, key, readable] = of;
    test(name, () => expect(syncStateName(type, key, readable)).toMatch(is));
  }

  test('does not depend on the order of the key fields', () => {
    expect(syncStateName('X', { a: '1', b: '2' }, 'x')).toBe(syncStateName('X', { b: '2', a: '1' }, 'x'));
  });

  test('differs for keys that read alike: a-b/c and a/b-c', () => {
    const one = syncStateName('DNSRecord', { object: 'DNSRecord/a-b/c' }, 'a-b-c');
    expect(one).not.toBe(syncStateName('DNSRecord', { object: 'DNSRecord/a/b-c' }, 'a-b-c'));
  });

  test('is a valid object name of bounded length, whatever the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (readable) => {
        const name = syncStateName('OriginCACertificate', { readable }, readable);
        expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
        expect(name.length).toBeLessThanOrEqual(80);
      }),
    );
  });
});
