import { configMapKind } from '@tributary/runtime';
import { expect } from 'vitest';
import { createToyWorld, pebble, toy } from './toy-world.ts';
import type { ToyWorld } from './toy-world.ts';
import { leafKind, pebbleKind, shelfKind } from './toys.ts';

const leaf = (name: string) => toy('Leaf', name, { tree: 'oak', colour: 'green' });
const at = (name: string) => ({ namespace: 'default', name });

export type Moment = 'before' | 'after' | 'answer-lost';

/** A life: things come, change and go. */
async function live(world: ToyWorld): Promise<void> {
  await world.apply([toy('Shelf', 'high', { room: 'attic' }), toy('Shelf', 'low', { room: 'cellar' })]);
  await world.apply(pebble({ value: 'one', shelf: 'high', child: 'box' }));
  await world.apply([pebble({ value: 'two', shelf: 'low', child: 'crate' }, {}, 'b'), leaf('l1'), leaf('l2')]);
  await world.clock.advance(3000);
  await world.apply(pebble({ value: 'changed', shelf: 'high', child: 'box' }));
  await world.delete(pebbleKind, at('b'));
  await world.delete(leafKind, at('l1'));
  await world.delete(shelfKind, { name: 'low' });
  await world.clock.advance(3000);
}

function isInTheEnd(world: ToyWorld): boolean {
  return (
    world.room.pebbles.get('default.a')?.value === 'changed' &&
    world.room.pebbles.size === 1 &&
    world.room.trees.get('oak')?.join() === 'l2:green' &&
    world.pebble('b') === undefined &&
    world.get(leafKind, at('l1')) === undefined &&
    world.states().length === 2 &&
    world.get(configMapKind, at('box'))?.data?.['value'] === 'changed' &&
    world.get(configMapKind, at('crate')) === undefined &&
    world.ready()?.status === 'True' &&
    world.ready()?.observedGeneration === 2
  );
}

/** Kills the first replica at its write number `skip`, and lets another one go on. True when it died. */
export async function liveAndDie(skip: number, moment: Moment): Promise<boolean> {
  const world = await createToyWorld({ seed: skip + 1 });
  try {
    const match = { verb: 'write', userAgent: 'replica-1/1' };
    world.cluster.faults.add({ match, fault: { kind: 'crash', at: moment }, skip, times: 1 });
    await live(world);
    const died = world.cluster.faults.isCrashed('replica-1/1');
    if (died) {
      world.kill('replica-1');
      world.start('replica-2');
    }
    await world.waitFor(() => isInTheEnd(world), 120_000);
    world.clearCounts();
    await world.clock.advance(60_000);
    expect(world.writes()).toEqual([]);
    return died;
  } finally {
    await world.stop();
  }
}
