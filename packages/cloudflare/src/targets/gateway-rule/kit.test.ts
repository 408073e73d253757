import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { OwnedConfig } from '../owned-contract.ts';
import { gatewayRuleTarget } from './sync.ts';

const path = ({ accountId }: SimCloudflare): string => `/accounts/${accountId}/gateway/rules`;
const body = {
  action: 'allow',
  enabled: true,
  precedence: 10,
  filters: ['http'],
  // Not as Cloudflare writes it, and not all of that can be foreseen.
  traffic: 'http.request.uri  matches  ".*a  b"  AND  any( http.request.domains[*] IN { "x"   "y" } )',
  rule_settings: { check_session: { enforce: true, duration: '24h' }, block_page_enabled: false },
};
const config = (fields: object = {}): OwnedConfig => ({
  name: 'sites',
  description: 'for all',
  body: { ...body, ...fields },
});

describeTarget('Gateway rule', {
  target: gatewayRuleTarget,
  key: ({ accountId }) => ({ accountId, owner: 'GatewayRule/sites' }),
  config: () => config(),
  changes: {
    traffic: () => config({ traffic: 'http.request.uri  matches ".*"  OR  true' }),
    name: () => ({ ...config(), name: 'other' }),
    description: () => ({ ...config(), description: 'for some' }),
    precedence: () => config({ precedence: 20 }),
    enabled: () => config({ enabled: false }),
    action: () => config({ action: 'block' }),
    filters: () => config({ filters: ['dns'] }),
    identity: () => config({ identity: 'identity.email ==  "a@example.com"' }),
    'the posture of devices': () => config({ device_posture: 'any(device_posture.checks.passed[*]  in {"x"})' }),
    'settings that go': () => config({ rule_settings: {} }),
    'the duration of a session': () => config({ rule_settings: { check_session: { enforce: true, duration: '90m' } } }),
    schedule: () => config({ schedule: { time_zone: 'Europe/Berlin', mon: '08:00-12:00' } }),
    expiration: () => config({ expiration: { expires_at: '2027-01-31T12:00:00+01:00', duration: 60 } }),
  },
  remote: (sim) => listAtDashboard(sim, path(sim)),
  edit: (sim, id) => atDashboard(sim, 'PUT', `${path(sim)}/${id}`, { ...body, name: 'sites', traffic: 'false' }),
  stranger: (sim) => atDashboard(sim, 'POST', path(sim), { ...body, name: 'sites', action: 'block' }),
  rival: (sim) =>
    atDashboard(sim, 'POST', path(sim), { ...body, name: 'sites', description: '[managed-by:Other/ns/name]' }),
});
