import { getCondition } from '@tributary/runtime';
import type { Condition, Kind, KubeObject } from '@tributary/runtime';
import { allKinds } from '../../catalog.ts';
import { ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import { clusterTunnel, ingress, ingressClass, service } from '../../scenarios/testing/ingress-objects.ts';
import { custom, dnsRecord, domain, tunnelBinding } from '../../scenarios/testing/crash-objects.ts';
import { deleteObjects } from '../../testing/apply-objects.ts';
import { createWorld } from '../../testing/world.ts';
import type { World, WorldOptions } from '../../testing/world.ts';

// A little of everything that the operator does, in one cluster: what a rule of the constitution says is said of it.

const to = {
  tunnelRef: { kind: 'ClusterTunnel', name: 'edge' },
  virtualNetworkRef: { name: 'office' },
  cloudflare: {},
};
const printer = { ports: [{ port: 80 }], clusterIP: '10.96.0.77', clusterIPs: ['10.96.0.77'] };
const fromService = { type: undefined, sourceRef: { service: { name: 'shop', addressType: 'ExternalIP' } } };

/** What others provide and the operator reads. */
export const surroundings: readonly KubeObject[] = [
  service('web'),
  { ...service('printer'), spec: printer } as KubeObject,
  { ...service('shop'), spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.7'] } } as KubeObject,
];

export type TownOptions = { readonly version?: number; readonly dnsManagement?: string };

/** The manifests of one version of the town: another version wants something else of every object. */
export function manifests({ version = 1, dnsManagement = 'Automatic' }: TownOptions = {}): readonly KubeObject[] {
  const comment = `version ${version}`;
  return [
    domain('example.com', { ssl: { mode: version === 1 ? 'full' : 'strict' } }),
    clusterTunnel('edge', { enableWarpRouting: version > 1 }),
    ...ingressClass('cloudflare', { dnsManagement }),
    ingress('app', { host: `app-${version}.example.com` }),
    ingress('blog', { host: 'blog.example.com', path: `/v${version}` }),
    tunnelBinding('shop', [`shop-${version}.example.com`]),
    dnsRecord('www', { content: `192.0.2.${version}` }),
    dnsRecord('mail', { type: 'MX', content: 'mx.example.net', priority: 10 * version }),
    dnsRecord('dynamic', { ...fromService, ttl: 300 * version }),
    custom('VirtualNetwork', 'office', { comment, cloudflare: {} }),
    custom('NetworkRoute', 'lan', { network: '10.20.0.0/16', comment, ...to }),
    custom('PrivateService', 'printer', { serviceRef: { name: 'printer', port: 80 }, comment, ...to }, inDefault),
  ];
}

const inDefault = { namespace: 'default' };

/** A world in which the town is built and at rest. */
export async function buildTown(options: WorldOptions = {}, town: TownOptions = {}): Promise<World> {
  const world = await createWorld(options);
  await world.applyCredentials();
  await world.apply(surroundings);
  await world.apply(manifests(town));
  await untilBuilt(world);
  return world;
}

/** All of it is Ready, for the generation that is there, and the last status is written. */
export async function untilBuilt(world: World, limitMs = 120_000): Promise<void> {
  await world.waitFor(() => unready(world).length === 0, limitMs);
  await world.clock.advance(10_000);
}

type Told = KubeObject & {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
};

/** Who is not Ready, and why. */
export function unready(world: World): readonly string[] {
  const told = allKinds
    .flatMap((kind) => world.list<Told>(kind as unknown as Kind<Told>))
    .filter(({ kind }) => kind !== 'TunnelBinding')
    .flatMap(({ kind, metadata, status }) => {
      const ready = getCondition(status?.conditions, 'Ready');
      const isNow =
        (status?.observedGeneration ?? ready?.observedGeneration ?? metadata.generation) === metadata.generation;
      return ready?.status === 'True' && isNow ? [] : [`${kind} ${metadata.name}: ${ready?.message ?? 'nothing'}`];
    });
  const waiting = world.list(ingressKind).filter(({ status }) => !status?.loadBalancer?.ingress?.length);
  return [...told, ...waiting.map(({ metadata }) => `Ingress ${metadata.name}: no address`)];
}

/** Everything at once, in this order; the credentials too. */
export async function tearDown(world: World, order: readonly KubeObject[] = manifests()): Promise<void> {
  const credentials = custom('CloudflareCredentials', 'main', {});
  await deleteObjects([...order, credentials], world.user.client, world.cluster.registry);
}

/** What of ours is left in the cluster. */
export function leftovers(world: World): readonly string[] {
  return [...allKinds, ingressKind]
    .flatMap((kind) =>
      world.list<KubeObject>(kind as unknown as Kind<KubeObject>).map((one) => [kind.kind, one] as const),
    )
    .map(([kind, { metadata }]) => `${kind} ${metadata.name}`);
}

/** Calls of the operator; what a test does at the dashboard is not among them. */
export function callsOf({ sim }: World): readonly string[] {
  return sim.journal
    .calls()
    .filter(({ tokenId }) => tokenId !== 'dashboard')
    .map(({ method, path }) => `${method} ${path}`);
}
