import type { KubeObject } from '@tributary/runtime';
import { expect } from 'vitest';
import { ingressClass, service } from '../../scenarios/testing/ingress-objects.ts';
import { raceMove, raceRules, shuffled } from '../../scenarios/testing/race-moves.ts';
import { createRandom } from '../../testing/create-random.ts';
import { installCluster, toDocuments } from './installed-cluster.ts';
import type { InstalledCluster } from './installed-cluster.ts';
import { runOperator } from './running-operator.ts';
import type { RunningOperator } from './running-operator.ts';
import { rulesAt, tunnelPath } from './tunnel-rules.ts';
import { pause, until } from './until.ts';

export type RaceOptions = { readonly tunnels: number; readonly rounds: number; readonly seed: number };

/**
 * The race of an operator whose parts each write a whole tunnel: settings, an Ingress and a TunnelBinding change at the same
 * moment, in any order, on many tunnels at once, and two replicas see it. Returns when every rule of every round was there.
 */
export async function playRace({ tunnels, rounds, seed }: RaceOptions): Promise<void> {
  const cluster = await installCluster({ rateLimit: 'off' });
  const crew = startCrew(cluster, ['replica-1', 'replica-2']);
  const random = createRandom(seed);
  const names = Array.from({ length: tunnels }, (_, index) => `t${index}`);
  try {
    await play(cluster, [
      service('web'),
      ...shuffled(
        names.flatMap((name) => [...ingressClass(name, {}, name), ...raceMove(name, 0)]),
        random,
      ),
    ]);
    const paths = await pathsOf(cluster, names);
    const found = (): readonly (readonly string[])[] => paths.map((path) => rulesAt(cluster, path));
    for (let round = 0; round < rounds; round += 1) {
      const objects = names.flatMap((name) => raceMove(name, round));
      if (round > 0) await play(cluster, shuffled(objects, random));
      await settled(wanted(names, round), found, crew);
    }
    // Nothing comes after: what is there stays.
    await pause(2000);
    expect(found()).toEqual(wanted(names, rounds - 1));
  } finally {
    await crew.stop();
    await cluster.stop();
  }
}

type Crew = { readonly tend: () => void; readonly states: () => unknown; readonly stop: () => Promise<void> };

/** A replica that ends by itself, since a busy machine cost it the lease, is started again, as a kubelet would do. */
function startCrew(cluster: InstalledCluster, names: readonly string[]): Crew {
  // Hosts move on with every round: many of each tunnel within minutes.
  const operator = { breaker: { most: 100_000, share: 1 } };
  const start = (name: string): RunningOperator =>
    runOperator(cluster, { name, operator, leaseTransport: cluster.ownTransport() });
  const crew = new Map(names.map((name) => [name, start(name)]));
  return {
    tend: () => {
      for (const [name, { failure }] of crew) if (failure() !== undefined) crew.set(name, start(name));
    },
    states: () => [...crew].map(([name, { isLeader }]) => [name, isLeader()]),
    stop: async () => {
      for (const replica of crew.values()) await replica.stop();
    },
  };
}

async function pathsOf(cluster: InstalledCluster, names: readonly string[]): Promise<readonly string[]> {
  let paths: readonly string[] = [];
  const all = async (): Promise<boolean> => {
    paths = await Promise.all(names.map(async (name) => tunnelPath(cluster, name)));
    return paths.every((path) => !path.includes('cfd_tunnel//'));
  };
  await until('all tunnels are there', all, { limitMs: 120_000 });
  return paths;
}

type Rules = readonly (readonly string[])[];

async function settled(rules: Rules, found: () => Rules, { tend, states }: Crew): Promise<void> {
  const text = JSON.stringify(rules);
  const missing = (): unknown => [states(), found().filter((each, index) => each.join() !== rules[index]?.join())];
  const isSo = (): boolean => {
    tend();
    return JSON.stringify(found()) === text;
  };
  // A thousand plays are more calls than a credential may make in five minutes; the client keeps to that by itself.
  await until('every rule is there', isSo, { limitMs: 360_000, describe: missing });
}

function wanted(names: readonly string[], round: number): Rules {
  return names.map((name) => raceRules(name, round));
}

/** In four streams at once, as four people would. */
async function play(cluster: InstalledCluster, objects: readonly KubeObject[]): Promise<void> {
  const streams = [0, 1, 2, 3].map((turn) => objects.filter((_, index) => index % 4 === turn));
  await Promise.all(
    streams.map(async (stream) => cluster.kubectl(['apply', '--server-side', '-f', '-'], toDocuments(stream))),
  );
}
