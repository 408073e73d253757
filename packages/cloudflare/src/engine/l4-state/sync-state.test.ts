import { expect, test } from 'vitest';
import { syncStateKind } from './sync-state.ts';

test('the columns of kubectl get cfss tell the story', () => {
  const [version] = syncStateKind.toCrd().spec.versions;
  expect(version?.additionalPrinterColumns?.map(({ name }) => name)).toEqual([
    'Type',
    'CloudflareID',
    'RealID',
    'Status',
    'Version',
    'Age',
  ]);
  expect(syncStateKind.toCrd().spec.names.shortNames).toEqual(['cfss', 'syncstate']);
});

test('an object that the original wrote is valid', () => {
  const written = {
    resourceType: 'DNSRecord',
    cloudflareId: 'xxx123',
    accountId: '',
    zoneId: 'zone-yyy',
    credentialsRef: { name: 'cloudflare-credentials', namespace: 'cloudflare-operator-system' },
    sources: [
      {
        ref: { kind: 'DNSRecord', namespace: 'default', name: 'app-cname' },
        config: { type: 'CNAME', name: 'app', content: 'x.cfargotunnel.com', proxied: true, ttl: 1 },
        lastUpdated: '2026-01-16T10:00:00Z',
      },
    ],
  };
  expect(syncStateKind.parseSpec(written)).toMatchObject({ ok: true, value: { sources: [{ priority: 100 }] } });
});

test('a type that nobody knows is refused by name', () => {
  const refused = syncStateKind.parseSpec({
    resourceType: 'Nothing',
    cloudflareId: '',
    accountId: '',
    credentialsRef: { name: '' },
  });
  expect(refused).toMatchObject({ ok: false, problems: [{ field: 'spec.resourceType' }] });
});
