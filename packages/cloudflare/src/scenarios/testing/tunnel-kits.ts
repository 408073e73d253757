import type { KubeObject } from '@tributary/runtime';
import { getCondition } from '@tributary/runtime';
import type { KindCase } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { clusterTunnelKind } from '../../kinds/cluster-tunnel/resource.ts';
import type { Route } from '../../refs/gateway/gateway-kinds.ts';
import { gatewayCrds } from '../../testing/gateway-crds.ts';
import type { World } from '../../testing/world.ts';
import { gateway, gatewayClass, http, route, toWeb } from './gateway-objects.ts';
import { clusterTunnel, ingressClass, service } from './ingress-objects.ts';
import type { RemoteRule } from './tunnel-world.ts';

// What the kit of kinds has to know of those that live on a tunnel.

/** The tunnel `edge` with its classes, the Service `web`, and the official kinds of the Gateway API. */
export async function prepareTunnel(world: World): Promise<void> {
  await world.apply([...gatewayCrds('standard'), ...gatewayCrds('experimental')]);
  await world.apply([clusterTunnel(), ...ingressClass(), service('web'), service('other')]);
  await world.waitFor(() => world.get(clusterTunnelKind, { name: 'edge' })?.status?.state === 'active');
}

/** With a class of Gateways, and where it says so the Gateway `edge`. */
export async function prepareGateway(world: World, listeners?: readonly object[]): Promise<void> {
  await prepareTunnel(world);
  await world.apply(gatewayClass());
  if (listeners) await world.apply(gateway('edge', listeners));
}

/** Where Cloudflare leads a host; undefined when nowhere. */
export function ruleFor({ sim, get }: World, host: string): RemoteRule | undefined {
  const { tunnelId = '' } = get(clusterTunnelKind, { name: 'edge' })?.status ?? {};
  const path = `/accounts/${sim.accountId}/cfd_tunnel/${tunnelId}/configurations`;
  const { body } = sim.dashboard('GET', path) as {
    readonly body: { readonly result?: { readonly config?: { readonly ingress?: readonly RemoteRule[] } } };
  };
  return body.result?.config?.ingress?.find(({ hostname }) => hostname === host);
}

export const toTunnel = [{ kind: clusterTunnelKind, ref: { name: 'edge' } }] as const;

const host = 'app.example.com';

/** A route of the Gateway API, which goes first to one Service and then to another. */
export function routeCase(kind: KindCase['kind'], protocol: string): KindCase {
  // A stream has no host of its own.
  const annotations = { 'cloudflare-operator.io/hostname': host };
  const made = route('app', { kind: kind.kind, ...(protocol !== 'HTTP' && { annotations }) });
  const rules = [{ backendRefs: [{ ...toWeb.backendRefs[0], name: 'other' }] }];
  return {
    kind,
    // Its Gateway counts its routes, too.
    writes: 8,
    prepare: async (world) => prepareGateway(world, [{ ...http, protocol }]),
    object: () => made,
    change: () => ({ spec: { ...(made as KubeObject & { readonly spec: object }).spec, rules } }),
    isReady: (world, generation) => {
      const seen: Route | undefined = world.get(kind, { namespace: 'default', name: 'app' });
      const accepted = getCondition(seen?.status?.parents?.[0]?.conditions, 'Accepted');
      const service = generation === 1 ? 'web.' : 'other.';
      return accepted?.observedGeneration === generation && (ruleFor(world, host)?.service.includes(service) ?? false);
    },
    references: toTunnel,
  };
}
