import { isConflict, isNotFound, metadataPatch } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { SyncState } from '../l4-state/sync-state.ts';

type ReleaseClient = Pick<KubeClient, 'delete' | 'patch'>;

/**
 * Ends a SyncState for which nothing is left to do. It is deleted only as it was seen, so a source that came meanwhile is
 * not lost. False: it changed, and is looked at again.
 */
export async function release(state: SyncState, client: ReleaseClient): Promise<boolean> {
  const { name = '', uid, resourceVersion } = state.metadata;
  try {
    if (state.metadata.deletionTimestamp) return await dropFinalizers(state, client);
    const preconditions = { uid, resourceVersion };
    const answer = await client.delete(syncStateKind, { name }, { preconditions });
    return 'metadata' in answer && 'spec' in answer ? await dropFinalizers(answer, client) : true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isConflict(error)) return false;
    throw error;
  }
}

/** Layer 5's finalizers, whatever the type: those of others stay. */
async function dropFinalizers(state: SyncState, client: ReleaseClient): Promise<boolean> {
  const finalizers = (state.metadata.finalizers ?? []).filter(
    (one) => !one.endsWith('.sync.cloudflare-operator.io/finalizer'),
  );
  const patch = metadataPatch(state, { finalizers });
  if (patch) await client.patch(syncStateKind, { name: state.metadata.name ?? '' }, patch);
  return true;
}
