import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { pagesProjectTarget } from './sync.ts';

const all = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/pages/projects`;
const plain = (value: string): object => ({ type: 'plain_text', value });
const withVariables = (production: object, more: object = {}): { body: Record<string, unknown> } => ({
  body: {
    production_branch: 'main',
    build_config: { build_command: 'make', build_caching: true },
    deployment_configs: {
      production: { compatibility_flags: ['b', 'a'], usage_model: 'bundled', ...production },
      preview: {},
    },
    ...more,
  },
});
const first = withVariables({ env_vars: { A: plain('1'), B: plain('') }, browsers: { BROWSER: {} } });

describeTarget('project of Pages', {
  target: pagesProjectTarget,
  key: ({ accountId }) => ({ accountId, name: 'site' }),
  config: () => first,
  changes: {
    'a variable': () => withVariables({ env_vars: { A: plain('2'), B: plain('') }, browsers: { BROWSER: {} } }),
    'a variable that is there no more': () => withVariables({ env_vars: { B: plain('') }, browsers: { BROWSER: {} } }),
    'a binding that is there no more': () => withVariables({ env_vars: { A: plain('1'), B: plain('') } }),
    'another binding': () =>
      withVariables({
        env_vars: { A: plain('1') },
        browsers: { OTHER: {} },
        kv_namespaces: { KV: { namespace_id: 'n' } },
      }),
    'the branch': () => withVariables({}, { production_branch: 'next' }),
    'the build': () => withVariables({}, { build_config: { root_dir: 'web' } }),
    nothing: () => ({ body: { production_branch: 'main', build_config: {} } }),
  },
  remote: (sim) => listAtDashboard(sim, all(sim)),
  edit: (sim) =>
    atDashboard(sim, 'PATCH', `${all(sim)}/site`, {
      deployment_configs: { production: { browsers: { BROWSER: null }, env_vars: { FOREIGN: plain('x') } } },
    }),
  stranger: (sim) => atDashboard(sim, 'POST', all(sim), { name: 'site', production_branch: 'main' }),
});
