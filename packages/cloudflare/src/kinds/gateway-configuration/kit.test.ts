import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { gatewayConfigurationKind } from './resource.ts';

describeKind('a Gateway configuration', {
  kind: gatewayConfigurationKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'GatewayConfiguration',
    metadata: { name: 'main' },
    spec: { settings: { activityLog: { enabled: true } }, cloudflare: {} },
  }),
  change: () => ({ spec: { settings: { activityLog: { enabled: false } } } }),
});
