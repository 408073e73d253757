/** From a merged kubeconfig and the name of a context to all that is needed to talk to its cluster. */
import type { AccessDeps, ClusterAccess, ClusterTls, PemSource } from './cluster-access.ts';
import { environmentProxy } from './environment-proxy.ts';
import { invalidKubeconfig } from './parse-kubeconfig.ts';
import type { ClusterEntry, Kubeconfig, Origin, UserEntry } from './parse-kubeconfig.ts';
import { toAuth } from './user-auth.ts';

export async function kubeconfigAccess(
  config: Kubeconfig,
  contextName: string | undefined,
  files: string,
  deps: AccessDeps,
): Promise<ClusterAccess> {
  const name = contextName ?? config.currentContext;
  if (name === undefined) throw invalidKubeconfig(files, 'current-context', 'is not set, and no context was asked for');
  const context = config.contexts.get(name);
  if (context === undefined) throw invalidKubeconfig(files, 'contexts', `there is none of the name "${name}"`);
  const cluster = refer(config.clusters, context.value.cluster, context.file, `context "${name}": cluster`);
  const user = refer(config.users, context.value.user, context.file, `context "${name}": user`);
  const server = toServer(cluster);
  const common = {
    server: server.href.replace(/\/$/u, ''),
    namespace: context.value.namespace || 'default',
    proxyUrl: toProxy(cluster, server, deps),
  };
  const tls = server.protocol === 'https:' ? toTls(cluster, user) : {};
  return { ...common, tls, auth: await toAuth(user, { ...cluster.value, server: common.server }, tls, deps) };
}

/** What a context points at, with its name for error messages. */
type Referred<T> = Origin<T> & { readonly name: string };

function refer<T>(
  entries: ReadonlyMap<string, Origin<T>>,
  name: string | null | undefined,
  file: string,
  field: string,
): Referred<T> {
  if (!name) throw invalidKubeconfig(file, field, 'is not set');
  const entry = entries.get(name);
  if (entry === undefined) throw invalidKubeconfig(file, field, `there is none of the name "${name}"`);
  return { ...entry, name };
}

function toServer({ value, file, name }: Referred<ClusterEntry>): URL {
  const field = `cluster "${name}": server`;
  if (!value.server) throw invalidKubeconfig(file, field, 'is not set');
  const url = URL.parse(value.server);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidKubeconfig(file, field, 'must be a URL that begins with https:// or http://');
  }
  url.search = '';
  url.hash = '';
  return url;
}

function toProxy({ value, file, name }: Referred<ClusterEntry>, server: URL, deps: AccessDeps): string | undefined {
  const own = value['proxy-url'];
  const proxy = own || environmentProxy(server, deps.env);
  if (proxy === undefined || ['http:', 'https:'].includes(URL.parse(proxy)?.protocol ?? '')) return proxy;
  const where = own ? `cluster "${name}": proxy-url` : `the proxy in the environment, for cluster "${name}"`;
  throw invalidKubeconfig(file, where, 'must be a URL that begins with http:// or https://; SOCKS is not supported');
}

function toTls(cluster: Referred<ClusterEntry>, user: Referred<UserEntry>): ClusterTls {
  const insecure = cluster.value['insecure-skip-tls-verify'] ?? false;
  const ca = toPem(cluster, `cluster "${cluster.name}"`, 'certificate-authority-data', 'certificate-authority');
  if (insecure && ca !== undefined) {
    const field = `cluster "${cluster.name}": insecure-skip-tls-verify`;
    throw invalidKubeconfig(cluster.file, field, 'cannot be true beside a certificate authority');
  }
  const of = `user "${user.name}"`;
  const cert = toPem(user, of, 'client-certificate-data', 'client-certificate');
  const key = toPem(user, of, 'client-key-data', 'client-key');
  if ((cert === undefined) !== (key === undefined)) {
    throw invalidKubeconfig(user.file, of, 'client-certificate and client-key belong together, one is missing');
  }
  return { ca, cert, key, insecure, serverName: cluster.value['tls-server-name'] || undefined };
}

/** Data goes before a file when both are given, as in kubectl. */
function toPem<T extends object>(
  { value, file }: Origin<T>,
  of: string,
  dataField: keyof T & string,
  fileField: keyof T & string,
): PemSource | undefined {
  const data = value[dataField];
  const path = value[fileField];
  if (typeof data === 'string' && data !== '') {
    const pem = Buffer.from(data, 'base64').toString('utf8');
    if (pem.includes('-----BEGIN ')) return { data: pem };
    throw invalidKubeconfig(file, `${of}: ${dataField}`, 'is no PEM in base64');
  }
  return typeof path === 'string' && path !== '' ? { file: path } : undefined;
}
