import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { pagesDomainTarget } from './sync.ts';

const projects = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/pages/projects`;
const all = (sim: SimCloudflare): string => `${projects(sim)}/site/domains`;
const zoneOf = ({ zones }: SimCloudflare): string => zones.find(({ name }) => name === 'example.com')?.id ?? '';
const made = (sim: SimCloudflare): readonly unknown[] => listAtDashboard(sim, all(sim)).map(({ name }) => name);

describeTarget('domain of a Pages project', {
  target: pagesDomainTarget,
  prepare: (sim) => {
    atDashboard(sim, 'POST', projects(sim), { name: 'site', production_branch: 'main' });
    const record = { type: 'CNAME', name: 'www.example.com', content: 'site.pages.dev', proxied: true };
    atDashboard(sim, 'POST', `/zones/${zoneOf(sim)}/dns_records`, record);
  },
  key: ({ accountId }) => ({ accountId, project: 'site', domain: 'www.example.com' }),
  config: () => ({}),
  changes: {},
  remote: made,
  // By then it is active.
  settleMs: 60_000,
  edit: (sim) => atDashboard(sim, 'DELETE', `${all(sim)}/www.example.com`),
  stranger: (sim) => atDashboard(sim, 'POST', all(sim), { name: 'www.example.com' }),
});
