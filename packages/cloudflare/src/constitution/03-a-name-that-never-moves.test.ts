import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { dnsRecord } from '../scenarios/testing/crash-objects.ts';
import type { World } from '../testing/world.ts';
import { buildTown, manifests, untilBuilt } from './testing/town.ts';

describe('3. A name that never moves', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('a SyncState is made once, under the name that it keeps when Cloudflare hands out an id and the wish changes', async () => {
    const made = (world = await buildTown());
    const created = made.writes({ resource: 'cloudflaresyncstates' }).filter(({ method }) => method === 'POST');
    expect(created).toHaveLength(names(made).length);
    expect(made.writes({ resource: 'cloudflaresyncstates' }).filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(names(made).filter((name) => name.includes('pending'))).toEqual([]);
    const lasting = names(made).filter((name) => !/app-1|shop-1/.test(name));
    await made.apply(manifests({ version: 2 }));
    await untilBuilt(made);
    expect(names(made)).toEqual(expect.arrayContaining(lasting));
  });

  test('the name is a function of type and key alone: another cluster comes to the same one', async () => {
    const first = await buildTown({ seed: 1 });
    const here = keyed(first);
    await first.stop();
    const made = (world = await buildTown({ seed: 99, replicas: 3 }));
    const there = keyed(made);
    const shared = Object.keys(here).filter((key) => key in there);
    // All but those of the tunnel, whose id is chosen by Cloudflare, and is part of the key.
    expect(shared.length).toBeGreaterThan(8);
    expect(shared.map((key) => there[key])).toEqual(shared.map((key) => here[key]));
  });

  test('keys that read alike for a hundred characters and more do not collide', async () => {
    const made = (world = await buildTown());
    const long = 'a'.repeat(50);
    const alike = ['x', 'y', 'z'].map((last) => {
      const name = `${long}.${long}.${last}.example.net`;
      return dnsRecord(`${long}-${long}-${last}`, { name, content: '192.0.2.1' });
    });
    const before = names(made).length;
    await made.apply(alike);
    await untilBuilt(made);
    expect(names(made)).toHaveLength(before + 3);
    expect(names(made).filter((name) => name.length > 100 || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name))).toEqual(
      [],
    );
  });
});

const names = (world: World): readonly string[] => world.list(syncStateKind).map(({ metadata }) => metadata.name ?? '');

function keyed(world: World): Readonly<Record<string, string>> {
  return Object.fromEntries(
    world
      .list(syncStateKind)
      .map(({ spec, metadata }) => [JSON.stringify([spec.resourceType, spec.key]), metadata.name ?? '']),
  );
}
