import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { unlessGone } from '../unless-gone.ts';
import { pagesPromotionContract } from './contract.ts';
import type { PagesPromotionConfig, PagesPromotionKey } from './contract.ts';

type Desired = { readonly deploymentId: string };
type Projects = Call['api']['pages']['projects'];
type Project = Awaited<ReturnType<Projects['get']>>;
/** `replaced`: what was shown before our own rollback. */
type Observed = Pick<Project, 'name' | 'subdomain' | 'canonical_deployment'> & {
  readonly replaced?: Project['canonical_deployment'];
};
/** What we have told it to show, and what that replaced. */
type Known = {
  readonly promoted?: string;
  readonly hashUrl?: string;
  readonly promotedAt?: string;
  readonly previousId?: string;
  readonly previousUrl?: string;
};

/**
 * Production is told once to show a deployment. What it shows later, because somebody has deployed since, is told and not
 * undone.
 */
export const pagesPromotionTarget = defineTarget<PagesPromotionKey, PagesPromotionConfig, Desired, Observed>({
  contract: pagesPromotionContract,
  aggregate: (sources, { project }) => {
    const { winner, losers } = firstWins(sources, `production of ${project}`);
    return { ok: true, desired: { deploymentId: winner.config.deploymentId }, losers };
  },
  scope: ({ accountId, project }) => `${accountId}/${project}`,
  observe: {
    lookup: async ({ key }, { api, signal }) => {
      const found = await unlessGone(api.pages.projects.get(key.project, { account_id: key.accountId }, { signal }));
      return found ? [found] : [];
    },
  },
  idOf: ({ name }) => name,
  relation: () => 'same',
  difference: ({ deploymentId }, { canonical_deployment: shown }, remembered) =>
    shown?.id === deploymentId || (remembered as Known | undefined)?.promoted === deploymentId ? [] : ['production'],
  memory: {
    after: ({ deploymentId }, { canonical_deployment: shown, replaced }, remembered, now) => {
      const before = (remembered ?? {}) as Known;
      if (before.promoted === deploymentId) return before;
      return {
        promoted: deploymentId,
        promotedAt: new Date(now).toISOString(),
        ...(shown && { hashUrl: shown.url }),
        ...(replaced && { previousId: replaced.id, previousUrl: replaced.url }),
      };
    },
  },
  // A project is not ours to make.
  update: async ({ key, wanted, observed }, { api, signal }) => {
    const params = { account_id: key.accountId, project_name: key.project };
    const shown = await api.pages.projects.deployments.rollback(wanted.deploymentId, params, { signal });
    return { ...observed, canonical_deployment: shown, replaced: observed.canonical_deployment };
  },
  giveUp: () => 'retain',
  outputs: ({ subdomain, canonical_deployment: shown }, _desired, _secrets, remembered) => {
    const { promoted: _promoted, ...known } = (remembered ?? {}) as Known;
    return { data: { ...known, url: `https://${subdomain ?? ''}`, ...(shown && { production: shown.id }) } };
  },
});
