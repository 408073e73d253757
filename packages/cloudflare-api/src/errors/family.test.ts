import { expect, test } from 'vitest';
import { familyOf } from './family.ts';

const cases = [
  ['/user/tokens/verify', 'tokens'],
  ['/accounts/a/tokens/verify', 'tokens'],
  ['/accounts/a/cfd_tunnel', 'tunnels'],
  ['/accounts/a/cfd_tunnel/t/configurations', 'tunnels'],
  ['/accounts/a/warp_connector/t', 'tunnels'],
  ['/accounts/a/tunnels', 'tunnels'],
  ['/accounts/a/teamnet/virtual_networks/v', 'virtual-networks'],
  ['/accounts/a/teamnet/routes/r', 'routes'],
  ['/accounts/a/zerotrust/routes/hostname', 'hostname-routes'],
  ['/zones/z/dns_records/batch', 'dns'],
  ['/zones/z/dnssec', 'dns'],
  ['/zones/z/dns_settings', 'dns'],
  ['/zones/z/settings/ssl', 'zone-settings'],
  ['/zones/z/access/apps', 'access'],
  ['/accounts/a/access/policies/p', 'access'],
  ['/accounts/a/gateway/rules', 'gateway'],
  ['/accounts/a/devices/policy', 'devices'],
  ['/accounts/a/r2/buckets/b', 'r2'],
  ['/accounts/a/event_notifications/r2/b/configuration', 'r2'],
  ['/zones/z/rulesets', 'rulesets'],
  ['/accounts/a/rulesets/x', 'rulesets'],
  ['/accounts/a/rules/lists', 'lists'],
  ['/certificates/1', 'origin-ca'],
  ['/accounts/a/registrar/registrations', 'registrar'],
  ['/accounts/a/queues/q', 'queues'],
  ['/accounts/a/pages/projects', 'pages'],
  ['/pages/assets/upload', 'pages'],
  ['/zones', 'zones'],
  ['/zones/z', 'zones'],
  ['/accounts', 'accounts'],
  ['/accounts/a', 'accounts'],
  ['/accounts/a/workers/scripts', 'other'],
  ['/zones/z/dns_records_of_another_kind', 'other'],
] as const;

for (const [path, family] of cases) {
  test(`${path} belongs to ${family}`, () => expect(familyOf(path)).toBe(family));
}
