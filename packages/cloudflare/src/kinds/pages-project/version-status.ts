import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { deploymentsOf, managedBy } from '../../refs/pages/managed-versions.ts';
import { wantedVersions } from '../../refs/pages/wanted-versions.ts';
import type { PagesProject } from './resource.ts';

type Deployment = ReturnType<typeof deploymentsOf>[number];

/** A deployment for production of this name that is served. */
export function isDeployed(name: string): (deployment: Deployment) => boolean {
  return ({ metadata, status }) =>
    metadata.name === name && status?.state === 'Succeeded' && status.environment === 'production';
}

/** What this cluster has deployed to the project, the newest first. */
export function historyStatus(object: PagesProject, refs: Refs): Readonly<Record<string, unknown>> {
  const deployed = deploymentsOf(object, refs).filter(
    ({ status, spec }) => status?.deploymentId && spec.action !== 'rollback',
  );
  if (deployed.length === 0) return {};
  const history = deployed.map(({ status }, index) => ({
    deploymentId: status?.deploymentId,
    version: deployed.length - index,
    url: status?.hashUrl,
    environment: status?.environment,
    status: status?.state,
    createdAt: status?.startedAt,
  }));
  const good = deployed.find(({ status }) => status?.state === 'Succeeded');
  return {
    deploymentHistory: history.slice(0, object.spec.deploymentHistoryLimit),
    ...(good && { lastSuccessfulDeploymentId: good.status?.deploymentId }),
  };
}

/** What a status says of versions goes when no more are asked for. */
const noVersions = {
  activePolicy: undefined,
  managedDeployments: undefined,
  managedVersions: undefined,
  versionMapping: undefined,
  currentProduction: undefined,
} as const;

/** How the versions fare that the project wants. */
export function versionStatus(object: PagesProject, refs: Refs): Readonly<Record<string, unknown>> {
  const wanted = wantedVersions(object.spec);
  if (!wanted.ok) return {};
  if (wanted.policy === 'none') return noVersions;
  const managed = managedBy(object, refs);
  const shown = managed.find(({ status }) => status?.isCurrentProduction);
  return {
    activePolicy: wanted.policy,
    managedDeployments: managed.length,
    managedVersions: managed.map((each) => ({
      name: each.spec.versionName ?? '',
      deploymentName: each.metadata.name ?? '',
      isProduction: each === shown,
      ...(each.status?.state && { state: each.status.state }),
      ...(each.status?.deploymentId && { deploymentId: each.status.deploymentId }),
    })),
    versionMapping: Object.fromEntries(
      managed.flatMap(({ spec, status }) =>
        status?.deploymentId ? [[spec.versionName ?? '', status.deploymentId]] : [],
      ),
    ),
    ...(shown && {
      currentProduction: {
        version: shown.spec.versionName ?? '',
        deploymentName: shown.metadata.name ?? '',
        deploymentId: shown.status?.deploymentId,
        url: shown.status?.url,
        hashUrl: shown.status?.hashUrl,
        ...(shown.status?.finishedAt && { deployedAt: shown.status.finishedAt }),
      },
    }),
  };
}
