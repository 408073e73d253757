import type { AnyCustomKind } from '@tributary/runtime';
import { deleteObjects } from '../../testing/apply-objects.ts';
import type { World } from '../../testing/world.ts';
import { objectsOf } from './one-of-each.ts';

/** What became of the remote side: something was deleted, only written, or not even touched. */
export type DeletionClass = 'deleted' | 'cleared' | 'kept';

/** Deletes all objects of a kind, waits until they are gone, and says what that was at Cloudflare. */
export async function deletionClassOf(world: World, kind: AnyCustomKind): Promise<DeletionClass> {
  world.sim.journal.clear();
  const objects = objectsOf(world, kind).map((object) => ({ ...object, kind: kind.kind }));
  if (objects.length === 0) throw new Error(`there is no ${kind.kind}`);
  await deleteObjects(objects, world.user.client, world.cluster.registry);
  await world.waitFor(() => objectsOf(world, kind).length === 0, 5 * 60_000);
  await world.clock.advance(5000);
  const calls = world.sim.journal.calls({ write: true }).filter(({ tokenId }) => tokenId !== 'dashboard');
  if (calls.some(({ method, body }) => method === 'DELETE' || deletesMany(body))) return 'deleted';
  return calls.length > 0 ? 'cleared' : 'kept';
}

/** The deletions of a batch of DNS records. */
function deletesMany(body: unknown): boolean {
  const { deletes } = (body ?? {}) as { readonly deletes?: readonly unknown[] };
  return (deletes?.length ?? 0) > 0;
}
