import type { Change, Informer } from '@tributary/runtime';
import type { SyncState } from '../l4-state/sync-state.ts';
import type { SyncIndexes } from './sync-indexes.ts';

/**
 * Who was refused because of what another has looks again when something of ours in its scope has gone or is another one
 * now: that may have been what stood in the way. What strangers do is found by the look for drift. Returns unsubscribe.
 */
export function wakeRefused(
  informer: Pick<Informer<SyncState>, 'onChange'>,
  { scopesOf, refusedIn }: Pick<SyncIndexes, 'scopesOf' | 'refusedIn'>,
  lookAgain: (state: SyncState) => void,
): () => void {
  return informer.onChange((change) => {
    if (!hasMadeRoom(change)) return;
    const others = scopesOf(change.object).flatMap(refusedIn);
    for (const state of others) if (state.metadata.name !== change.object.metadata.name) lookAgain(state);
  });
}

function hasMadeRoom(change: Change<SyncState>): boolean {
  const { cloudflareID: id, configHash: hash } = change.old?.status ?? {};
  if (id === undefined) return false;
  if (change.type === 'deleted') return true;
  const { status } = change.object;
  return status?.cloudflareID !== id || status.configHash !== hash;
}
