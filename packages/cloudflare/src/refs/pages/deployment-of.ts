import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { pagesDeploymentKind } from '../../kinds/pages-deployment/resource.ts';
import type { PagesDeployment } from '../../kinds/pages-deployment/resource.ts';

export type DeploymentFound = { readonly deploymentId: string; readonly name?: string };

type Asking = {
  readonly deploymentId?: string | undefined;
  readonly name?: string | undefined;
  readonly versionName?: string | undefined;
};

export const versionLabel = 'networking.cloudflare-operator.io/version';

/** The deployment that an object means: by its id, or by a PagesDeployment, which is waited for until it has succeeded. */
export function deploymentOf(
  refs: Refs,
  { deploymentId, name, versionName }: Asking,
  namespace: string,
  requireSuccess: boolean,
): Resolution<DeploymentFound> {
  if (deploymentId) return { ok: true, value: { deploymentId } };
  if (!name && !versionName) return failed('InvalidConfig', 'one of deploymentId, name and versionName must be given');
  const object = name
    ? refs.get(pagesDeploymentKind, { namespace, name })
    : refs.list(pagesDeploymentKind, { namespace }).find((each) => isVersion(each, versionName ?? ''));
  const said = name ? `PagesDeployment ${name}` : `version ${versionName ?? ''}`;
  if (!object) return failed('DeploymentNotFound', `${said} is not there`);
  const { deploymentId: known, state } = object.status ?? {};
  if (!known || (requireSuccess && state !== 'Succeeded')) {
    const message = `${said} is ${state ?? 'Pending'}, and has to succeed first`;
    const isOver = state === 'Failed' || state === 'Cancelled';
    return { ok: false, state: isOver ? 'broken' : 'waiting', reason: 'WaitingForDeployment', message };
  }
  return { ok: true, value: { deploymentId: known, name: object.metadata.name ?? '' } };
}

function isVersion({ metadata, spec }: PagesDeployment, version: string): boolean {
  return spec.versionName === version || metadata.labels?.[versionLabel] === version;
}

function failed(reason: string, message: string): Resolution<never> {
  return { ok: false, state: 'broken', reason, message: `spec.deploymentRef: ${message}` };
}
