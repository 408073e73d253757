import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { virtualNetworkKind } from './resource.ts';

const head = {
  apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
  kind: 'VirtualNetwork',
  metadata: { name: 'office' },
};

describeKind('a virtual network', {
  kind: virtualNetworkKind,
  object: () => ({ ...head, spec: { cloudflare: {} } }),
  change: () => ({ spec: { comment: 'changed' } }),
});
