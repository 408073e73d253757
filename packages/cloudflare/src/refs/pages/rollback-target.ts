import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { pagesProjectKind } from '../../kinds/pages-project/resource.ts';

type Asking = {
  readonly targetDeploymentId?: string | undefined;
  readonly rollback?:
    | { readonly strategy: string; readonly version?: number | undefined; readonly deploymentId?: string | undefined }
    | undefined;
};

/** The deployment that an older wish for a rollback means: by its id, or out of the history of the PagesProject. */
export function rollbackTarget(
  { targetDeploymentId, rollback }: Asking,
  { project }: { readonly project: string },
  namespace: string,
  refs: Refs,
): Resolution<string> {
  const given = targetDeploymentId || rollback?.deploymentId;
  if (given) return { ok: true, value: given };
  const { status } =
    refs.list(pagesProjectKind, { namespace }).find((each) => each.status?.projectId === project) ?? {};
  const { strategy = 'LastSuccessful', version } = rollback ?? {};
  const found =
    strategy === 'ByVersion'
      ? status?.deploymentHistory?.find((each) => each.version === version)?.deploymentId
      : status?.lastSuccessfulDeploymentId;
  if (found && strategy !== 'ExactDeploymentID') return { ok: true, value: found };
  const message = `spec.rollback: no deployment of ${project} is known by ${strategy} ${version ?? ''}`.trimEnd();
  return { ok: false, state: 'broken', reason: 'DeploymentNotFound', message };
}
