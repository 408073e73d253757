import { listAll } from '@tributary/cloudflare-api';
import { hashOf } from '@tributary/runtime';
import type { SecretUse } from '../../engine/l4-state/secret-use.ts';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { readUsedSecrets, withSecretsAt } from '../../engine/l5-sync/used-secrets.ts';
import type { WireFields } from '../compare-fields.ts';
import { firstWins } from '../first-wins.ts';
import { unlessGone } from '../unless-gone.ts';
import { differingSettings, settingsOf, withTakenBack } from './compare-project.ts';
import type { KnownProject } from './compare-project.ts';
import { pagesProjectContract } from './contract.ts';
import type { PagesProjectConfig, PagesProjectKey } from './contract.ts';

type Desired = {
  readonly name: string;
  readonly body: WireFields;
  readonly secrets: readonly SecretUse[];
  readonly mustExist: boolean;
};
type Projects = Call['api']['pages']['projects'];
type Observed = Awaited<ReturnType<Projects['get']>>;

export const pagesProjectTarget = defineTarget<PagesProjectKey, PagesProjectConfig, Desired, Observed>({
  contract: pagesProjectContract,
  aggregate: (sources, { name }) => {
    const { winner, losers } = firstWins(sources, `project ${name}`);
    const { body, secrets = [], mustExist = false } = winner.config;
    return { ok: true, desired: { name, body, secrets, mustExist }, losers };
  },
  scope: ({ accountId }) => accountId,
  observe: {
    lookup: async ({ key }, { api, signal }) => {
      const found = await unlessGone(api.pages.projects.get(key.name, { account_id: key.accountId }, { signal }));
      return found ? [found] : [];
    },
    list: async ({ accountId }, { api, signal }) =>
      listAll(api.pages.projects.list({ account_id: accountId, per_page: 10 }, { signal })),
  },
  idOf: ({ name }) => name,
  bornAt: ({ created_on: createdOn }) => createdOn,
  relation: ({ name }, observed) => (observed.name === name ? 'same' : 'none'),
  difference: ({ body, secrets }, observed, remembered) => {
    const known = remembered as KnownProject | undefined;
    const isResent = secrets.length > 0 && known?.secrets !== hashOf(secrets);
    return [
      ...differingSettings(body, observed as unknown as WireFields, known?.paths ?? []),
      ...(isResent ? ['secrets'] : []),
      // What says little is soon equal to somebody's own project: only what was once ours is taken for it.
      ...(known ? [] : ['owner']),
    ];
  },
  memory: { before: toKnown, after: toKnown },
  create: { repeatable: 'intent', allowed: ({ mustExist }) => !mustExist, run: create },
  update: async ({ key, wanted, remembered }, call) => {
    const { paths = [] } = (remembered ?? {}) as Partial<KnownProject>;
    const body = await withSecrets({ ...wanted, body: withTakenBack(wanted.body, paths) }, call);
    const params = { account_id: key.accountId, ...body };
    return call.api.pages.projects.edit(key.name, params, { signal: call.signal });
  },
  giveUp: () => 'delete',
  remove: async ({ name }, { accountId }, { api, signal }) =>
    void (await api.pages.projects.delete(name, { account_id: accountId }, { signal })),
  outputs: (observed) => ({ data: toOutputs(observed) }),
});

/** Secrets are known by the hash of their hashes. */
function toKnown({ body, secrets }: Desired): KnownProject {
  return { paths: [...settingsOf(body).keys()], ...(secrets.length > 0 && { secrets: hashOf(secrets) }) };
}

async function create(wanted: Desired, { accountId }: PagesProjectKey, call: Call): Promise<Observed> {
  const params = { account_id: accountId, name: wanted.name, ...(await withSecrets(wanted, call)) };
  return call.api.pages.projects.create(params as Parameters<Projects['create']>[0], { signal: call.signal });
}

async function withSecrets({ body, secrets }: Pick<Desired, 'body' | 'secrets'>, call: Call): Promise<object> {
  const values = await Promise.all(secrets.map(async (use) => readUsedSecrets(use, call)));
  return values.reduce<object>(withSecretsAt, body);
}

function toOutputs(project: Observed): Readonly<Record<string, string>> {
  const { subdomain = '', domains = [], production_branch: productionBranch } = project;
  const { latest_deployment: latest, canonical_deployment: production } = project;
  return {
    subdomain,
    domains: domains.join(','),
    productionBranch,
    ...(production && { production: production.id }),
    ...(latest && {
      latest: JSON.stringify({
        id: latest.id,
        url: latest.url,
        stage: latest.latest_stage.name,
        createdOn: latest.created_on,
      }),
    }),
  };
}
