import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import { accessIdentityProviderTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/access/identity_providers`;
const remote = (sim: SimCloudflare): readonly unknown[] => listAtDashboard(sim, path(sim));
const saml = { sso_target_url: 'https://idp.example.com', attributes: ['group'], sign_request: false };

describeTarget('Access identity provider', {
  target: accessIdentityProviderTarget,
  key: ({ accountId }) => ({ accountId, owner: 'AccessIdentityProvider/idp', type: 'saml' }),
  config: () => ({ name: 'idp', config: saml }),
  changes: {
    config: () => ({ name: 'idp', config: { ...saml, sign_request: true } }),
    'config that is there no more': () => ({ name: 'idp', config: { sso_target_url: saml.sso_target_url } }),
    name: () => ({ name: 'other', config: saml }),
    scimConfig: () => ({ name: 'idp', config: saml, scimConfig: { enabled: true, user_deprovision: true } }),
  },
  remote,
  edit: (sim, id) =>
    atDashboard(sim, 'PUT', `${path(sim)}/${id}`, { name: 'idp', type: 'saml', config: { attributes: [] } }),
  stranger: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'idp', type: 'saml', config: {} }),
});

describeTarget('one-time pins that were there before', {
  target: accessIdentityProviderTarget,
  prepare: (sim) => atDashboard(sim, 'POST', path(sim), { name: 'pins', type: 'onetimepin', config: {} }),
  key: ({ accountId }) => ({ accountId, owner: 'AccessIdentityProvider/pin', type: 'onetimepin' }),
  config: () => ({ name: 'pin', adopt: true }),
  changes: { name: () => ({ name: 'one-time pin', adopt: true }) },
  remote,
  end: 'kept',
});

describeTarget('one-time pins of our own', {
  target: accessIdentityProviderTarget,
  key: ({ accountId }) => ({ accountId, owner: 'AccessIdentityProvider/pin', type: 'onetimepin' }),
  config: () => ({ name: 'pin', adopt: true }),
  changes: { name: () => ({ name: 'one-time pin', adopt: true }) },
  remote,
});
