import { crdKind, getCondition } from '@tributary/runtime';
import type { Condition, Kind, KubeObject } from '@tributary/runtime';
import { gatewayKind, httpRouteKind } from '../../refs/gateway/gateway-kinds.ts';
import type { Route } from '../../refs/gateway/gateway-kinds.ts';
import { gatewayCrds } from '../../testing/gateway-crds.ts';
import type { WorldOptions } from '../../testing/world.ts';
import { gatewayClass } from './gateway-objects.ts';
import { createTunnelWorld } from './tunnel-world.ts';
import type { TunnelWorld } from './tunnel-world.ts';

export type GatewayWorld = TunnelWorld & {
  /** `True Accepted` of a condition; empty where there is none. */
  readonly ofGateway: (type: string, name?: string) => string;
  readonly ofListener: (listener: string, type: string, name?: string) => string;
  readonly ofRoute: (name: string, type: string, kind?: Kind<KubeObject>) => string;
  /** Time for every change to arrive. */
  readonly settle: () => Promise<void>;
};

/** A tunnel world with the official kinds and a class of Gateways named `cloudflare`. */
export async function createGatewayWorld(
  classFields: object = {},
  options: WorldOptions & { readonly channels?: readonly ('standard' | 'experimental')[] } = {},
): Promise<GatewayWorld> {
  const world = await createTunnelWorld(options);
  for (const channel of options.channels ?? ['standard', 'experimental']) await install(world, channel);
  await world.apply(gatewayClass('cloudflare', classFields));
  const settle = async (): Promise<void> => world.clock.advance(10_000);
  await settle();
  world.clearCounts();
  const gatewayOf = (name: string) => world.get(gatewayKind, { namespace: 'default', name });
  return {
    ...world,
    settle,
    ofGateway: (type, name = 'edge') => textOf(gatewayOf(name)?.status?.conditions, type),
    ofListener: (listener, type, name = 'edge') => {
      const found = gatewayOf(name)?.status?.listeners?.find((each) => each.name === listener);
      return textOf(found?.conditions, type);
    },
    ofRoute: (name, type, kind = httpRouteKind) => {
      const found: Route | undefined = world.get(kind, { namespace: 'default', name });
      return textOf(found?.status?.parents?.[0]?.conditions, type);
    },
  };
}

export async function install(world: Pick<TunnelWorld, 'user'>, channel: 'standard' | 'experimental'): Promise<void> {
  for (const crd of gatewayCrds(channel)) await world.user.client.create(crdKind, crd);
}

function textOf(conditions: readonly Condition[] | undefined, type: string): string {
  const found = getCondition(conditions, type);
  return found ? `${found.status} ${found.reason}` : '';
}
