import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { accessPolicyKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

describeKind('an Access policy', {
  kind: accessPolicyKind,
  object: () => ({
    apiVersion,
    kind: 'AccessPolicy',
    metadata: { name: 'staff' },
    spec: { include: [{ everyone: true }], cloudflare: {} },
  }),
  change: () => ({ spec: { decision: 'deny' } }),
  // Cloudflare would make a second one, so what is about to be made is written first.
  writes: 5,
});
