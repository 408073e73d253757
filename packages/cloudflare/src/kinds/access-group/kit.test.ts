import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { accessGroupKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

describeKind('an Access group', {
  kind: accessGroupKind,
  object: () => ({
    apiVersion,
    kind: 'AccessGroup',
    metadata: { name: 'staff' },
    spec: { include: [{ emailDomain: { domain: 'example.com' } }], cloudflare: {} },
  }),
  change: () => ({ spec: { exclude: [{ email: { email: 'a@example.com' } }] } }),
  // Cloudflare would make a second one, so what is about to be made is written first.
  writes: 5,
});
