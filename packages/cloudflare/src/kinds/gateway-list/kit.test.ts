import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { gatewayListKind } from './resource.ts';

describeKind('a Gateway list', {
  kind: gatewayListKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'GatewayList',
    metadata: { name: 'bad' },
    spec: { type: 'DOMAIN', items: [{ value: 'Bad.example.com' }], cloudflare: {} },
  }),
  change: () => ({ spec: { items: [{ value: 'worse.example.com' }] } }),
});
