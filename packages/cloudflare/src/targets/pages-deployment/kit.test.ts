import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { pagesDeploymentTarget } from './sync.ts';

const projects = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/pages/projects`;
const remote = (sim: SimCloudflare): readonly unknown[] => listAtDashboard(sim, `${projects(sim)}/site/deployments`);
const source = { type: 'github', config: { owner: 'me', repo_name: 'site' } };
const key = ({
  accountId,
}: SimCloudflare): { accountId: string; project: string; owner: string; revision: string } => ({
  accountId,
  project: 'site',
  owner: 'Toy/default/one',
  revision: 'r1',
});

describeTarget('deployment of files', {
  target: pagesDeploymentTarget,
  prepare: (sim) => atDashboard(sim, 'POST', projects(sim), { name: 'site', production_branch: 'main' }),
  key,
  config: () => ({
    source: {
      type: 'files' as const,
      files: { 'index.html': '<h1>Hi</h1>', _headers: '/*\n  x: y', 'a/b.css': 'p {}' },
    },
    description: 'files',
    branch: 'preview',
  }),
  changes: {},
  remote,
  end: 'kept',
});

describeTarget('deployment of a branch', {
  target: pagesDeploymentTarget,
  prepare: (sim) => atDashboard(sim, 'POST', projects(sim), { name: 'site', production_branch: 'main', source }),
  key,
  config: () => ({ source: { type: 'git' as const }, description: 'git:next', branch: 'next', purgeBuildCache: true }),
  changes: {},
  remote: (sim) => remote(sim).map((one) => (one as { readonly id: string }).id),
  // By then it is built.
  settleMs: 180_000,
  end: 'kept',
});
