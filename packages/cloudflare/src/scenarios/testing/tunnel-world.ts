import type { KubeObject } from '@tributary/runtime';
import { clusterTunnelKind } from '../../kinds/cluster-tunnel/resource.ts';
import { createWorld } from '../../testing/world.ts';
import type { World, WorldOptions } from '../../testing/world.ts';
import { clusterTunnel, ingressClass, service } from './ingress-objects.ts';

export type RemoteRule = { readonly hostname?: string; readonly path?: string; readonly service: string };

/** A world in which the tunnel `edge` is there, its class `cloudflare`, and a Service `web`. */
export type TunnelWorld = World & {
  readonly tunnelId: () => string;
  /** The rules as Cloudflare has them. */
  readonly rules: () => readonly RemoteRule[];
  /** `app.example.com → http://web.default.svc:80`, in order, without the catch-all. */
  readonly routes: () => readonly string[];
};

export async function createTunnelWorld(
  options: WorldOptions = {},
  classFields: object = {},
  more: readonly KubeObject[] = [],
): Promise<TunnelWorld> {
  const world = await createWorld(options);
  await world.applyCredentials();
  await world.apply([clusterTunnel(), ...ingressClass('cloudflare', classFields), service('web'), ...more]);
  const tunnelId = (): string => world.get(clusterTunnelKind, { name: 'edge' })?.status?.tunnelId ?? '';
  const isActive = (): boolean => world.get(clusterTunnelKind, { name: 'edge' })?.status?.state === 'active';
  await world.waitFor(isActive);
  await world.clock.advance(5000);
  world.clearCounts();
  const rules = (): readonly RemoteRule[] => {
    const { body } = world.sim.dashboard(
      'GET',
      `/accounts/${world.sim.accountId}/cfd_tunnel/${tunnelId()}/configurations`,
    ) as { readonly body: { readonly result?: { readonly config?: { readonly ingress?: readonly RemoteRule[] } } } };
    return body.result?.config?.ingress ?? [];
  };
  return {
    ...world,
    tunnelId,
    rules,
    routes: () =>
      rules()
        .slice(0, -1)
        .map(({ hostname = '*', path = '', service: to }) => `${hostname}${path && ` ${path}`} → ${to}`),
  };
}
