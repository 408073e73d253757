import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { AccessApplicationConfig } from './contract.ts';
import { accessApplicationTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/access/apps`;
const fields = {
  domain: 'wiki.example.com',
  destinations: [{ type: 'public', uri: 'wiki.example.com' }],
  session_duration: '24h',
  app_launcher_visible: true,
  auto_redirect_to_identity: false,
};
const staff = {
  precedence: 1,
  name: 'staff',
  decision: 'allow',
  include: [{ everyone: {} }],
  exclude: [],
  require: [],
};

function config(more: Partial<AccessApplicationConfig> = {}): AccessApplicationConfig {
  return { name: 'wiki', type: 'self_hosted', fields, ownPolicies: [staff], sharedPolicies: [], ...more };
}

describeTarget('Access application', {
  target: accessApplicationTarget,
  key: ({ accountId }) => ({ accountId, owner: 'AccessApplication/wiki' }),
  config: () => config(),
  changes: {
    name: () => config({ name: 'Wiki' }),
    'a policy': () => config({ ownPolicies: [{ ...staff, decision: 'deny', sessionDuration: '1h' }] }),
    'the name of a policy': () => config({ ownPolicies: [{ ...staff, name: 'others' }] }),
    'no policies': () => config({ ownPolicies: [] }),
    destinations: () =>
      config({
        fields: { ...fields, destinations: [...fields.destinations, { type: 'public', uri: 'docs.example.com' }] },
      }),
    'the domain': () =>
      config({
        fields: { ...fields, domain: 'docs.example.com', destinations: [{ type: 'public', uri: 'docs.example.com' }] },
      }),
    'a default of the API': () => config({ fields: { ...fields, http_only_cookie_attribute: false } }),
    tags: () => config({ fields: { ...fields, tags: ['z', 'a'] } }),
    sessionDuration: () => config({ fields: { ...fields, session_duration: '90m' } }),
  },
  remote: (sim) => listAtDashboard(sim, path(sim)),
  edit: (sim, id) =>
    atDashboard(sim, 'PUT', `${path(sim)}/${id}`, { name: 'mine', type: 'self_hosted', domain: 'x.example.com' }),
  stranger: (sim) =>
    atDashboard(sim, 'POST', path(sim), { name: 'w', type: 'self_hosted', domain: 'wiki.example.com' }),
});
