import { writeFile } from 'node:fs/promises';
import { systemClock } from '@tributary/runtime/clock';
import type { Transport } from '@tributary/runtime/transport';
import { adminToken, assembleCluster } from './assemble-cluster.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { createFaults } from './faults/create-faults.ts';
import type { Faults } from './faults/create-faults.ts';
import type { ApiHandler } from './http/api-request.ts';
import { issueCertificate } from './http/certificates.ts';
import type { CertifiedKey } from './http/certificates.ts';
import { createInProcessTransport } from './http/in-process-transport.ts';
import type { InProcessOptions } from './http/in-process-transport.ts';
import { kubeconfigText } from './http/kubeconfig.ts';
import { serve } from './http/serve.ts';
import type { ApiServer } from './http/serve.ts';
import { installCrds } from './install-crds.ts';
import { seedCluster } from './kinds/seed-cluster.ts';
import type { Registry } from './registry/registry.ts';
import type { RestClient } from './rest/rest-client.ts';
import type { Store } from './storage/store.ts';

export type Cluster = {
  /** Empty when the cluster does not listen. */
  readonly url: string;
  /** The certificate of the authority that signed the server's, as PEM. */
  readonly ca: string;
  readonly token: string;
  readonly kubeconfig: string;
  /** A connection in process: no sockets, only the cluster's clock. */
  readonly transport: (options?: InProcessOptions) => Transport;
  /** The server as a function, faults included. */
  readonly handler: ApiHandler;
  readonly faults: Faults;
  readonly store: Store;
  readonly registry: Registry;
  /** Reads and writes as the server itself does. */
  readonly client: RestClient;
  /** Forgets the history that old watches and continue tokens need. */
  readonly compact: () => void;
  readonly saveSnapshot: (path: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const authorityName = 'tributary-ca';

/** An embedded cluster, ready when the promise is. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, host = '127.0.0.1' } = options;
  const authority = options.listen === false ? undefined : issueAuthority();
  const ca = authority?.certificate ?? '';
  const server = await assembleCluster(options, ca);
  const { store, registry, client } = server;
  const faults = createFaults({ clock, random: options.random ?? Math.random, store });
  options.faults?.forEach(faults.add);
  const handler = faults.around(server.handler);
  const listening = authority && (await listen(handler, authority, options));
  const port = listening?.port ?? 0;
  const accounts = options.controllers?.includes('service-account-controller') ?? true;
  await seedCluster(client, { host, port, rootCa: ca, accounts });
  await installCrds(options.crdPaths ?? [], client, store);
  const url = listening === undefined ? '' : `https://${host}:${port}`;
  server.setAddress(`${host}:${port}`);
  const token = options.tokens?.keys().next().value ?? adminToken;
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
    faults,
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

/** Certificates are real, so they go by the system's clock whatever the cluster's says. */
function issueAuthority(): CertifiedKey {
  return issueCertificate({ commonName: authorityName, usage: 'authority', nowMs: Date.now() });
}

async function listen(
  handler: ApiHandler,
  authority: CertifiedKey,
  { port = 0, host = '127.0.0.1' }: ClusterOptions,
): Promise<ApiServer> {
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', 'kubernetes.default.svc', host])];
  const request = { commonName: 'kube-apiserver', hosts, usage: 'server' as const, nowMs: Date.now() };
  const tls = issueCertificate(request, { ...authority, name: authorityName });
  return serve(handler, { port, host, tls });
}
