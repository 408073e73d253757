import { furnishNamespace } from '../actors/service-account-controller.ts';
import { seedServiceNetwork } from '../actors/service-addresses.ts';
import type { JsonObject } from '../registry/json.ts';
import type { RestClient } from '../rest/rest-client.ts';
import type { ResourceId } from '../storage/store.ts';
import { componentStatuses } from './core/component-status.ts';
import { systemPriorityClasses } from './other/other-kinds.ts';

export type SeedOptions = {
  /** Where the server listens; port 0 when it does not. */
  readonly host: string;
  readonly port: number;
  readonly rootCa: string;
  /** Whether accounts and certificates are there from the start, as if their controller had run already. */
  readonly accounts: boolean;
  readonly now: string;
};

const namespaces = { group: '', plural: 'namespaces' };
const names = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const ownLabels = { component: 'apiserver', provider: 'kubernetes' };
const kubernetes = { name: 'kubernetes', namespace: 'default' };

/** What every cluster is born with. What a snapshot brought along already is left as it is. */
export async function seedCluster(client: RestClient, options: SeedOptions): Promise<void> {
  for (const name of names)
    await ensure(client, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const classes = { group: 'scheduling.k8s.io', plural: 'priorityclasses' };
  for (const priority of systemPriorityClasses) await ensure(client, classes, priority);
  for (const status of componentStatuses) await ensure(client, { group: '', plural: 'componentstatuses' }, status);
  await seedServiceNetwork(client, options.now);
  await seedOwnService(client, options);
  if (!options.accounts) return;
  for (const { metadata } of client.list(namespaces)) {
    if (metadata.deletionTimestamp === undefined) await furnishNamespace(client, metadata.name, options.rootCa);
  }
}

/** The server itself, as pods find it. */
async function seedOwnService(client: RestClient, { host, port }: SeedOptions): Promise<void> {
  const target = port === 0 ? 6443 : port;
  await ensure(
    client,
    { group: '', plural: 'services' },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...kubernetes, labels: ownLabels },
      spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: target }] },
    },
  );
  // Loopback cannot stand in Endpoints: the real server takes an address of the machine then, ours one that is for examples.
  const address = host.startsWith('127.') || host === 'localhost' || host === '::1' ? '192.0.2.1' : host;
  const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
  await ensure(
    client,
    { group: '', plural: 'endpoints' },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...kubernetes, labels },
      subsets: [{ addresses: [{ ip: address }], ports: [{ name: 'https', port: target, protocol: 'TCP' }] }],
    },
  );
  await ensure(
    client,
    { group: 'discovery.k8s.io', plural: 'endpointslices' },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...kubernetes, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: 'https', port: target, protocol: 'TCP' }],
    },
  );
}

async function ensure(client: RestClient, resource: ResourceId, object: JsonObject): Promise<void> {
  const { name, namespace } = object['metadata'] as { name: string; namespace?: string };
  if (client.get(resource, { name, namespace }) === undefined) await client.create(resource, object);
}
