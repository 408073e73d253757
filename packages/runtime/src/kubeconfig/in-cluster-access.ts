import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import type { AccessDeps, ClusterAccess } from './cluster-access.ts';
import { createTokenFileAuth } from './token-file-auth.ts';

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export function isInCluster(env: AccessDeps['env']): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST']) && Boolean(env['KUBERNETES_SERVICE_PORT']);
}

/**
 * The API server as a pod sees it, with the token of its ServiceAccount. Proxies of the environment are not for this
 * connection: it stays inside the cluster.
 */
export async function inClusterAccess(deps: AccessDeps, folder = serviceAccountFolder): Promise<ClusterAccess> {
  const { env, readFile } = deps;
  if (!isInCluster(env)) {
    const what = 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is no pod';
    throw new OperatorError('kubeconfig/not-found', what, { kind: 'never' });
  }
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const auth = createTokenFileAuth(join(folder, 'token'), deps);
  // A pod without a token is told so at once and not by its first request.
  await auth.credentials();
  const found = await readFile(join(folder, 'namespace')).catch(() => '');
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT']}`,
    tls: { ca: { file: join(folder, 'ca.crt') } },
    auth,
    namespace: env['POD_NAMESPACE'] || found.trim() || 'default',
  };
}
