import { writeFile } from 'node:fs/promises';
import { systemClock } from '@tributary/runtime/clock';
import type { Transport } from '@tributary/runtime/transport';
import type { BuiltinController } from './actors/builtin-actors.ts';
import { adminToken, assembleCluster } from './assemble-cluster.ts';
import type { AssembledServer } from './assemble-server.ts';
import { openAuditFile } from './audit/audit-file.ts';
import type { AuditFile } from './audit/audit-file.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { openAccount } from './auth/account-access.ts';
import type { AccountAccess, AccountRef } from './auth/account-access.ts';
import { createUsers } from './auth/create-users.ts';
import type { NewUser, UserAccess } from './auth/create-users.ts';
import { seedApiServices } from './actors/api-services.ts';
import { seedPolicy } from './auth/rbac/seed-policy.ts';
import { createFaults } from './faults/create-faults.ts';
import type { Faults } from './faults/create-faults.ts';
import type { ApiHandler } from './http/api-request.ts';
import { issueCertificate } from '@tributary/runtime/certificates';
import type { CertifiedKey } from '@tributary/runtime/certificates';
import { createInProcessTransport } from './http/in-process-transport.ts';
import type { InProcessOptions } from './http/in-process-transport.ts';
import { kubeconfigText } from './http/kubeconfig.ts';
import type { Listening } from '@tributary/sim-kit';
import { serve } from './http/serve.ts';
import { gatherManifests } from './gather-manifests.ts';
import { installCrds } from './install-crds.ts';
import { installObjects } from './install-objects.ts';
import type { Manifest } from './install-objects.ts';
import { openWebhooks } from './local-webhooks/open-webhooks.ts';
import type { LocalWebhooks } from './local-webhooks/open-webhooks.ts';
import type { WebhookPlace } from './local-webhooks/point-to-place.ts';
import { seedCluster } from './kinds/seed-cluster.ts';
import type { SeedOptions } from './kinds/seed-cluster.ts';
import type { Registry } from './registry/registry.ts';
import { createUuid } from './rest/random-names.ts';
import type { RestClient } from './rest/rest-client.ts';
import type { Store, StoreSnapshot } from './storage/store.ts';

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
  /** Where the webhooks of the options are asked, and the certificate for a server of your own there. */
  readonly webhooks?: LocalWebhooks;
  /** Forgets the history that old watches and continue tokens need. */
  readonly compact: () => void;
  /** Somebody with no rights but those that roles give. */
  readonly addUser: (user: NewUser) => UserAccess;
  /** What a pod of this account may do: a way in with a token of its own, and a record of what was asked. */
  readonly asServiceAccount: (account: AccountRef) => Promise<AccountAccess>;
  /** Makes objects of any kind that are not there yet; new kinds are served before the next object is made. */
  readonly install: (manifests: readonly Manifest[]) => Promise<void>;
  /** All objects and the revision, as JSON: a cluster that starts with it goes on from there. */
  readonly snapshot: () => StoreSnapshot;
  readonly saveSnapshot: (path: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const authorityName = 'tributary-ca';

/** An embedded cluster, ready when the promise is. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (options.webhooks === undefined) return startServer(options, undefined);
  const { place, transport, close } = await openWebhooks(options.webhooks, options.listen !== false);
  const cluster = await startServer({ ...(transport && { webhookTransport: transport }), ...options }, place);
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await close();
  };
  return { ...cluster, webhooks: place, stop };
}

async function startServer(options: ClusterOptions, place: WebhookPlace | undefined): Promise<Cluster> {
  const { clock = systemClock, host = '127.0.0.1' } = options;
  const authority = options.listen === false ? undefined : issueAuthority();
  const ca = authority?.certificate ?? '';
  const users = createUsers(createUuid(options.random ?? Math.random));
  const audit = options.auditLogPath === undefined ? undefined : openAuditFile(options.auditLogPath);
  const server = await assembleCluster(withAudit(options, audit), ca, users);
  const { store, registry, client } = server;
  const faults = createFaults({ clock, random: options.random ?? Math.random, store });
  options.faults?.forEach(faults.add);
  const handler = faults.around(server.handler);
  const listening = authority && (await listen(handler, authority, options));
  const port = listening?.port ?? 0;
  await seed(server, options, { host, port, rootCa: ca });
  await installGiven(server, options, place);
  const url = listening === undefined ? '' : `https://${host}:${port}`;
  server.setAddress(`${host}:${port}`);
  const token = options.tokens?.keys().next().value ?? adminToken;
  const kubeconfig = url === '' ? '' : kubeconfigText({ server: url, ca, user: 'admin', token });
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
    asServiceAccount: (account) =>
      openAccount(account, { handler, clock, admin: { authorization: `Bearer ${token}` } }),
    install: (manifests) => installObjects(manifests, server),
    addUser: (user) => users.add(user, { url, authority: authority && { ...authority, name: authorityName } }),
    snapshot: () => store.snapshot(),
    saveSnapshot,
    stop: async () => {
      await listening?.close();
      server.stop();
      audit?.close();
      if (options.snapshotPath !== undefined) await saveSnapshot(options.snapshotPath);
    },
  };
}

/** The log and whoever else wants to know are both told. */
function withAudit(options: ClusterOptions, file: AuditFile | undefined): ClusterOptions {
  if (file === undefined) return options;
  const { onAudit = () => undefined } = options;
  return {
    ...options,
    onAudit: (event) => {
      file.write(event);
      onAudit(event);
    },
  };
}

async function installGiven(
  server: AssembledServer,
  options: ClusterOptions,
  place: WebhookPlace | undefined,
): Promise<void> {
  const { crds, configurations } = await gatherManifests(options, place);
  await installCrds(crds, server.client, server.store);
  await installObjects(configurations as readonly Manifest[], server);
}

/** Makes what every cluster is born with; what controllers would make is there from the start, if they run. */
async function seed(
  { client, store, hooks, registry }: AssembledServer,
  { controllers, authorization }: ClusterOptions,
  place: Omit<SeedOptions, 'accounts' | 'now'>,
): Promise<void> {
  const runs = (name: BuiltinController): boolean => controllers?.includes(name) ?? true;
  await seedCluster(client, { ...place, accounts: runs('service-account-controller'), now: hooks.now() });
  await seedApiServices({ client, registry });
  if (authorization === 'any-user') return;
  seedPolicy(store, hooks.now(), { aggregate: runs('clusterrole-aggregation-controller') });
}

/** Certificates are real, so they go by the system's clock whatever the cluster's says. */
function issueAuthority(): CertifiedKey {
  return issueCertificate({ commonName: authorityName, usage: 'authority', nowMs: Date.now() });
}

async function listen(
  handler: ApiHandler,
  authority: CertifiedKey,
  { port = 0, host = '127.0.0.1' }: ClusterOptions,
): Promise<Listening> {
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', 'kubernetes.default.svc', host])];
  const request = { commonName: 'kube-apiserver', hosts, usage: 'server' as const, nowMs: Date.now() };
  const tls = issueCertificate(request, { ...authority, name: authorityName });
  return serve(handler, { port, host, tls, clientCa: authority.certificate });
}
