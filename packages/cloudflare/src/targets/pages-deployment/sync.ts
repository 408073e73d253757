import { canonicalJson } from '@tributary/runtime';
import { readMark, withMark } from '../../engine/l4-state/ownership-mark.ts';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { nextLookAt } from '../next-look.ts';
import { unlessGone } from '../unless-gone.ts';
import { pagesDeploymentContract } from './contract.ts';
import type { FileSource, PagesDeploymentConfig, PagesDeploymentKey } from './contract.ts';
import { fetchFiles } from './fetch-files.ts';
import { uploadFiles } from './upload-files.ts';

/** The message of the commit says whose it is: there is no other text about a deployment. */
type Desired = Omit<PagesDeploymentConfig, 'commitMessage' | 'description'> & { readonly message: string };
type Deployments = Call['api']['pages']['projects']['deployments'];
type Deployment = Awaited<ReturnType<Deployments['get']>>;
/** `gone`: somebody has deleted it. It is not made again: what is old must not come into production by itself. */
type Observed = Pick<Deployment, 'id'> & Partial<Deployment> & { readonly production?: string; readonly gone?: true };
type Known = { readonly since?: number };

const longestMessage = 384;
const longestText = 200;
/** A build takes minutes. */
const lookTimes = { firstMs: 5000, mostMs: 60_000 };

export const pagesDeploymentTarget = defineTarget<PagesDeploymentKey, PagesDeploymentConfig, Desired, Observed>({
  contract: pagesDeploymentContract,
  aggregate: (sources, { revision }) => {
    const { winner, losers } = firstWins(sources, 'deployment');
    const { commitMessage, description, ...config } = winner.config;
    const said = Array.from(commitMessage ?? description).slice(0, longestText);
    const marked = withMark(`${said.join('')} (${revision})`, winner.ref, longestMessage);
    if (!marked.ok) return { ok: false, message: `the message is too long by ${marked.overBy} characters` };
    return { ok: true, desired: { ...config, message: marked.text }, losers };
  },
  scope: ({ accountId, project }) => `${accountId}/${project}`,
  observe: { lookup },
  idOf: ({ id }) => id,
  markedText: messageOf,
  bornAt: ({ created_on: createdOn }) => createdOn,
  relation: ({ message }, observed) => (messageOf(observed) === message ? 'same' : 'none'),
  difference: () => [],
  memory: {
    after: (_wanted, observed, remembered, now) =>
      isUnderWay(observed) ? { since: (remembered as Known | undefined)?.since ?? now } : {},
  },
  lookAgainAt: (_observed, _desired, { now, remembered }) => nextLookAt((remembered as Known).since, now, lookTimes),
  create: { repeatable: 'intent', run: create },
  giveUp: () => 'retain',
  outputs: (observed) => ({ data: toOutputs(observed) }),
});

function messageOf({ deployment_trigger: trigger }: Observed): string | undefined {
  return trigger?.metadata.commit_message;
}

function isUnderWay({ latest_stage: stage, gone }: Observed): boolean {
  if (gone || !stage) return false;
  return (
    stage.status === 'active' || stage.status === 'idle' || (stage.status === 'success' && stage.name !== 'deploy')
  );
}

/**
 * What was lost with an answer is the newest of this owner. One that is older was replaced by another since: who wants the
 * same again wants it served again, which takes another deployment.
 */
async function lookup(
  { key, id, desired }: Asked<PagesDeploymentKey, Desired>,
  call: Call,
): Promise<readonly Observed[]> {
  const { api, signal } = call;
  const { deployments } = api.pages.projects;
  const params = paramsOf(key);
  if (id !== undefined) {
    const known = await unlessGone(deployments.get(id, params, { signal }));
    return [known ? await withProduction(known, key, call) : { id, gone: true }];
  }
  const page = { account_id: key.accountId, per_page: 25 };
  const newest = await unlessGone(Promise.resolve(deployments.list(key.project, page, { signal })));
  if (!desired) return newest?.result ?? [];
  const mine = newest?.result.find((deployment) => ownerOf(messageOf(deployment)) === ownerOf(desired.message));
  return mine ? [await withProduction(mine, key, call)] : [];
}

function ownerOf(message: string | undefined): string {
  return canonicalJson(readMark(message) ?? null);
}

async function create(wanted: Desired, key: PagesDeploymentKey, call: Call): Promise<Observed> {
  const { api, signal } = call;
  const { deployments } = api.pages.projects;
  const { source, branch, commitHash, commitDirty, message, purgeBuildCache } = wanted;
  if (purgeBuildCache) await api.pages.projects.purgeBuildCache(key.project, paramsOf(key), { signal });
  if (source.type === 'retry') return deployments.retry(source.deploymentId, paramsOf(key), { signal });
  const params = {
    account_id: key.accountId,
    ...(branch && { branch }),
    ...(commitHash && { commit_hash: commitHash }),
    ...(commitDirty !== undefined && { commit_dirty: commitDirty ? ('true' as const) : ('false' as const) }),
    commit_message: message,
    ...(source.type === 'git' ? {} : await uploaded(source, wanted, key, call)),
  };
  return withProduction(await deployments.create(key.project, params, { signal }), key, call);
}

async function uploaded(source: FileSource, wanted: Desired, key: PagesDeploymentKey, call: Call): Promise<object> {
  return uploadFiles(await fetchFiles(source, wanted, call), key, call);
}

/** Which deployment production shows only the project tells. */
async function withProduction(deployment: Deployment, key: PagesDeploymentKey, call: Call): Promise<Observed> {
  const project = await unlessGone(call.api.pages.projects.get(key.project, paramsOf(key), { signal: call.signal }));
  return { ...deployment, production: project?.canonical_deployment?.id ?? '' };
}

function paramsOf({ accountId, project }: PagesDeploymentKey): {
  readonly account_id: string;
  readonly project_name: string;
} {
  return { account_id: accountId, project_name: project };
}

function toOutputs(observed: Observed): Readonly<Record<string, string>> {
  const { id, url, aliases, environment, latest_stage: stage, created_on: startedAt, gone, production } = observed;
  const outputs = {
    deploymentId: id,
    stage: gone ? 'deleted' : stage?.name,
    stageStatus: stage?.status,
    url,
    branchUrl: aliases?.[0],
    environment,
    isCurrentProduction: String(production === id),
    startedAt,
    finishedAt: stage?.ended_on,
  };
  return Object.fromEntries(Object.entries(outputs).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
