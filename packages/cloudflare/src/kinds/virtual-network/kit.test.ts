import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { virtualNetworkKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

describeKind('a virtual network', {
  kind: virtualNetworkKind,
  object: () => ({ apiVersion, kind: 'VirtualNetwork', metadata: { name: 'office' }, spec: { cloudflare: {} } }),
  change: () => ({ spec: { comment: 'changed' } }),
});
