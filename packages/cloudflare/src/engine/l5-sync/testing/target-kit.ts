import type { SimCloudflare, SimCloudflareOptions } from '@tributary/sim-cloudflare';
import { describe, expect, test } from 'vitest';
import type { Contribution } from '../../l4-state/contract.ts';
import type { TargetKey } from '../../l4-state/sync-state-name.ts';
import type { Target } from '../target.ts';
import { crashEverywhere } from './crash-everywhere.ts';
import { startSimProvider } from './sim-provider.ts';
import type { Process } from './sync-process.ts';
import { startSyncWorld, wishOf } from './sync-world.ts';
import type { SyncWorld } from './sync-world.ts';

/**
 * What every target must do, against the simulated Cloudflare, the embedded API server and the real layers 3 to 6. In
 * `targets/<target>/sync.test.ts`:
 *
 *     describeTarget('virtual network', {
 *       target: virtualNetworkTarget,
 *       key: ({ accountId }) => ({ accountId, name: 'office' }),
 *       config: () => ({ name: 'office', comment: 'first' }),
 *       changes: { comment: () => ({ name: 'office', comment: 'second' }) },
 *       remote: ({ dashboard, accountId }) => dashboard('GET', `/accounts/${accountId}/teamnet/…`).body.result,
 *       edit: ({ dashboard, accountId }, id) => dashboard('PATCH', `/accounts/${accountId}/teamnet/…/${id}`, { comment: 'x' }),
 *       stranger: ({ dashboard, accountId }) => dashboard('POST', `/accounts/${accountId}/…`, { name: 'office' }),
 *     });
 *
 * What is left out is not tested. The source is `Toy/default/one`. `target-kit.test.ts` has a whole one.
 */
export type TargetCase<K extends TargetKey, C extends object, D, O> = {
  readonly target: Target<K, C, D, O>;
  readonly sim?: SimCloudflareOptions;
  /** Makes what has to be there beforehand, such as the tunnel of a route. */
  readonly prepare?: (sim: SimCloudflare) => unknown;
  readonly key: (sim: SimCloudflare) => K;
  /** What is wanted first. */
  readonly config: (sim: SimCloudflare) => NoInfer<C>;
  /** Other wishes, by the name of what they change: each is made from the one before, the last one stays. */
  readonly changes: Readonly<Record<string, (sim: SimCloudflare) => NoInfer<C>>>;
  /** The objects of this type as Cloudflare stores them now, without those that count as deleted. */
  readonly remote: (sim: SimCloudflare) => readonly unknown[];
  /** A person changes ours at the dashboard. */
  readonly edit?: (sim: SimCloudflare, id: string) => unknown;
  /** A person has made, before us, what takes our place and is not what is wanted. */
  readonly stranger?: (sim: SimCloudflare) => unknown;
  /** The same, with the mark of another owner, `[managed-by:Other/ns/name]`. */
  readonly rival?: (sim: SimCloudflare) => unknown;
  /** How long Cloudflare takes after a write until it shows what it will show from then on; at once when absent. */
  readonly settleMs?: number;
  /** What remains when nobody wants it: nothing of ours when absent. */
  readonly end?: 'gone' | 'kept';
};

export function describeTarget<K extends TargetKey, C extends object, D, O>(
  name: string,
  kit: TargetCase<K, C, D, O>,
): void {
  describe(`target: ${name}`, () => {
    for (const { rule, expectRule } of rulesFor(kit)) test(rule, async () => expectRule(), 120_000);
  });
}

type Rule = { readonly rule: string; readonly expectRule: () => Promise<void> };

