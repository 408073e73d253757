import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { domainRegistrationKind } from './resource.ts';

describeKind('a registration', {
  kind: domainRegistrationKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'DomainRegistration',
    metadata: { name: 'example' },
    spec: { domainName: 'example.com', configuration: {} },
  }),
  change: () => ({ spec: { domainName: 'example.com', configuration: { autoRenew: false } } }),
});
