import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import type { ZoneRule, ZoneRulesetConfig } from './contract.ts';
import { zoneRulesetTarget } from './sync.ts';

const phase = 'http_request_firewall_custom';
const zoneOf = ({ zones }: SimCloudflare): string => zones.find(({ name }) => name === 'example.net')?.id ?? '';
const entry = (sim: SimCloudflare): string => `/zones/${zoneOf(sim)}/rulesets/phases/${phase}/entrypoint`;

type Rule = { readonly id: string; readonly ref: string };
const rulesOf = (sim: SimCloudflare): readonly Rule[] =>
  (atDashboard(sim, 'GET', entry(sim))['rules'] ?? []) as readonly Rule[];

const rule: ZoneRule = { expression: 'ip.src in {192.0.2.0/24}', action: 'block', enabled: true, description: 'bad' };
const first: ZoneRulesetConfig = { rules: [rule] };
const changed = (fields: Partial<ZoneRule>): (() => ZoneRulesetConfig) => {
  return () => ({ rules: [{ ...rule, ...fields }] });
};

describeTarget('rules of a phase that others use too', {
  target: zoneRulesetTarget,
  prepare: (sim) =>
    atDashboard(sim, 'PUT', entry(sim), {
      rules: [{ action: 'log', expression: 'true', description: 'of the admin' }],
    }),
  key: (sim) => ({ accountId: sim.accountId, zoneId: zoneOf(sim), phase }),
  config: () => first,
  changes: {
    expression: changed({ expression: 'ip.src in {198.51.100.0/24}' }),
    action: changed({ action: 'managed_challenge' }),
    enabled: changed({ enabled: false }),
    description: changed({ description: 'worse' }),
    ref: changed({ ref: 'mine' }),
    parameters: changed({
      action_parameters: { response: { status_code: 403, content_type: 'text/plain', content: 'no' } },
    }),
    'the description of the whole': () => ({ ...first, description: 'ours' }),
  },
  // The foreign one stays, and ours is one more.
  remote: rulesOf,
  edit: (sim) => {
    const rules = rulesOf(sim).map((one) => (one.ref.startsWith('managed-') ? { ...one, expression: 'false' } : one));
    return atDashboard(sim, 'PUT', entry(sim), { rules });
  },
});
