import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { manifests, surroundings, unready } from '../constitution/testing/town.ts';
import { createRandom } from '../testing/create-random.ts';
import { deleteObjects } from '../testing/apply-objects.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { dnsRecord } from './testing/crash-objects.ts';
import { ingress } from './testing/ingress-objects.ts';
import { pictureOfCloudflare } from './testing/picture.ts';

// Three replicas are active, and the leader dies in the middle of its work: nothing is lost, nothing doubled.

const many: readonly KubeObject[] = Array.from({ length: 8 }, (_, index) => [
  ingress(`more-${index}`),
  dnsRecord(`record-${index}`, { content: `192.0.2.${100 + index}` }),
]).flat();
const all = [...manifests(), ...many];
const seeds = [1, 2, 3];

let world: World | undefined;
afterEach(async () => world?.stop());

describe('the leader dies', { timeout: 120_000 }, () => {
  test.each(seeds)('in the middle of a sync (seed %i): all is there, once', async (seed) => {
    const { picture, writes } = await undisturbed();
    const made = await start(seed);
    const nth = 1 + Math.floor(createRandom(seed)() * (writes - 1));
    const dead = await killLeaderAfter(made, nth, async () => made.apply(all));
    await made.waitFor(() => unready(made).length === 0, 300_000);
    await made.clock.advance(10_000);
    expect(pictureOfCloudflare(made)).toEqual(picture);
    const names = recordNames(made);
    expect(names).toEqual([...new Set(names)]);
    // One took over, and the third had nothing to do with Cloudflare.
    expect(made.leader()).not.toBe(dead);
    expect(new Set(made.callers())).toEqual(new Set([dead, made.leader()]));
    expect(made.failures()).toEqual([]);
  });

  test.each([1])('in the middle of the end (seed %i): nothing is left', async (seed) => {
    const made = await start(seed);
    await made.apply(all);
    await made.waitFor(() => unready(made).length === 0, 300_000);
    await made.clock.advance(10_000);
    // A few, or the breaker would hold them.
    const some = all.filter(({ metadata: { name = '' } }) => /^(more|record)-[0-2]$|^(app|www|printer)$/.test(name));
    await killLeaderAfter(made, seed, async () => deleteObjects(some, made.user.client, made.cluster.registry));
    const gone = some.map(({ metadata }) => metadata.name ?? '');
    const left = (): readonly string[] =>
      recordNames(made).filter((name) => gone.some((each) => name.startsWith(`${each}.`)));
    await made.waitFor(() => left().length === 0, 300_000);
    await made.clock.advance(30_000);
    expect(unready(made)).toEqual([]);
    expect(recordNames(made)).toHaveLength(recordsOfAll - removedRecords);
  });
});

/** Seven of the town and sixteen more. */
const recordsOfAll = 23;
const removedRecords = 8;

async function start(seed: number, replicas = 3): Promise<World> {
  const made = (world = await createWorld({ seed, replicas, sim: { latencyMs: 40 }, operator: { driftMs: 0 } }));
  await made.applyCredentials();
  await made.apply(surroundings);
  await made.waitFor(() => made.leader() !== undefined);
  await made.clock.advance(5000);
  return made;
}

type Undisturbed = { readonly picture: readonly string[]; readonly writes: number };
let known: Undisturbed | undefined;

async function undisturbed(): Promise<Undisturbed> {
  if (known) return known;
  const made = await start(1, 1);
  const before = writesTo(made);
  await made.apply(all);
  await made.waitFor(() => unready(made).length === 0, 120_000);
  await made.clock.advance(10_000);
  known = { picture: pictureOfCloudflare(made), writes: writesTo(made) - before };
  await made.stop();
  return known;
}

const writesTo = ({ sim }: World): number => sim.journal.count({ write: true });

/** It dies while its write of that number is under way: the effect may be there, the answer is not. */
async function killLeaderAfter(made: World, writes: number, work: () => Promise<void>): Promise<string> {
  const before = writesTo(made);
  await work();
  await made.waitFor(() => writesTo(made) >= before + writes, 60_000);
  const leader = made.leader() ?? '';
  made.kill(leader);
  return leader;
}

function recordNames({ sim }: World): readonly string[] {
  return sim.zones.flatMap(({ id }) =>
    listAtDashboard(sim, `/zones/${id}/dns_records?per_page=1000`).map(({ name }) => name),
  );
}
