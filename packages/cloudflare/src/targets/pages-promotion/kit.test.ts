import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import { pagesPromotionTarget } from './sync.ts';

const projects = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/pages/projects`;
const deployed = { environment: 'production', branch: 'main', trigger: 'ad_hoc', commitHash: '', commitMessage: '' };
const rest = { commitDirty: false, manifest: {}, special: {}, lastsMs: 0, fails: false, promotedMs: 0 };

describeTarget('promotion', {
  target: pagesPromotionTarget,
  prepare: (sim) => {
    atDashboard(sim, 'POST', projects(sim), { name: 'site', production_branch: 'main' });
    for (const [at, id] of ['one', 'two', 'three'].entries())
      sim.state.insert('pages_deployments', `${sim.accountId}/site`, { ...deployed, ...rest, id, createdMs: at });
  },
  key: ({ accountId }) => ({ accountId, project: 'site', owner: 'Toy/default/one' }),
  config: () => ({ deploymentId: 'one' }),
  changes: { 'the deployment': () => ({ deploymentId: 'two' }) },
  remote: (sim) => [atDashboard(sim, 'GET', `${projects(sim)}/site`)],
  end: 'kept',
});
