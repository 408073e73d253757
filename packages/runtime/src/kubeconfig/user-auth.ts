/** How a user of a kubeconfig proves who it is. */
import { staticAuth } from './cluster-access.ts';
import type { AccessDeps, ClusterAuth, ClusterTls, Credentials } from './cluster-access.ts';
import { createExecAuth } from './exec-auth.ts';
import type { InteractiveMode } from './exec-auth.ts';
import { execApiVersions } from './exec-credential.ts';
import type { ExecCluster } from './exec-credential.ts';
import { invalidKubeconfig } from './parse-kubeconfig.ts';
import type { ClusterEntry, ExecEntry, UserEntry } from './parse-kubeconfig.ts';
import { createTokenFileAuth } from './token-file-auth.ts';

export type NamedUser = { readonly value: UserEntry; readonly file: string; readonly name: string };

const execExtension = 'client.authentication.k8s.io/exec';

export async function toAuth(
  user: NamedUser,
  cluster: ClusterEntry & { readonly server: string },
  tls: ClusterTls,
  deps: AccessDeps,
): Promise<ClusterAuth> {
  const headers = impersonation(user);
  // As kubectl does: nothing secret goes over a connection that everybody can read.
  const auth = cluster.server.startsWith('https:') ? await ownAuth(user, cluster, tls, deps) : staticAuth();
  return Object.keys(headers).length === 0 ? auth : withHeaders(auth, headers);
}

async function ownAuth(
  user: NamedUser,
  cluster: ClusterEntry & { readonly server: string },
  tls: ClusterTls,
  deps: AccessDeps,
): Promise<ClusterAuth> {
  const { token, tokenFile, username, password, exec, 'auth-provider': provider } = user.value;
  if (token && (username || password)) throw bad(user, '', 'has both a token and a password, only one is allowed');
  if (tokenFile) return createTokenFileAuth(tokenFile, deps, token || undefined);
  if (token) return staticAuth({ authorization: `Bearer ${token}` });
  if (username || password) {
    const pair = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
    return staticAuth({ authorization: `Basic ${pair}` });
  }
  if (tls.cert !== undefined) return staticAuth();
  if (exec) return execAuth(user, exec, cluster, tls, deps);
  if (provider) throw bad(user, 'auth-provider', `${provider.name ?? ''} is not supported, use an exec plugin`);
  return staticAuth();
}

async function execAuth(
  user: NamedUser,
  exec: ExecEntry,
  cluster: ClusterEntry & { readonly server: string },
  tls: ClusterTls,
  deps: AccessDeps,
): Promise<ClusterAuth> {
  const { apiVersion, command } = exec;
  if (!command) throw bad(user, 'exec.command', 'is not set');
  if (!apiVersion || !execApiVersions.includes(apiVersion)) {
    throw bad(user, 'exec.apiVersion', `must be one of ${execApiVersions.join(', ')}`);
  }
  return createExecAuth(
    {
      apiVersion,
      command,
      args: exec.args ?? [],
      env: Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
      installHint: exec.installHint ?? undefined,
      interactiveMode: toMode(user, exec, apiVersion),
      cluster: exec.provideClusterInfo === true ? await toExecCluster(cluster, tls, deps) : undefined,
    },
    deps,
  );
}

const modes: readonly InteractiveMode[] = ['Never', 'IfAvailable', 'Always'];

function toMode(user: NamedUser, { interactiveMode }: ExecEntry, apiVersion: string): InteractiveMode {
  // The beta had no such field, and its plugins were given the terminal if there was one.
  if (!interactiveMode && apiVersion.endsWith('/v1beta1')) return 'IfAvailable';
  const mode = modes.find((known) => known === interactiveMode);
  if (mode === undefined) throw bad(user, 'exec.interactiveMode', `must be one of ${modes.join(', ')}`);
  return mode;
}

async function toExecCluster(
  cluster: ClusterEntry & { readonly server: string },
  { ca }: ClusterTls,
  deps: AccessDeps,
): Promise<ExecCluster> {
  const pem = ca === undefined ? undefined : 'data' in ca ? ca.data : await deps.readFile(ca.file);
  return {
    server: cluster.server,
    'tls-server-name': cluster['tls-server-name'] || undefined,
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'] || undefined,
    'certificate-authority-data': pem === undefined ? undefined : Buffer.from(pem).toString('base64'),
    'proxy-url': cluster['proxy-url'] || undefined,
    'disable-compression': cluster['disable-compression'] || undefined,
    config: cluster.extensions?.find(({ name }) => name === execExtension)?.extension,
  };
}

function impersonation(user: NamedUser): Credentials['headers'] {
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user.value;
  if (!as) {
    if (uid || groups?.length || Object.keys(extra ?? {}).length > 0) {
      throw bad(user, 'as', 'must be set where as-uid, as-groups or as-user-extra is');
    }
    return {};
  }
  const extras = Object.entries(extra ?? {}).map(([key, values]) => [
    `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
    values,
  ]);
  return {
    'impersonate-user': as,
    ...(uid && { 'impersonate-uid': uid }),
    ...(groups?.length && { 'impersonate-group': groups }),
    ...Object.fromEntries(extras),
  };
}

/** Adds headers and keeps the promise that equal credentials are the same object. */
function withHeaders(auth: ClusterAuth, headers: Credentials['headers']): ClusterAuth {
  let inner: Credentials | undefined;
  let outer: Credentials = { headers };
  return {
    credentials: async () => {
      const current = await auth.credentials();
      if (current !== inner) outer = { ...current, headers: { ...current.headers, ...headers } };
      inner = current;
      return outer;
    },
    refused: (refused) => {
      if (refused === outer && inner !== undefined) auth.refused(inner);
    },
  };
}

function bad(user: NamedUser, field: string, what: string): Error {
  return invalidKubeconfig(user.file, field === '' ? `user "${user.name}"` : `user "${user.name}": ${field}`, what);
}
