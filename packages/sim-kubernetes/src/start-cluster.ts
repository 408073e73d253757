import { readFile, writeFile } from 'node:fs/promises';
import { systemClock } from '@tributary/runtime/clock';
import type { Clock } from '@tributary/runtime/clock';
import type { Transport } from '@tributary/runtime/transport';
import { assembleServer } from './assemble-server.ts';
import type { AssembledServer } from './assemble-server.ts';
import { bootstrapNamespaces } from './bootstrap-namespaces.ts';
import type { ApiHandler } from './http/api-request.ts';
import { issueCertificate } from './http/certificates.ts';
import { createInProcessTransport } from './http/in-process-transport.ts';
import type { InProcessOptions } from './http/in-process-transport.ts';
import { kubeconfigText } from './http/kubeconfig.ts';
import { serve } from './http/serve.ts';
import { builtinKinds } from './kinds/builtin-kinds.ts';
import type { Actor } from './registry/actor.ts';
import type { AdmissionPlugin, UserInfo } from './registry/admission.ts';
import type { Registry } from './registry/registry.ts';
import type { ResourceType } from './registry/resource-type.ts';
import type { RestClient } from './rest/rest-client.ts';
import type { Store, StoreSnapshot } from './storage/store.ts';

export type ClusterOptions = {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** False: no socket at all; the cluster is reached by `transport()` alone. */
  readonly listen?: boolean;
  /** 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Files and folders of CustomResourceDefinitions to install before the cluster is handed out. */
  readonly crdPaths?: readonly string[];
  /** Where to write the kubeconfig. */
  readonly kubeconfigPath?: string;
  /** Read at the start when it is there, written at the stop. */
  readonly snapshotPath?: string;
  /** Kinds beside the built-in ones. */
  readonly kinds?: readonly ResourceType[];
  /** What runs beside the server, after garbage collection, namespace deletion and custom resources. */
  readonly actors?: readonly Actor[];
  readonly admission?: readonly AdmissionPlugin[];
  /** Who may come in with which token; without it every caller is an administrator. */
  readonly tokens?: ReadonlyMap<string, UserInfo>;
  /** Events kept per resource for watches and older lists. */
  readonly historyLimit?: number;
  /** Freezes stored objects, to find code that changes them. */
  readonly freeze?: boolean;
  readonly onInternalError?: (error: unknown) => void;
};

export type Cluster = {
  /** Empty when the cluster does not listen. */
  readonly url: string;
  /** The certificate of the authority that signed the server's, as PEM. */
  readonly ca: string;
  readonly token: string;
  readonly kubeconfig: string;
  /** A connection in process: no sockets, only the cluster's clock. */
  readonly transport: (options?: InProcessOptions) => Transport;
  readonly handler: ApiHandler;
  readonly store: Store;
  readonly registry: Registry;
  /** Reads and writes as the server itself does. */
  readonly client: RestClient;
  /** Forgets the history that old watches and continue tokens need. */
  readonly compact: () => void;
  readonly saveSnapshot: (path: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const adminToken = 'tributary-admin';

/** An embedded cluster, ready when the promise is. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock } = options;
  const server = await assemble(options);
  await bootstrapNamespaces(server.client);
  const { handler, store, registry, client } = server;
  const token = options.tokens?.keys().next().value ?? adminToken;
  const listening = options.listen === false ? undefined : await listen(handler, options);
  const { url = '', ca = '' } = listening ?? {};
  if (url !== '') server.setAddress(new URL(url).host);
  const kubeconfig = url === '' ? '' : kubeconfigText({ server: url, ca, token });
  if (options.kubeconfigPath !== undefined) await writeFile(options.kubeconfigPath, kubeconfig, { mode: 0o600 });
  const saveSnapshot = async (path: string): Promise<void> => writeFile(path, JSON.stringify(store.snapshot()));
  return {
    url,
    ca,
    token,
    kubeconfig,
    transport: (given = {}) => {
      const headers = { authorization: `Bearer ${token}`, ...given.headers };
      return createInProcessTransport(handler, { ...given, headers }, clock);
    },
    handler,
    store,
    registry,
    client,
    compact: () => store.compact(),
    saveSnapshot,
    stop: async () => {
      await listening?.close();
      server.stop();
      if (options.snapshotPath !== undefined) await saveSnapshot(options.snapshotPath);
    },
  };
}

async function assemble(options: ClusterOptions): Promise<AssembledServer> {
  const { clock = systemClock, random = Math.random, onInternalError = () => undefined } = options;
  const snapshot = options.snapshotPath === undefined ? undefined : await readSnapshot(options.snapshotPath);
  return assembleServer({
    clock,
    random,
    kinds: [...builtinKinds(), ...(options.kinds ?? [])],
    subresources: [],
    admission: options.admission ?? [],
    actors: options.actors ?? [],
    routes: [],
    tokens: options.tokens,
    snapshot,
    historyLimit: options.historyLimit,
    freeze: options.freeze,
    onInternalError,
  });
}

async function readSnapshot(path: string): Promise<StoreSnapshot | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StoreSnapshot;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

type Listening = { readonly url: string; readonly ca: string; readonly close: () => Promise<void> };

/** Certificates are real and short-lived, so they go by the system's clock whatever the cluster's says. */
async function listen(handler: ApiHandler, { port = 0, host = '127.0.0.1' }: ClusterOptions): Promise<Listening> {
  const nowMs = Date.now();
  const name = 'tributary-ca';
  const ca = issueCertificate({ commonName: name, usage: 'authority', nowMs });
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', 'kubernetes.default.svc', host])];
  const tls = issueCertificate({ commonName: 'kube-apiserver', hosts, usage: 'server', nowMs }, { ...ca, name });
  const server = await serve(handler, { port, host, tls });
  return { url: `https://${host}:${server.port}`, ca: ca.certificate, close: server.close };
}
