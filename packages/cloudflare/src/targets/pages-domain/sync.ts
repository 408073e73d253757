import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { nextLookAt } from '../next-look.ts';
import { unlessGone } from '../unless-gone.ts';
import { pagesDomainContract } from './contract.ts';
import type { PagesDomainConfig, PagesDomainKey } from './contract.ts';

type Desired = { readonly domain: string };
type Observed = Awaited<ReturnType<Call['api']['pages']['projects']['domains']['get']>>;
/** Since when its activation is waited for; in ms since 1970. */
type Known = { readonly since?: number; readonly status: string };

const lookTimes = { firstMs: 30_000 };

export const pagesDomainTarget = defineTarget<PagesDomainKey, PagesDomainConfig, Desired, Observed>({
  contract: pagesDomainContract,
  aggregate: (sources, { domain }) => {
    const { losers } = firstWins(sources, `domain ${domain}`);
    return { ok: true, desired: { domain }, losers };
  },
  scope: ({ accountId, project }) => `${accountId}/${project}`,
  observe: {
    lookup: async ({ key }, { api, signal }) => {
      const found = await unlessGone(api.pages.projects.domains.get(key.domain, paramsOf(key), { signal }));
      return found ? [found] : [];
    },
  },
  idOf: ({ name }) => name,
  bornAt: ({ created_on: createdOn }) => createdOn,
  relation: ({ domain }, { name }) => (name === domain ? 'same' : 'none'),
  // There is nothing about a domain that could be another; but only what was once ours is taken for it.
  difference: (_wanted, _observed, remembered) => (remembered ? [] : ['owner']),
  memory: {
    after: (_wanted, { status }, remembered, now) =>
      status === 'active' ? { status } : { status, since: (remembered as Known | undefined)?.since ?? now },
  },
  lookAgainAt: (_observed, _desired, { now, remembered }) => nextLookAt((remembered as Known).since, now, lookTimes),
  create: {
    repeatable: 'intent',
    run: async ({ domain }, { accountId, project }, { api, signal }) =>
      api.pages.projects.domains.create(project, { account_id: accountId, name: domain }, { signal }),
  },
  // A domain that is taken over is looked at anew by Cloudflare.
  update: async ({ key }, { api, signal }) => api.pages.projects.domains.edit(key.domain, paramsOf(key), { signal }),
  giveUp: () => 'delete',
  remove: async ({ name }, key, { api, signal }) =>
    void (await api.pages.projects.domains.delete(name, paramsOf(key), { signal })),
  outputs: (observed) => ({ data: toOutputs(observed) }),
});

function paramsOf({ accountId, project }: PagesDomainKey): {
  readonly account_id: string;
  readonly project_name: string;
} {
  return { account_id: accountId, project_name: project };
}

function toOutputs(domain: Observed): Readonly<Record<string, string>> {
  const { validation_data: validation, verification_data: verification } = domain;
  const problem = validation?.error_message ?? verification?.error_message;
  const outputs = {
    domainId: domain.domain_id,
    status: domain.status,
    zoneId: domain.zone_tag,
    authority: domain.certificate_authority,
    method: validation?.method,
    validation: validation?.status,
    txtName: validation?.txt_name,
    txtValue: validation?.txt_value,
    problem,
  };
  return Object.fromEntries(Object.entries(outputs).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
