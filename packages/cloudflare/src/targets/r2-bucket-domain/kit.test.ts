import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import type { R2BucketDomainConfig } from './contract.ts';
import { r2BucketDomainTarget } from './sync.ts';

const all = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/r2/buckets`;
const domains = (sim: SimCloudflare): string => `${all(sim)}/photos/domains/custom`;
const zoneOf = ({ zones }: SimCloudflare): string => zones.find(({ name }) => name === 'example.net')?.id ?? '';

// A domain that is switched off is not waited for, so that there is silence after it.
const first: R2BucketDomainConfig = { minTls: '1.2', enabled: false };

describeTarget('domain of a bucket', {
  target: r2BucketDomainTarget,
  prepare: (sim) => atDashboard(sim, 'POST', all(sim), { name: 'photos' }),
  key: ({ accountId }) => ({ accountId, jurisdiction: 'default', bucket: 'photos', domain: 'cdn.example.net' }),
  config: () => first,
  changes: { minTls: () => ({ ...first, minTls: '1.3' }), enabled: () => ({ ...first, enabled: true }) },
  remote: (sim) => atDashboard(sim, 'GET', domains(sim))['domains'] as readonly unknown[],
  edit: (sim) => atDashboard(sim, 'PUT', `${domains(sim)}/cdn.example.net`, { minTLS: '1.0', enabled: true }),
  stranger: (sim) =>
    atDashboard(sim, 'POST', domains(sim), { domain: 'cdn.example.net', zoneId: zoneOf(sim), enabled: true }),
});
