import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import { domainRegistrationTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/registrar/registrations/example.com`;

describeTarget('a registration', {
  target: domainRegistrationTarget,
  key: ({ accountId }) => ({ accountId, domain: 'example.com' }),
  config: () => ({ domainName: 'example.com', autoRenew: true }),
  changes: { 'its renewal': () => ({ domainName: 'example.com', autoRenew: false }) },
  remote: (sim) => [atDashboard(sim, 'GET', path(sim))['auto_renew']],
  edit: (sim) => atDashboard(sim, 'PATCH', path(sim), { auto_renew: false }),
  end: 'kept',
});
