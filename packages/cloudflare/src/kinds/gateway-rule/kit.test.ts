import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { gatewayRuleKind } from './resource.ts';

describeKind('a Gateway rule', {
  kind: gatewayRuleKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'GatewayRule',
    metadata: { name: 'sites' },
    spec: {
      action: 'block',
      precedence: 10,
      filters: ['dns'],
      traffic: 'any(dns.domains[*]  ==  "x.com")',
      cloudflare: {},
    },
  }),
  change: () => ({ spec: { traffic: 'any(dns.domains[*] == "y.com")' } }),
});