function rulesFor<K extends TargetKey, C extends object, D, O>(kit: TargetCase<K, C, D, O>): readonly Rule[] {
  const changes = Object.keys(kit.changes).map((field) => ({
    rule: `a change of ${field} arrives, and reads back as it was sent`,
    expectRule: async () => changeAndLook(kit, field),
  }));
  const edited = {
    rule: 'what a person changes at Cloudflare is found and set back',
    expectRule: async () => editAndRepair(kit),
  };
  const stranger = {
    rule: "somebody's own is left as it is, and taken over when told to",
    expectRule: async () => refuseAndAdopt(kit),
  };
  const rival = {
    rule: 'what is marked as of another owner is left as it is',
    expectRule: async () => refuseRival(kit),
  };
  return [
    {
      rule: 'is made once, and then nothing is asked or written, also after a restart',
      expectRule: async () => createAndRest(kit),
    },
    ...changes,
    ...(kit.edit ? [edited] : []),
    ...(kit.stranger ? [stranger] : []),
    ...(kit.rival ? [rival] : []),
    { rule: 'when nobody wants it any more, it ends as it should', expectRule: async () => end(kit) },
    { rule: 'a crash at any write loses nothing and doubles nothing', expectRule: async () => crash(kit) },
  ];
}

type Scene<C extends object> = {
  readonly world: SyncWorld;
  readonly sim: SimCloudflare;
  readonly wish: (config: C) => Contribution;
  readonly process: Process;
};

async function withScene<K extends TargetKey, C extends object, D, O>(
  kit: TargetCase<K, C, D, O>,
  play: (scene: Scene<C>) => Promise<void>,
): Promise<void> {
  let made: SimCloudflare | undefined;
  const world = await startSyncWorld({
    targets: [kit.target],
    provider: async (clock) => {
      const provider = await startSimProvider(kit.sim ?? {}, clock);
      made = provider.sim;
      return provider;
    },
  });
  try {
    if (!made) throw new Error('there is no simulator');
    const sim = made;
    kit.prepare?.(sim);
    const process = await world.start();
    await play({ world, sim, process, wish: (config) => wishOf(kit.target.contract, kit.key(sim), config) });
  } finally {
    await world.stop();
  }
}

async function createAndRest<K extends TargetKey, C extends object, D, O>(kit: TargetCase<K, C, D, O>): Promise<void> {
  await withScene(kit, async ({ world, sim, wish, process }) => {
    const before = kit.remote(sim).length;
    const wanted = wish(kit.config(sim));
    await world.put(wanted);
    await world.synced(wanted);
    await world.clock.advance(kit.settleMs ?? 0);
    expect(kit.remote(sim).length - before).toBeLessThanOrEqual(1);
    expect(world.get(wanted)?.status?.cloudflareID).toBeTruthy();
    const [calls, writes] = [sim.journal.count(), world.kubeWrites.length];
    await world.clock.advance(600_000);
    await process.stop();
    await world.start();
    await world.clock.advance(600_000);
    expect([sim.journal.count() - calls, world.kubeWrites.length - writes]).toEqual([0, 0]);
  });
}

async function changeAndLook<K extends TargetKey, C extends object, D, O>(
  kit: TargetCase<K, C, D, O>,
  field: string,
): Promise<void> {
  await withScene(kit, async ({ world, sim, wish, process }) => {
    await world.put(wish(kit.config(sim)));
    await world.synced(wish(kit.config(sim)));
    const writes = sim.journal.count({ write: true });
    const config = kit.changes[field]?.(sim) ?? kit.config(sim);
    await world.put(wish(config));
    await world.synced(wish(config));
    expect(sim.journal.count({ write: true })).toBeGreaterThan(writes);
    await world.clock.advance(kit.settleMs ?? 0);
    await expectEqualOnLook(world, sim, process);
  });
}

/** A look that takes nothing for granted finds nothing to do. */
async function expectEqualOnLook(world: SyncWorld, sim: SimCloudflare, process: Process): Promise<void> {
  const [calls, remote, kube] = [sim.journal.count(), sim.journal.count({ write: true }), world.kubeWrites.length];
  process.credentialsChanged({ name: 'main' });
  await world.clock.advance(10_000);
  expect(sim.journal.count()).toBeGreaterThan(calls);
  expect(sim.journal.calls({ write: true }).slice(remote)).toEqual([]);
  expect(world.kubeWrites.length - kube).toBe(0);
}

