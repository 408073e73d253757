import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import { r2BucketNotificationKind } from './resource.ts';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const [group = '', version = ''] = apiVersion.split('/');
const bucket = { group, version, kind: 'R2Bucket', plural: 'r2buckets', scope: 'Namespaced' } as const;
const spec = { bucketName: 'photos', queueName: 'jobs', rules: [{ eventTypes: ['object-create'] }] };

describeKind('notifications of a bucket', {
  kind: r2BucketNotificationKind,
  prepare: async (world) => {
    atDashboard(world.sim, 'POST', `/accounts/${world.sim.accountId}/queues`, { queue_name: 'jobs' });
    await world.apply({ apiVersion, kind: 'R2Bucket', metadata: { name: 'photos' }, spec: {} } as never);
  },
  object: () => ({ apiVersion, kind: 'R2BucketNotification', metadata: { name: 'jobs' }, spec }),
  change: () => ({ spec: { ...spec, rules: [{ eventTypes: ['object-delete'], prefix: 'in/' }] } }),
  references: [{ kind: bucket, ref: { namespace: 'default', name: 'photos' } }],
  // Our rules are recorded before they are written.
  writes: 5,
});
