import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Resolution, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { deploymentOf } from '../../refs/pages/deployment-of.ts';
import type { DeploymentFound } from '../../refs/pages/deployment-of.ts';
import { pagesStatusOf, pagesWords } from '../../refs/pages/pages-shape.ts';
import { projectOf } from '../../refs/pages/project-of.ts';
import type { ProjectPlace } from '../../refs/pages/project-of.ts';
import { pagesPromotionContract } from '../../targets/pages-promotion/contract.ts';
import { pagesPromotionKind } from './resource.ts';
import type { PagesPromotion } from './resource.ts';

type Resolved = ProjectPlace & DeploymentFound;

export const pagesPromotionContributor = defineContributor<PagesPromotion, Resolved>({
  kind: pagesPromotionKind,
  ...finalizersOf('pagespromotion'),
  resolve: (object, refs): Resolution<Resolved> => {
    const place = projectOf(refs, object);
    if (!place.ok) return place;
    const { deploymentRef, requireSuccessfulDeployment } = object.spec;
    const { namespace = '' } = object.metadata;
    const found = deploymentOf(refs, deploymentRef, namespace, requireSuccessfulDeployment);
    return found.ok ? { ok: true, value: { ...place.value, ...found.value } } : found;
  },
  contribute: ({ metadata }, { accountId, credentials, project, deploymentId }) => {
    const owner = sourceId({ kind: 'PagesPromotion', namespace: metadata.namespace, name: metadata.name ?? '' });
    return [contribution(pagesPromotionContract, { accountId, project, owner }, { deploymentId }, { credentials })];
  },
  verdict: (_object, { parts }) => {
    const [part] = parts;
    const { production } = part?.outputs ?? {};
    if (!production || production === part?.contribution.config['deploymentId']) return undefined;
    return { message: `promoted; production shows ${production} since` };
  },
  status: toStatus,
  ready: pagesWords,
});

function toStatus({ spec, status }: PagesPromotion, view: View): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  const { url, hashUrl, promotedAt, previousId, previousUrl } = part?.outputs ?? {};
  const { name: sourceDeploymentName } = spec.deploymentRef;
  const deploymentId = part?.contribution.config['deploymentId'];
  return {
    ...pagesStatusOf(view),
    state: stateOf(view, status?.state),
    ...(part && { projectName: part.contribution.syncState.key['project'] }),
    ...(part?.synced && {
      promotedDeployment: {
        deploymentId,
        url,
        hashUrl,
        promotedAt,
        ...(sourceDeploymentName && { sourceDeploymentName }),
      },
      lastPromotionTime: promotedAt,
      ...(previousId && {
        previousDeployment: { deploymentId: previousId, url, hashUrl: previousUrl, replacedAt: promotedAt },
      }),
    }),
  };
}

function stateOf({ state, parts, losses }: View, before: string | undefined): string {
  if (state === 'Error' || losses.length > 0) return 'Failed';
  if (state === 'Synced') return 'Promoted';
  if (parts.length > 0) return 'Promoting';
  return before === 'Promoted' ? 'Promoted' : 'Validating';
}
