import { hashOf, secretKind } from '@tributary/runtime';
import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { pagesWords } from '../../refs/pages/pages-shape.ts';
import { projectOf } from '../../refs/pages/project-of.ts';
import type { ProjectPlace } from '../../refs/pages/project-of.ts';
import { rollbackTarget } from '../../refs/pages/rollback-target.ts';
import { pagesDeploymentContract } from '../../targets/pages-deployment/contract.ts';
import { pagesPromotionContract } from '../../targets/pages-promotion/contract.ts';
import { pagesDeploymentKind } from './resource.ts';
import type { PagesDeployment } from './resource.ts';
import { toStatus, verdictOf } from './status.ts';
import { toRequest } from './to-request.ts';
import type { Request } from './to-request.ts';

type Resolved = ProjectPlace & {
  readonly work: Extract<Request, { readonly ok: true }> | { readonly rollbackTo: string };
};

export const pagesDeploymentContributor = defineContributor<PagesDeployment, Resolved>({
  kind: pagesDeploymentKind,
  ...finalizersOf('pagesdeployment'),
  childKinds: [secretKind],
  resolve,
  contribute: ({ metadata }, { accountId, credentials, project, work }) => {
    const owner = sourceId({ kind: 'PagesDeployment', namespace: metadata.namespace, name: metadata.name ?? '' });
    const place = { accountId, project, owner };
    if ('rollbackTo' in work)
      return [contribution(pagesPromotionContract, place, { deploymentId: work.rollbackTo }, { credentials })];
    const { config } = work;
    // Another wish, or the same one once more, is another deployment.
    const again = metadata.annotations?.['cloudflare-operator.io/force-redeploy'];
    const revision = hashOf([config, again ?? '']).slice(0, 10);
    return [contribution(pagesDeploymentContract, { ...place, revision }, config, { credentials })];
  },
  children: (_object, { work }) => ('child' in work && work.child ? [work.child] : []),
  verdict: verdictOf,
  status: toStatus,
  ready: pagesWords,
});

function resolve(object: PagesDeployment, refs: Refs): Resolution<Resolved> {
  const place = projectOf(refs, object);
  if (!place.ok) return place;
  if (object.spec.action === 'rollback') {
    const target = rollbackTarget(object.spec, place.value, object.metadata.namespace ?? '', refs);
    return target.ok ? { ok: true, value: { ...place.value, work: { rollbackTo: target.value } } } : target;
  }
  const work = toRequest(object, refs);
  if (!work.ok) return { ok: false, state: 'broken', reason: 'InvalidConfig', message: work.message };
  const rival = work.environment === 'production' ? rivalOf(object, refs) : undefined;
  if (rival !== undefined) {
    const message = `spec.environment: production of this project is PagesDeployment ${rival}'s`;
    return { ok: false, state: 'broken', reason: 'ProductionConflict', message };
  }
  return { ok: true, value: { ...place.value, work } };
}

/** Of several that say they are production the oldest is; those of a PagesProject are in its care, and the failed are none. */
function rivalOf({ metadata, spec }: PagesDeployment, refs: Refs): string | undefined {
  if (isManaged(metadata.labels)) return undefined;
  const rivals = refs
    .list(pagesDeploymentKind, { namespace: metadata.namespace ?? '' })
    .filter(
      (each) =>
        each.metadata.name !== metadata.name &&
        each.spec.environment === 'production' &&
        each.spec.action !== 'rollback' &&
        !each.metadata.deletionTimestamp &&
        !isManaged(each.metadata.labels) &&
        !['Failed', 'Cancelled'].includes(each.status?.state ?? '') &&
        hashOf(each.spec.projectRef) === hashOf(spec.projectRef) &&
        ageOf(each.metadata) < ageOf(metadata),
    );
  return rivals[0]?.metadata.name;
}

function ageOf({ creationTimestamp = '', name = '' }: PagesDeployment['metadata']): string {
  return `${creationTimestamp} ${name}`;
}

function isManaged(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels?.['networking.cloudflare-operator.io/managed-by'] === 'pagesproject';
}
