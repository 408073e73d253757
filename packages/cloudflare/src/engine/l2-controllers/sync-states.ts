import type { Informer, ObjectCache } from '@tributary/runtime';
import { leaversOf } from '../l4-state/left-by.ts';
import { baseNameOf, hasSource } from '../l3-core/slices.ts';
import { sourceId } from '../l4-state/source.ts';
import type { SourceRef } from '../l4-state/source.ts';
import { credentialsIn, syncStateKind } from '../l4-state/sync-state.ts';
import type { SyncState } from '../l4-state/sync-state.ts';

/** The SyncStates, by what an object has to do with them. */
export type SyncStates = {
  readonly informer: Informer<SyncState>;
  readonly get: (name: string) => SyncState | undefined;
  /** The slices of a target. */
  readonly slices: (baseName: string) => readonly SyncState[];
  /** Those that hold a source of this object. */
  readonly of: (ref: SourceRef) => readonly SyncState[];
  /** Those that this object has left and whose remote side may still show it. */
  readonly leftBy: (ref: SourceRef) => readonly SyncState[];
  readonly using: (credentials: string) => readonly SyncState[];
};

export function createSyncStates(cache: Pick<ObjectCache, 'informer'>): SyncStates {
  const informer = cache.informer(syncStateKind);
  informer.addIndex('source', ({ spec }) => (spec.sources ?? []).map(({ ref }) => sourceId(ref)));
  informer.addIndex('leaver', leaversOf);
  informer.addIndex('base', (state) => [baseNameOf(state)]);
  informer.addIndex('credentials', ({ spec }) => credentialsIn(spec));
  return {
    informer,
    get: (name) => informer.get({ name }),
    slices: (baseName) => informer.byIndex('base', baseName),
    of: (ref) => informer.byIndex('source', sourceId(ref)),
    leftBy: (ref) => informer.byIndex('leaver', sourceId(ref)).filter((state) => !hasSource(state, ref)),
    using: (credentials) => informer.byIndex('credentials', credentials),
  };
}