async function editAndRepair<K extends TargetKey, C extends object, D, O>(kit: TargetCase<K, C, D, O>): Promise<void> {
  await withScene(kit, async ({ world, sim, wish, process }) => {
    const wanted = wish(kit.config(sim));
    await world.put(wanted);
    await world.synced(wanted);
    kit.edit?.(sim, world.get(wanted)?.status?.cloudflareID ?? '');
    const writes = sim.journal.count({ write: true });
    process.credentialsChanged({ name: 'main' });
    await world.until(() => sim.journal.count({ write: true }) > writes, 60_000);
    await world.clock.advance(10_000 + (kit.settleMs ?? 0));
    await expectEqualOnLook(world, sim, process);
  });
}

async function refuseAndAdopt<K extends TargetKey, C extends object, D, O>(kit: TargetCase<K, C, D, O>): Promise<void> {
  await withScene(kit, async ({ world, sim, wish }) => {
    kit.stranger?.(sim);
    const before = kit.remote(sim);
    const wanted = wish(kit.config(sim));
    await world.put(wanted);
    await world.until(() => world.get(wanted)?.status?.syncStatus === 'Error');
    expect(readyOf(world, wanted)).toMatchObject({ status: 'False', reason: 'NotOwned' });
    expect(kit.remote(sim)).toEqual(before);
    const taken = wish({ ...kit.config(sim), adopt: true });
    await world.put(taken);
    await world.synced(taken);
    expect(kit.remote(sim).length).toBe(before.length);
  });
}

async function refuseRival<K extends TargetKey, C extends object, D, O>(kit: TargetCase<K, C, D, O>): Promise<void> {
  await withScene(kit, async ({ world, sim, wish }) => {
    kit.rival?.(sim);
    const before = kit.remote(sim);
    const wanted = wish({ ...kit.config(sim), adopt: true });
    await world.put(wanted);
    await world.until(() => world.get(wanted)?.status?.syncStatus === 'Error');
    expect(readyOf(world, wanted)).toMatchObject({ status: 'False', reason: 'OwnedByOther' });
    await world.drop(wanted);
    await world.gone(wanted);
    expect(kit.remote(sim)).toEqual(before);
  });
}

function readyOf(world: SyncWorld, wanted: Contribution): unknown {
  return world.get(wanted)?.status?.conditions?.find(({ type }) => type === 'Ready');
}

async function end<K extends TargetKey, C extends object, D, O>(kit: TargetCase<K, C, D, O>): Promise<void> {
  await withScene(kit, async ({ world, sim, wish }) => {
    const before = kit.remote(sim);
    const wanted = wish(kit.config(sim));
    await world.put(wanted);
    await world.synced(wanted);
    const during = kit.remote(sim);
    await world.drop(wanted);
    await world.gone(wanted);
    expect(kit.remote(sim)).toEqual(kit.end === 'kept' ? during : before);
  });
}

async function crash<K extends TargetKey, C extends object, D, O>(kit: TargetCase<K, C, D, O>): Promise<void> {
  const [change = kit.config] = Object.values(kit.changes);
  const crashes = await crashEverywhere(async (point) => {
    let hit: (() => boolean) | undefined;
    await withScene(kit, async ({ world, sim, wish }) => {
      const before = kit.remote(sim);
      world.keepRunning();
      hit = world.crashAt(point);
      const first = wish(kit.config(sim));
      await world.put(first);
      await world.synced(first);
      const made = kit.remote(sim).length;
      const second = wish(change(sim));
      await world.put(second);
      await world.synced(second);
      expect(kit.remote(sim).length).toBe(made);
      expect(made - before.length).toBeLessThanOrEqual(1);
      await world.drop(second);
      await world.gone(second);
      expect(kit.remote(sim).length).toBe(kit.end === 'kept' ? made : before.length);
    });
    return hit?.() ?? false;
  });
  expect(crashes).toBeGreaterThan(0);
}
