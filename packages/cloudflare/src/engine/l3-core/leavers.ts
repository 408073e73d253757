import { leaversOf } from '../l4-state/left-by.ts';
import { sourceId } from '../l4-state/source.ts';
import type { SyncState, SyncStateSpec } from '../l4-state/sync-state.ts';

/** Annotations have 256 KiB together; beyond this the oldest are forgotten, which lets them go a moment early. */
const maxLength = 100_000;

/** What the annotation must say once `next` is the spec; null removes it. */
export function leftByAfter(current: SyncState | undefined, next: SyncStateSpec): string | null {
  const there = new Set((next.sources ?? []).map(({ ref }) => sourceId(ref)));
  const gone = (current?.spec.sources ?? []).map(({ ref }) => sourceId(ref)).filter((id) => !there.has(id));
  const before = current && !isSettled(current) ? leaversOf(current).filter((id) => !there.has(id)) : [];
  const all = [...new Set([...before, ...gone])];
  while (all.join(',').length > maxLength) all.shift();
  return all.length > 0 ? all.join(',') : null;
}

/** The remote side is what the sources say: whoever has left is not to be seen there any more. */
export function isSettled(state: SyncState): boolean {
  return (state.spec.sources ?? []).length > 0 && isInStep(state);
}

/** Layer 5 has seen all that is written, and has done it. */
export function isInStep({ metadata, status }: SyncState): boolean {
  return status?.syncStatus === 'Synced' && (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}
