import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { r2BucketKind } from './resource.ts';

describeKind('a bucket', {
  kind: r2BucketKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'R2Bucket',
    metadata: { name: 'photos' },
    spec: { locationHint: 'weur' },
  }),
  change: () => ({ spec: { cors: [{ allowedOrigins: ['*'], allowedMethods: ['get'] }] } }),
  // The intent is stored before the bucket is made.
  writes: 5,
});
