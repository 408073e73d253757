import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { AccessPolicyConfig } from './contract.ts';
import { accessPolicyTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/access/policies`;
const everyone = [{ everyone: {} }];

function config(fields: Partial<AccessPolicyConfig> = {}): AccessPolicyConfig {
  return { name: 'staff', decision: 'allow', include: everyone, exclude: [], require: [], ...fields };
}

describeTarget('Access policy', {
  target: accessPolicyTarget,
  key: ({ accountId }) => ({ accountId, owner: 'AccessPolicy/staff' }),
  config: () => config(),
  changes: {
    decision: () => config({ decision: 'bypass' }),
    include: () => config({ include: [{ geo: { country_code: 'PT' } }] }),
    sessionDuration: () => config({ sessionDuration: '12h' }),
    approvalRequired: () => config({ approvalRequired: true }),
    approvalGroups: () => config({ approvalGroups: [{ email_addresses: ['a@example.com'], approvals_needed: 1 }] }),
    isolationRequired: () => config({ isolationRequired: true }),
    purposeJustification: () => config({ purposeJustificationRequired: true, purposeJustificationPrompt: 'Why?' }),
  },
  remote: (sim) => listAtDashboard(sim, path(sim)),
  edit: (sim, id) =>
    atDashboard(sim, 'PUT', `${path(sim)}/${id}`, { name: 'mine', decision: 'deny', include: everyone }),
  stranger: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'staff', decision: 'deny', include: everyone }),
});
