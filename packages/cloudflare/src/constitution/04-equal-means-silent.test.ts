import { afterEach, describe, expect, test } from 'vitest';
import type { World } from '../testing/world.ts';
import { buildTown, callsOf, manifests, surroundings, untilBuilt } from './testing/town.ts';

const hour = 60 * 60_000;
/** Without the look for drift, which has a test of its own. */
const still = { operator: { driftMs: 0 } };

describe('4. Equal means silent', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('an hour and more without a change: no write to the API server, no call to Cloudflare', async () => {
    const made = (world = await buildTown(still));
    made.clearCounts();
    await made.clock.advance(1.1 * hour);
    expect(made.writes({ refused: true })).toEqual([]);
    expect(callsOf(made)).toEqual([]);
  });

  test('the declared look for drift only reads, and when what it reads is equal nothing is written', async () => {
    const made = (world = await buildTown());
    made.clearCounts();
    await made.clock.advance(1.2 * hour);
    expect(callsOf(made).length).toBeGreaterThan(0);
    expect(callsOf(made).filter((call) => !call.startsWith('GET '))).toEqual([]);
    expect(made.writes({ refused: true })).toEqual([]);
  });

  test('manifests that are applied again as they are, or with a label more, cost nothing', async () => {
    const made = (world = await buildTown(still));
    made.clearCounts();
    await made.apply([...surroundings, ...manifests()]);
    await made.apply(
      manifests().map((object) => ({ ...object, metadata: { ...object.metadata, labels: { team: 'a' } } })),
    );
    await made.clock.advance(60_000);
    expect(made.writeCounts({ refused: true })).toEqual({});
    expect(callsOf(made)).toEqual([]);
  });

  test('a restart, and two replicas more, find everything as it should be and say nothing', async () => {
    const made = (world = await buildTown(still));
    await made.stopReplica('replica-1');
    made.clearCounts();
    for (const replica of ['replica-2', 'replica-3', 'replica-4']) made.start(replica);
    await made.waitFor(() => made.leader() !== undefined);
    await made.clock.advance(10 * 60_000);
    expect(made.writeCounts({ refused: true })).toEqual({});
    expect(callsOf(made)).toEqual([]);
  });

  test('watches that break and caches that are listed anew are no news', async () => {
    const made = (world = await buildTown(still));
    made.clearCounts();
    made.cluster.compact();
    made.cluster.faults.add({ match: { verb: 'watch' }, fault: { kind: 'watch-expired' }, times: 40 });
    await made.clock.advance(20 * 60_000);
    expect(made.cluster.faults.hits()).toBeGreaterThan(0);
    expect(made.writeCounts({ refused: true })).toEqual({});
    expect(callsOf(made)).toEqual([]);
  });

  test('a wish that comes back to what it was is not written twice', async () => {
    const made = (world = await buildTown(still));
    await made.apply(manifests({ version: 2 }));
    await untilBuilt(made);
    await made.apply(manifests());
    await untilBuilt(made);
    made.clearCounts();
    await made.clock.advance(30 * 60_000);
    expect(made.writes({ refused: true })).toEqual([]);
    expect(callsOf(made)).toEqual([]);
  });
});
