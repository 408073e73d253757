import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { createRandom } from '../testing/create-random.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { clusterTunnel, ingressClass, service } from '../scenarios/testing/ingress-objects.ts';
import { raceMove, raceRules, shuffled } from '../scenarios/testing/race-moves.ts';

const tunnels = 20;
const rounds = 50;

/**
 * No races for the configuration of a tunnel any more. That of seed 000 §1.3: settings of the tunnel, an Ingress and a
 * TunnelBinding at the same moment, in any order.
 */
test(
  '8.1: the race for a tunnel, played 1,000 times in random order with pauses anywhere, never loses a rule',
  { timeout: 600_000 },
  async () => {
    const random = createRandom(7);
    const world = await createWorld({ seed: 7 });
    await world.applyCredentials();
    await world.apply(service('web'));
    // As measured with the original: tunnel, class and Ingresses come all at once, and the rules must be there all the same.
    const names = Array.from({ length: tunnels }, (_, index) => `t${index}`);
    await playAll(
      world,
      shuffled(
        names.flatMap((name) => beginning(name)),
        random,
      ),
      random,
    );
    await world.clock.advance(15_000);
    expect(names.map((name) => routesOf(world, name))).toEqual(names.map((name) => raceRules(name, 0)));

    for (let round = 1; round < rounds; round += 1) {
      // Hosts that go are deletions, and too many of them in ten minutes would be held.
      await world.clock.advance(150_000);
      await playAll(
        world,
        shuffled(
          names.flatMap((name) => raceMove(name, round)),
          random,
        ),
        random,
      );
      await world.clock.advance(5000);
      expect(names.map((name) => routesOf(world, name))).toEqual(names.map((name) => raceRules(name, round)));
    }
    await world.stop();
  },
);

function beginning(name: string): readonly KubeObject[] {
  return [clusterTunnel(name), ...ingressClass(name, {}, name), ...raceMove(name, 0)];
}

type Answer = {
  readonly body: {
    readonly result?: {
      readonly config?: {
        readonly ingress?: readonly { readonly hostname?: string }[];
        readonly 'warp-routing'?: { readonly enabled?: boolean };
      } | null;
    };
  };
};

function routesOf(world: World, name: string): readonly string[] {
  const tunnelId = world.get(clusterTunnelKind, { name })?.status?.tunnelId;
  if (!tunnelId) return [];
  const path = `/accounts/${world.sim.accountId}/cfd_tunnel/${tunnelId}/configurations`;
  const { config } = (world.sim.dashboard('GET', path) as Answer).body.result ?? {};
  const hosts = (config?.ingress ?? []).map(({ hostname = '*' }) => hostname);
  return [`warp ${config?.['warp-routing']?.enabled ?? false}`, ...hosts];
}

async function playAll(world: World, objects: readonly KubeObject[], random: () => number): Promise<void> {
  for (const object of objects) {
    await world.apply(object);
    if (random() < 0.1) await world.clock.advance(Math.floor(random() * 300));
  }
}
