import type { Child, Refs } from '../../engine/l2-controllers/contributor.ts';
import { pagesDeploymentKind } from '../../kinds/pages-deployment/resource.ts';
import type { PagesDeployment } from '../../kinds/pages-deployment/resource.ts';
import { versionLabel } from './deployment-of.ts';
import type { Version } from './wanted-versions.ts';

export { pagesDeploymentKind } from '../../kinds/pages-deployment/resource.ts';

const label = 'networking.cloudflare-operator.io';

type Project = {
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly uid?: string };
  readonly spec: { readonly cloudflare: object; readonly revisionHistoryLimit: number };
};

/** The deployments of this namespace that belong to the project, the newest first. */
export function deploymentsOf({ metadata }: Pick<Project, 'metadata'>, refs: Refs): readonly PagesDeployment[] {
  return refs
    .list(pagesDeploymentKind, { namespace: metadata.namespace ?? '' })
    .filter(({ spec }) => spec.projectRef.name === metadata.name)
    .toSorted((a, b) => (bornAt(a) < bornAt(b) ? 1 : -1));
}

function bornAt({ metadata, status }: PagesDeployment): string {
  return `${status?.startedAt ?? metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`;
}

/** Those that were made for its versions, the newest first. */
export function managedBy(project: Pick<Project, 'metadata'>, refs: Refs): readonly PagesDeployment[] {
  const { uid } = project.metadata;
  return deploymentsOf(project, refs).filter(({ metadata }) => metadata.labels?.[`${label}/managed-by-uid`] === uid);
}

/**
 * The PagesDeployments of the versions. Those of versions that are not wanted any more stay, the newest of them, up to the
 * limit. What was once production stays a deployment for production: only such can be gone back to.
 */
export function versionChildren(
  project: Project,
  versions: readonly Version[],
  validationLabels: Readonly<Record<string, string>>,
  refs: Refs,
): readonly Child[] {
  const managed = managedBy(project, refs);
  const wanted = versions.map((version) => {
    const name = deploymentName(project, version.name);
    const there = managed.find(({ metadata }) => metadata.name === name);
    return toChild(project, version, environmentOf(version, there, validationLabels));
  });
  const names = new Set(wanted.map(({ object }) => object.metadata.name));
  const { revisionHistoryLimit: limit } = project.spec;
  const room = limit === 0 ? managed.length : Math.max(0, limit - wanted.length);
  const kept = managed.filter(({ metadata }) => !names.has(metadata.name ?? ''));
  const isKept = ({ status }: PagesDeployment, index: number): boolean =>
    index < room || status?.isCurrentProduction === true;
  return [...wanted, ...kept.filter(isKept).map(asItIs)];
}

export function deploymentName({ metadata }: Pick<Project, 'metadata'>, version: string): string {
  return `${metadata.name ?? ''}-${version}`;
}

function environmentOf(
  { production }: Version,
  there: PagesDeployment | undefined,
  labels: Readonly<Record<string, string>>,
): string {
  if (there?.spec.environment === 'production' || production === 'at once') return 'production';
  const isMarked = Object.entries(labels).every(([name, value]) => there?.metadata.labels?.[name] === value);
  return production && isMarked && there?.status?.state === 'Succeeded' ? 'production' : 'preview';
}

function toChild(project: Project, { name, upload }: Version, environment: string): Child {
  const { branch: _branch, deploymentMetadata: { branch: _told, ...told } = {}, ...files } = upload;
  // Which branch is production the project says.
  const directUpload = environment === 'production' ? { ...files, deploymentMetadata: told } : upload;
  const { namespace, uid } = project.metadata;
  const metadata = {
    namespace,
    name: deploymentName(project, name),
    labels: {
      [`${label}/managed-by`]: 'pagesproject',
      [`${label}/managed-by-name`]: project.metadata.name ?? '',
      [`${label}/managed-by-uid`]: uid ?? '',
      [versionLabel]: name,
    },
    annotations: { [`${label}/managed`]: 'true' },
  };
  const spec = {
    projectRef: { name: project.metadata.name },
    environment,
    versionName: name,
    source: { type: 'directUpload', directUpload },
    cloudflare: project.spec.cloudflare,
  };
  return { kind: pagesDeploymentKind, object: { metadata, spec } as unknown as Child['object'] };
}

function asItIs({ metadata: { name, namespace } }: PagesDeployment): Child {
  return { kind: pagesDeploymentKind, object: { metadata: { name, namespace } } as Child['object'] };
}
