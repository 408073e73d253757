import type { Part, View } from '../../engine/l2-controllers/contributor.ts';
import { pagesStatusOf } from '../../refs/pages/pages-shape.ts';
import type { PagesDeployment } from './resource.ts';

type State = NonNullable<NonNullable<PagesDeployment['status']>['state']>;

const building: Readonly<Record<string, State>> = { queued: 'Queued', deploy: 'Deploying' };

/** Ready is what is served, and where it was meant to be. */
export function verdictOf(object: PagesDeployment, view: View): Partial<View['ready']> | undefined {
  const { outputs } = view.parts[0] ?? {};
  const state = stateOf(object, view);
  const { stage = '', stageStatus = '', environment = '' } = outputs ?? {};
  const wanted = object.spec.environment ?? environment;
  if (state !== 'Succeeded') {
    const isOver = state === 'Failed' || state === 'Cancelled';
    const message = `the deployment is ${stage === 'deleted' ? stage : `in stage ${stage}: ${stageStatus}`}`;
    return { status: 'False', reason: isOver ? 'DeploymentFailed' : 'Deploying', message };
  }
  if (environment === '' || wanted === environment) return undefined;
  const message = `spec.environment: Cloudflare made it a deployment for ${environment}; its branch decides`;
  return { status: 'False', reason: 'EnvironmentMismatch', message };
}

export function toStatus(object: PagesDeployment, view: View): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  const { versionName } = object.spec;
  return {
    ...pagesStatusOf(view),
    state: stateOf(object, view),
    versionName,
    ...(part && { projectName: part.contribution.syncState.key['project'] }),
    ...(part?.synced && (object.spec.action === 'rollback' ? rolledBack(part) : deployed(part))),
  };
}

function deployed({ outputs, contribution }: Part): Readonly<Record<string, unknown>> {
  const { deploymentId, url, branchUrl, environment, isCurrentProduction, stage, startedAt, finishedAt } = outputs;
  return {
    deploymentId,
    // Production has an address of its own, which is its alias.
    url: environment === 'production' ? branchUrl : url,
    hashUrl: url,
    branchUrl: environment === 'preview' ? branchUrl : undefined,
    environment,
    isCurrentProduction: isCurrentProduction === 'true',
    stage,
    sourceDescription: contribution.config['description'],
    // Of this deployment, not of one before it.
    startedAt: startedAt || undefined,
    finishedAt: finishedAt || undefined,
  };
}

/** What is said of a deployment in the making is not true of one that is shown again. */
const notMade = {
  branchUrl: undefined,
  stage: undefined,
  sourceDescription: undefined,
  startedAt: undefined,
  finishedAt: undefined,
};

function rolledBack({ outputs, contribution }: Part): Readonly<Record<string, unknown>> {
  const { deploymentId } = contribution.config as { readonly deploymentId: string };
  const { url, hashUrl, production } = outputs;
  const isCurrentProduction = production === deploymentId;
  return { ...notMade, deploymentId, url, hashUrl, environment: 'production', isCurrentProduction };
}

function stateOf({ spec }: PagesDeployment, { state, parts, losses }: View): State {
  const { stage = '', stageStatus = '' } = parts[0]?.outputs ?? {};
  if (state === 'Error' || losses.length > 0) return 'Failed';
  if (state !== 'Synced') return parts.length === 0 ? 'Pending' : underWay[spec.action];
  if (spec.action === 'rollback' || (stage === 'deploy' && stageStatus === 'success')) return 'Succeeded';
  if (stageStatus === 'canceled' || stage === 'deleted') return 'Cancelled';
  if (stageStatus === 'failure') return 'Failed';
  return building[stage] ?? 'Building';
}

const underWay = { create: 'Pending', retry: 'Retrying', rollback: 'RollingBack' } as const;
