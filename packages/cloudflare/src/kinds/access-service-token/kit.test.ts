import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { accessServiceTokenKind } from './resource.ts';

describeKind('an Access service token', {
  kind: accessServiceTokenKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'AccessServiceToken',
    metadata: { name: 'ci' },
    spec: { secretRef: { name: 'ci', namespace: 'default' }, cloudflare: {} },
  }),
  change: () => ({ spec: { duration: 'forever' } }),
  // What is about to be made is written first, and the Secret last.
  writes: 6,
});
