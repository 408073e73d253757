import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { zoneRulesetKind } from './resource.ts';

const spec = {
  zone: 'example.net',
  phase: 'http_request_firewall_custom',
  rules: [{ expression: 'ip.src in {192.0.2.0/24}', action: 'block' }],
};

describeKind('a zone ruleset', {
  kind: zoneRulesetKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'ZoneRuleset',
    metadata: { name: 'waf' },
    spec,
  }),
  change: () => ({ spec: { ...spec, rules: [{ expression: 'ip.src in {192.0.2.0/24}', action: 'log' }] } }),
  // The lookup of the zone is a SyncState too, and our rules are recorded before they are written.
  writes: 7,
});
