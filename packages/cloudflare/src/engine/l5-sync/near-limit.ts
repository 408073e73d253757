import { nearBytes, sliceBytes } from '../l4-state/slice-bytes.ts';
import type { Wish } from './wish.ts';

/** What is to be said about the room that the sources of one SyncState take; nothing as long as there is plenty. */
export function nearLimit({ target, state, slices }: Pick<Wish, 'target' | 'state' | 'slices'>): string | undefined {
  if (target.contract.sources !== 'many') return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(state.spec));
  if (bytes < nearBytes) return undefined;
  const { name = '' } = state.metadata;
  const where =
    slices.length > 0 ? `further ones are in ${slices.length} more` : `further ones will go into ${name}-s1`;
  return `its sources take ${toMegabytes(bytes)} of the ${toMegabytes(sliceBytes)} MB that one object may hold; ${where}`;
}

/** Rounded, so that the same is said as long as little changes. */
function toMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
