import { secretKind } from '@tributary/runtime';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { accessIdentityProviderKind } from './resource.ts';

const head = {
  apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
  kind: 'AccessIdentityProvider',
  metadata: { name: 'login' },
};

describeKind('an identity provider', {
  kind: accessIdentityProviderKind,
  object: () => ({ ...head, spec: { type: 'onetimepin', cloudflare: {} } }),
  change: () => ({ spec: { name: 'changed' } }),
  writes: 5,
});

describeKind('an identity provider with its secret in a Secret', {
  kind: accessIdentityProviderKind,
  prepare: async (world) =>
    world.apply(
      '{ apiVersion: v1, kind: Secret, metadata: { name: gh, namespace: default }, stringData: { it: s3cret } }',
    ),
  object: () => ({
    ...head,
    spec: {
      type: 'github',
      config: { clientId: 'id' },
      configSecretRef: { name: 'gh', key: 'it', namespace: 'default' },
      cloudflare: {},
    },
  }),
  change: () => ({ spec: { config: { clientId: 'other' } } }),
  references: [{ kind: secretKind, ref: { namespace: 'default', name: 'gh' } }],
  writes: 5,
});

describeKind('an identity provider with its secret in clear text', {
  kind: accessIdentityProviderKind,
  object: () => ({
    ...head,
    spec: { type: 'github', config: { clientId: 'id', clientSecret: 's3cret' }, cloudflare: {} },
  }),
  change: () => ({ spec: { config: { clientSecret: 'other' } } }),
  // The Secret that holds it is the sixth.
  writes: 6,
});
