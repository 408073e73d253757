import { delimiter, join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import type { AccessDeps, ClusterAccess } from './cluster-access.ts';
import { inClusterAccess, isInCluster } from './in-cluster-access.ts';
import { kubeconfigAccess } from './kubeconfig-access.ts';
import { mergeKubeconfigs } from './merge-kubeconfigs.ts';
import { invalidKubeconfig, parseKubeconfig } from './parse-kubeconfig.ts';
import type { Kubeconfig } from './parse-kubeconfig.ts';

export type LoadOptions = {
  /** One file, instead of looking for one. */
  readonly kubeconfig?: string | undefined;
  /** Instead of the current context. */
  readonly context?: string | undefined;
};

/**
 * Finds out how to reach the cluster: the file that was asked for, else the files in `KUBECONFIG`, else the pod's own
 * ServiceAccount, else `~/.kube/config`. Throws `kubeconfig/not-found` or `kubeconfig/invalid`.
 */
export async function loadClusterAccess(options: LoadOptions, deps: AccessDeps): Promise<ClusterAccess> {
  const named = options.kubeconfig || deps.env['KUBECONFIG'];
  if (!named && options.context === undefined && isInCluster(deps.env)) return inClusterAccess(deps);
  const files = toFiles(options, deps);
  const configs: Kubeconfig[] = [];
  for (const file of files) {
    const content = await readIfThere(file, deps);
    if (content !== undefined) configs.push(parseKubeconfig(content, file));
  }
  const list = files.join(', ');
  if (configs.length === 0) {
    throw new OperatorError('kubeconfig/not-found', `there is no kubeconfig at ${list}`, { kind: 'never' });
  }
  return kubeconfigAccess(mergeKubeconfigs(configs), options.context, list, deps);
}

function toFiles({ kubeconfig }: LoadOptions, { env, homeDir }: AccessDeps): readonly string[] {
  if (kubeconfig) return [kubeconfig];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return listed.length > 0 ? Array.from(new Set(listed)) : [join(homeDir, '.kube', 'config')];
}

/** A file that is missing is skipped, as kubectl does: several are named so that some may be there. */
async function readIfThere(file: string, { readFile }: AccessDeps): Promise<string | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw invalidKubeconfig(file, '', `cannot be read: ${(error as Error).message}`);
  }
}
