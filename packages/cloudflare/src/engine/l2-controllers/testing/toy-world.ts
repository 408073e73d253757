import { getCondition } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { createWorld } from '../../../testing/world.ts';
import type { World, WorldOptions } from '../../../testing/world.ts';
import { syncStateKind } from '../../l4-state/sync-state.ts';
import type { SyncState } from '../../l4-state/sync-state.ts';
import { createToyRoom, leafContributor, leafKind, pebbleContributor, pebbleKind, shelfKind } from './toys.ts';
import type { Pebble, ToyRoom } from './toys.ts';

/** A world whose only kinds are toys, led by a replica, with credentials in it. */
export type ToyWorld = World & {
  readonly room: ToyRoom;
  readonly pebble: (name?: string) => Pebble | undefined;
  /** Of the Pebble `a` when absent. */
  readonly ready: (object?: Told) => Condition | undefined;
  readonly isReady: () => boolean;
  readonly states: () => readonly SyncState[];
};

type Told = { readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined };

export async function createToyWorld(options: WorldOptions = {}): Promise<ToyWorld> {
  const room = createToyRoom();
  const contributors = [pebbleContributor, leafContributor];
  const kinds = [pebbleKind, leafKind, shelfKind];
  const world = await createWorld({ contributors, kinds, targets: room.targets, ...options });
  await world.applyCredentials();
  await world.waitFor(() => world.leader() !== undefined);
  const pebble = (name = 'a'): Pebble | undefined => world.get(pebbleKind, { namespace: 'default', name });
  const ready = (object: Told | undefined = pebble()): Condition | undefined =>
    getCondition<Condition>(object?.status?.conditions, 'Ready');
  return {
    ...world,
    room,
    pebble,
    ready,
    isReady: () => ready()?.status === 'True',
    states: () => world.list(syncStateKind),
  };
}

export function toy(kind: string, name: string, spec: object, metadata: object = {}): KubeObject {
  const place = kind === 'Shelf' ? {} : { namespace: 'default' };
  return { apiVersion: 'toys.tributary.dev/v1', kind, metadata: { name, ...place, ...metadata }, spec } as KubeObject;
}

export function pebble(spec: object, metadata: object = {}, name = 'a'): KubeObject {
  return toy('Pebble', name, spec, metadata);
}
