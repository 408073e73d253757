import { afterEach, describe, expect, test } from 'vitest';
import { pictureOf } from '../scenarios/testing/picture.ts';
import { createRandom } from '../testing/create-random.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { buildTown, callsOf, manifests, surroundings, unready, untilBuilt } from './testing/town.ts';

const histories = [1, 2];
const boundMs = 5 * 60_000;

describe('5. Quiescence', { timeout: 120_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test.each(histories)(
    'history %i: changes and crashes at random end, in bounded time, where no crash would',
    async (seed) => {
      const expected = await undisturbed();
      const made = (world = await createWorld({ seed, replicas: 2, sim: { latencyMs: 50 }, operator: { driftMs: 0 } }));
      const random = createRandom(seed);
      await made.applyCredentials();
      await made.apply(surroundings);
      await live(made, random);
      await made.apply(manifests({ version: 3 }));
      const last = made.clock.now();
      await made.waitFor(() => unready(made).length === 0, boundMs);
      await made.clock.advance(20_000);
      expect(pictureOf(made).split('\n')).toEqual(expected.split('\n'));
      expect(made.clock.now() - last).toBeLessThan(boundMs);
      made.clearCounts();
      await made.clock.advance(10 * 60_000);
      expect(made.writeCounts({ refused: true })).toEqual({});
      expect(callsOf(made)).toEqual([]);
    },
  );
});

let known: string | undefined;

async function undisturbed(): Promise<string> {
  if (known !== undefined) return known;
  const made = await buildTown({}, { version: 3 });
  known = pictureOf(made);
  await made.stop();
  return known;
}

/** The town is built, and changed again, and each time who leads dies in the middle of it while calls fail. */
async function live(world: World, random: () => number): Promise<void> {
  await dieAmid(world, random, 3);
  await untilBuilt(world, boundMs);
  await dieAmid(world, random, random() < 0.5 ? 1 : 2);
  await world.clock.advance(Math.floor(random() * 3000));
  world.sim.faults.clear();
}

async function dieAmid(world: World, random: () => number, version: number): Promise<void> {
  const writes = (): number => world.sim.journal.count({ write: true });
  const enough = writes() + 1 + Math.floor(random() * 8);
  await world.apply(manifests({ version }).toSorted(() => random() - 0.5));
  await world.waitFor(() => writes() >= enough, 60_000);
  world.kill(world.leader() ?? '');
  world.start(`successor-${version}`);
  if (random() < 0.5) world.sim.faults.arm({ fault: { kind: 'dropped', when: random() < 0.5 ? 'before' : 'after' } });
}
