import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import type { LifecycleRule, R2BucketConfig } from './contract.ts';
import { r2BucketTarget } from './sync.ts';

const all = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/r2/buckets`;
const day = 86_400;

const full: R2BucketConfig = {
  locationHint: 'eeur',
  cors: [{ allowed: { origins: ['https://example.com'], methods: ['GET'] } }],
  lifecycle: [
    {
      id: 'old',
      enabled: true,
      conditions: { prefix: 'logs/' },
      deleteObjectsTransition: { condition: { type: 'Age', maxAge: 30 * day } },
    },
  ],
};

const cold: LifecycleRule = {
  id: 'cold',
  enabled: false,
  conditions: { prefix: '' },
  storageClassTransitions: [{ condition: { type: 'Date', date: '2027-01-31' }, storageClass: 'InfrequentAccess' }],
};

describeTarget('bucket', {
  target: r2BucketTarget,
  key: ({ accountId }) => ({ accountId, jurisdiction: 'default', name: 'photos' }),
  config: () => full,
  changes: {
    cors: () => ({ ...full, cors: [{ id: 'x', allowed: { origins: ['*'], methods: ['PUT'], headers: ['a'] } }] }),
    'no cors': () => ({ ...full, cors: [] }),
    'cors that are no more concern of ours': () => ({ ...full, cors: undefined }),
    lifecycle: () => ({ ...full, lifecycle: [cold] }),
    'no lifecycle': () => ({ ...full, lifecycle: [] }),
    'a lifecycle that is no more concern of ours': () => ({ ...full, lifecycle: undefined }),
    'storage class': () => ({ ...full, storageClass: 'InfrequentAccess' }),
  },
  remote: (sim) => atDashboard(sim, 'GET', all(sim))['buckets'] as readonly unknown[],
  edit: (sim) => atDashboard(sim, 'PUT', `${all(sim)}/photos/lifecycle`, { rules: [] }),
  stranger: (sim) => atDashboard(sim, 'POST', all(sim), { name: 'photos' }),
});
