import { OperatorError } from '@tributary/runtime';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { unlessGone } from '../unless-gone.ts';
import { domainRegistrationContract } from './contract.ts';
import type { DomainRegistrationConfig, DomainRegistrationKey } from './contract.ts';

type Desired = Pick<DomainRegistrationConfig, 'autoRenew'>;

type Registration = {
  readonly domain_name?: string;
  readonly status?: string;
  readonly auto_renew?: boolean;
  readonly locked?: boolean;
  readonly privacy_mode?: string;
  readonly created_at?: string;
  readonly expires_at?: string | null;
};

/** A registration costs money and is for years, so it is never made and never given up: only its renewal is set. */
export const domainRegistrationTarget = defineTarget<
  DomainRegistrationKey,
  DomainRegistrationConfig,
  Desired,
  Registration
>({
  contract: domainRegistrationContract,
  aggregate: (sources, { domain }) => {
    const { winner, losers } = firstWins(sources, `registration of ${domain}`);
    const { autoRenew } = winner.config;
    return { ok: true, desired: autoRenew === undefined ? {} : { autoRenew }, losers };
  },
  scope: ({ accountId }) => accountId,
  observe: {
    lookup: async ({ key }, call) => {
      const found = await get(key, call);
      return found ? [found] : [];
    },
  },
  idOf: ({ domain_name: domain = '' }) => domain,
  relation: () => 'same',
  difference: ({ autoRenew }, observed) =>
    autoRenew === undefined || autoRenew === observed.auto_renew ? [] : ['auto_renew'],
  update: async ({ key, wanted, observed }, call) => {
    const { accountId, domain } = key;
    const { autoRenew = false } = wanted;
    const asked = { account_id: accountId, auto_renew: autoRenew };
    const { state } = await call.api.registrar.registrations.edit(domain, asked, { signal: call.signal });
    if (failures.has(state)) {
      const message = `the change of auto_renew of ${domain} is ${state} at the registrar`;
      throw new OperatorError('registrar/change-not-made', message, { kind: 'after', ms: 10 * 60_000 });
    }
    // One that is under way is done some time later; the next look tells.
    return state === 'succeeded' ? ((await get(key, call)) ?? observed) : { ...observed, auto_renew: autoRenew };
  },
  giveUp: () => 'retain',
  outputs: (observed) => ({ data: toOutputs(observed) }),
});

const failures: ReadonlySet<string> = new Set(['failed', 'blocked', 'action_required']);

async function get({ accountId, domain }: DomainRegistrationKey, call: Call): Promise<Registration | undefined> {
  const { registrations } = call.api.registrar;
  return unlessGone(registrations.get(domain, { account_id: accountId }, { signal: call.signal }));
}

function toOutputs(registration: Registration): Readonly<Record<string, string>> {
  const { status, auto_renew: autoRenew, locked, privacy_mode: privacy } = registration;
  const told = {
    status,
    autoRenew,
    locked,
    privacy: privacy === undefined ? undefined : privacy !== 'off',
    createdAt: registration.created_at,
    expiresAt: registration.expires_at,
  };
  return Object.fromEntries(
    Object.entries(told).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  );
}
