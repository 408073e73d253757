import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import type { SyncState } from '../engine/l4-state/sync-state.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { buildTown, manifests, surroundings, tearDown, untilBuilt } from './testing/town.ts';

const states = 'cloudflaresyncstates';

describe('2. One writer per half', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('without layer 5 no status of a SyncState is ever written', async () => {
    const made = (world = await createWorld({ targets: [] }));
    await made.applyCredentials();
    await made.apply([...surroundings, ...manifests()]);
    await made.clock.advance(60_000);
    expect(made.writes({ resource: states }).length).toBeGreaterThan(0);
    expect(made.writes({ resource: `${states}/status`, refused: true })).toEqual([]);
    expect(made.list(syncStateKind).filter(({ status }) => status !== undefined)).toEqual([]);
  });

  test('without layers 2 and 3 no spec of a SyncState is ever written', async () => {
    const copied = await specsOfATown();
    const made = (world = await createWorld({ contributors: [] }));
    await made.applyCredentials();
    await made.apply(copied);
    await made.waitFor(() => made.list(syncStateKind).every(({ status }) => status?.syncStatus === 'Synced'), 120_000);
    const zone = made.sim.zones[1]?.id ?? '';
    made.sim.state
      .rows('dns_records', zone)
      .forEach(({ id }) => made.sim.dashboard('PATCH', `/zones/${zone}/dns_records/${String(id)}`, { ttl: 3600 }));
    await made.clock.advance(70 * 60_000);
    expect(made.writes({ resource: states, refused: true })).toEqual([]);
    expect(made.writes({ resource: `${states}/status` }).length).toBeGreaterThanOrEqual(copied.length);
    expect(specs(made)).toEqual(copied.map((object) => (object as SyncState).spec));
  });

  test('in a life of a town with three replicas, no write changes both halves and none conflicts with the other', async () => {
    const made = (world = await createWorld({ replicas: 3 }));
    const { both, seen } = watchHalves(made);
    await made.applyCredentials();
    await made.apply([...surroundings, ...manifests()]);
    await untilBuilt(made);
    await made.apply(manifests({ version: 2 }));
    await untilBuilt(made);
    const leader = made.leader();
    await tearDown(made);
    await made.waitFor(() => made.list(syncStateKind).length === 0, 120_000);
    expect(both).toEqual([]);
    expect(seen()).toBeGreaterThan(60);
    const ofStatus = made.writes({ resource: `${states}/status`, refused: true });
    expect([...new Set(ofStatus.map(({ replica }) => replica))]).toEqual([leader]);
    expect(ofStatus.filter(({ status }) => status === 409)).toEqual([]);
  });
});

async function specsOfATown(): Promise<readonly KubeObject[]> {
  const town = await buildTown();
  const made = town
    .list(syncStateKind)
    .filter(({ spec }) => ['DNSRecord', 'VirtualNetwork'].includes(spec.resourceType));
  await town.stop();
  return made
    .filter(({ spec }) => spec.sources?.every(({ ref }) => ref.kind === 'DNSRecord' || ref.kind === 'VirtualNetwork'))
    .map(({ apiVersion, kind, metadata: { name, labels, finalizers }, spec }) => {
      return { apiVersion, kind, metadata: { name, labels, finalizers }, spec } as KubeObject;
    });
}

const specs = (world: World): readonly unknown[] => world.list(syncStateKind).map(({ spec }) => spec);

/** Notes the writes of SyncStates that change spec and status together, and counts all of them. */
function watchHalves({ user }: World): { readonly both: readonly string[]; readonly seen: () => number } {
  const both: string[] = [];
  let seen = 0;
  user.cache.informer(syncStateKind).onChange((change) => {
    seen += 1;
    if (change.type !== 'updated') return;
    const { object, old } = change;
    const differs = (half: 'spec' | 'status'): boolean => JSON.stringify(object[half]) !== JSON.stringify(old[half]);
    if (differs('spec') && differs('status')) both.push(object.metadata.name ?? '');
  });
  user.cache.start(new AbortController().signal);
  return { both, seen: () => seen };
}
