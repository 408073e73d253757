import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { secretKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { pagesStatusOf, pagesWords } from '../../refs/pages/pages-shape.ts';
import {
  deploymentName,
  deploymentsOf,
  pagesDeploymentKind,
  versionChildren,
} from '../../refs/pages/managed-versions.ts';
import { wantedVersions } from '../../refs/pages/wanted-versions.ts';
import type { Version } from '../../refs/pages/wanted-versions.ts';
import { pagesPromotionContract } from '../../targets/pages-promotion/contract.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { pagesProjectContract } from '../../targets/pages-project/contract.ts';
import { secretsOf } from './project-secrets.ts';
import type { ProjectSecrets } from './project-secrets.ts';
import { pagesProjectKind } from './resource.ts';
import type { PagesProject } from './resource.ts';
import { bodyProblems, toBody } from './to-body.ts';
import { historyStatus, isDeployed, versionStatus } from './version-status.ts';

type Resolved = Account & {
  readonly secrets: ProjectSecrets;
  readonly versions: readonly Version[];
  /** What production shall show, once it is there. */
  readonly production: string | undefined;
};

export const pagesProjectContributor = defineContributor<PagesProject, Resolved>({
  kind: pagesProjectKind,
  ...finalizersOf('pagesproject'),
  childKinds: [secretKind, pagesDeploymentKind],
  resolve,
  contribute: ({ metadata, spec }, { accountId, credentials, secrets, production }) => {
    const { adoptionPolicy } = spec;
    const config = {
      body: toBody(spec),
      ...(secrets.uses.length > 0 && { secrets: secrets.uses }),
      ...(adoptionPolicy === 'MustExist' && { mustExist: true }),
      ...(adoptionPolicy === 'IfExists' ? { adopt: true } : adoptWish(metadata)),
    };
    const name = nameOf({ metadata, spec });
    const owner = sourceId({ kind: 'PagesProject', namespace: metadata.namespace, name: metadata.name ?? '' });
    return [
      contribution(pagesProjectContract, { accountId, name }, config, { credentials }),
      ...(production
        ? [
            contribution(
              pagesPromotionContract,
              { accountId, project: name, owner },
              { deploymentId: production },
              { credentials },
            ),
          ]
        : []),
    ];
  },
  children: (object, { secrets, versions }, _view, refs) => [
    ...(secrets.child ? [secrets.child] : []),
    ...versionChildren(object, versions, object.spec.versionManagement?.gitops?.validationLabels ?? {}, refs),
  ],
  deletionPolicy: ({ spec }) => spec.deletionPolicy,
  whileDeleting: { state: 'Deleting' },
  verdict: ({ spec }) =>
    spec.enableWebAnalytics === undefined
      ? undefined
      : { message: 'in step; spec.enableWebAnalytics is not carried out: use webAnalyticsTag of spec.buildConfig' },
  status: toStatus,
  ready: pagesWords,
});

function resolve(object: PagesProject, refs: Refs): Resolution<Resolved> {
  const { metadata, spec, status } = object;
  const name = nameOf(object);
  const { projectId = name } = status ?? {};
  const problems = [
    ...bodyProblems(spec),
    // Its deployments and domains would not be in another one.
    ...(projectId === name ? [] : [`spec.name: a project cannot be renamed, and this one is ${projectId}`]),
  ];
  if (problems.length > 0) return { ok: false, state: 'broken', reason: 'InvalidConfig', message: problems.join('; ') };
  const account = credentialsOf(refs, spec.cloudflare, metadata.namespace);
  if (!account.ok) return account;
  const secrets = secretsOf(object, refs);
  if (!secrets.ok) return secrets;
  const wanted = wantedVersions(spec);
  if (!wanted.ok) return { ok: false, state: 'broken', reason: 'InvalidConfig', message: wanted.message };
  const { versions } = wanted;
  const production = versions.find((version) => version.production);
  const shown = production && deploymentsOf(object, refs).find(isDeployed(deploymentName(object, production.name)));
  return {
    ok: true,
    value: { ...account.value, secrets: secrets.value, versions, production: shown?.status?.deploymentId },
  };
}

function nameOf({ metadata, spec }: Pick<PagesProject, 'metadata' | 'spec'>): string {
  return spec.name || (metadata.name ?? '');
}

function toStatus(object: PagesProject, view: View, refs: Refs): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  const { subdomain, domains = '', latest } = part?.outputs ?? {};
  return {
    ...pagesStatusOf(view),
    state: stateOf(object, view),
    ...(part?.synced && {
      projectId: nameOf(object),
      subdomain,
      domains: domains.split(','),
      ...(latest && { latestDeployment: JSON.parse(latest) as object }),
      adopted: part.syncState?.status?.created !== true,
    }),
    ...historyStatus(object, refs),
    ...versionStatus(object, refs),
  };
}

function stateOf({ status }: PagesProject, { state, parts, losses }: View): string {
  if (state === 'Error' || losses.length > 0) return 'Error';
  if (state === 'Synced') return 'Ready';
  if (parts.length === 0) return 'Pending';
  return status?.projectId ? 'Updating' : 'Creating';
}
