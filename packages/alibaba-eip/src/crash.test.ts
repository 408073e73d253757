import { describe, expect, test } from 'vitest';
import type { SimAlibabaOptions } from '@tributary/sim-alibaba';
import { isReady } from './testing/conditions.ts';
import { startTestWorld } from './testing/start-test-world.ts';
import type { StartOptions, TestWorld } from './testing/start-test-world.ts';

type Crash =
  | { readonly side: 'kubernetes'; readonly index: number; readonly at: 'before' | 'after' | 'answer-lost' }
  | { readonly side: 'provider'; readonly index: number; readonly at: 'before' | 'answer-lost' };

/** Runs until it is so; an operator that died on the way is replaced. */
type Drive = (isSo: () => boolean) => Promise<void>;

async function withCrash<T>(
  crash: Crash | undefined,
  sim: SimAlibabaOptions,
  play: (world: TestWorld, drive: Drive) => Promise<T>,
): Promise<{ readonly result: T; readonly crashed: boolean }> {
  const world = await startTestWorld(sim);
  if (crash?.side === 'kubernetes') {
    const match = { verb: 'write', userAgent: 'operator-1' } as const;
    world.cluster.faults.add({ match, fault: { kind: 'crash', at: crash.at }, skip: crash.index - 1, times: 1 });
  }
  const options: StartOptions = crash?.side === 'provider' ? { crashAtCall: crash } : {};
  const first = world.start(options);
  let crashed = false;
  const drive: Drive = async (isSo) => {
    await world.clock.runUntil(() => isSo() || (!crashed && first.isDead()), 3_600_000);
    if (isSo()) return;
    crashed = true;
    first.crash();
    await world.clock.advance(1000);
    world.start();
    await world.clock.runUntil(isSo, 3_600_000);
  };
  try {
    return { result: await play(world, drive), crashed };
  } finally {
    await world.end();
  }
}

const allocated = (world: TestWorld): number =>
  world.sim.journal.count({ action: 'AllocateEipAddress', changed: true });

/** A whole life: created with all that needs a second call, changed, deleted. */
async function wholeLife(world: TestWorld, drive: Drive): Promise<void> {
  const packageID = world.sim.dashboard.createPackage();
  await world.create('web', { bandwidth: '5', tags: { team: 'edge', empty: '' }, bandwidthPackageID: packageID });
  const ready = (): boolean => {
    const object = world.get('web');
    return object !== undefined && isReady(object) && object.status?.bandwidthPackageID === packageID;
  };
  await drive(ready);
  const [eip, ...others] = world.sim.state.eips();
  expect(others).toEqual([]);
  expect(world.get('web')?.status?.allocationID).toBe(eip?.allocationId);
  expect(world.get('web')?.spec.allocationID).toBe(eip?.allocationId);
  expect(world.sim.state.tags(eip?.allocationId ?? '')).toMatchObject({ team: 'edge', empty: '' });
  await world.clock.advance(5000);
  await world.patch('web', { spec: { name: 'second', bandwidthPackageID: '', tags: { empty: null } } });
  await drive(() => {
    const { status } = world.get('web') ?? {};
    const tags = world.sim.state.tags(eip?.allocationId ?? '') ?? {};
    return status?.name === 'second' && status.bandwidthPackageID === undefined && !('empty' in tags);
  });
  await world.remove('web');
  await drive(() => world.get('web') === undefined);
  expect(world.sim.state.eips()).toEqual([]);
  expect(allocated(world)).toBe(1);
}

/** Deleted before anybody could look: whatever was allocated must be found and released. */
async function shortLife(world: TestWorld, drive: Drive): Promise<void> {
  await world.create('web', { bandwidth: '5' });
  await drive(() => world.get('web')?.metadata.finalizers !== undefined);
  await world.remove('web');
  await drive(() => world.get('web') === undefined);
  await world.clock.advance(60_000);
  expect(world.sim.state.eips()).toEqual([]);
  expect(allocated(world)).toBeLessThanOrEqual(1);
}

/** What the provider may do to the reader of its answers. */
const providers: readonly { readonly name: string; readonly sim: SimAlibabaOptions }[] = [
  { name: 'a provider that shows its writes at once', sim: {} },
  {
    name: 'a provider whose reads lag',
    sim: { delays: { tagFilterLagMs: 45_000, describeLagMs: 7000 }, latencyMs: 20 },
  },
  { name: 'a provider that forgets tokens soon', sim: { delays: { tokenMemoryMs: 100 }, latencyMs: 20 } },
];
const lives = [
  { name: 'a whole life', play: wholeLife },
  { name: 'a short life', play: shortLife },
];
const moments: readonly Omit<Crash, 'index'>[] = [
  { side: 'kubernetes', at: 'before' },
  { side: 'kubernetes', at: 'after' },
  { side: 'kubernetes', at: 'answer-lost' },
  { side: 'provider', at: 'before' },
  { side: 'provider', at: 'answer-lost' },
];

describe.each(providers)('with $name', ({ sim }) => {
  describe.each(lives)('$name', ({ play }) => {
    test('ends as it should without a crash', async () => {
      expect((await withCrash(undefined, sim, play)).crashed).toBe(false);
    });

    test.each(moments)(
      'ends the same after a crash $at any write to $side',
      async (moment) => {
        let index = 0;
        for (let crashed = true; crashed;) {
          index += 1;
          const crash = { ...moment, index } as Crash;
          ({ crashed } = await withCrash(crash, sim, play).catch((error: unknown) => {
            throw new Error(`at write ${index}`, { cause: error });
          }));
        }
        expect(index).toBeGreaterThan(moment.side === 'provider' ? 1 : 4);
      },
      60_000,
    );
  });
});
