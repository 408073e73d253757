import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { r2BucketDomainKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const [group = '', version = ''] = apiVersion.split('/');
const bucket = { group, version, kind: 'R2Bucket', plural: 'r2buckets', scope: 'Namespaced' } as const;
// What is switched off is not waited for.
const spec = { bucketName: 'photos', domain: 'cdn.example.net', enablePublicAccess: false };

describeKind('a domain of a bucket', {
  kind: r2BucketDomainKind,
  prepare: async (world) => {
    await world.apply({ apiVersion, kind: 'R2Bucket', metadata: { name: 'photos' }, spec: {} } as never);
  },
  object: () => ({ apiVersion, kind: 'R2BucketDomain', metadata: { name: 'cdn' }, spec }),
  change: () => ({ spec: { ...spec, minTls: '1.3' } }),
  references: [{ kind: bucket, ref: { namespace: 'default', name: 'photos' } }],
  // The intent is stored before the domain is attached.
  writes: 5,
});
