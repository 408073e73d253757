import type { SyncStateHead } from '../l4-state/contract.ts';
import { sourceId } from '../l4-state/source.ts';
import type { SourceRef } from '../l4-state/source.ts';
import type { SyncState, SyncStateSpec } from '../l4-state/sync-state.ts';

/**
 * A target whose sources need more room than one object has is spread over slices: `name`, `name-s1`, `name-s2` …, all of
 * them with the same key. A source stays in the slice that it was put into first.
 */
const sliceOfLabel = 'cloudflare-operator.io/slice-of';

/** The name that all slices of a target share: that of the first one. */
export function baseNameOf({ metadata, spec }: SyncState): string {
  return firstName(metadata.name ?? '', spec.slice);
}

function firstName(name: string, slice = 0): string {
  return slice > 0 ? name.replace(/-s\d+$/u, '') : name;
}

function sliceName(baseName: string, slice: number): string {
  return slice === 0 ? baseName : `${baseName}-s${slice}`;
}

export type SliceHead = SyncStateHead & { readonly slice?: number };

/** The head of the next slice of the target that this head is about. */
export function nextSlice(head: SliceHead): SliceHead {
  return atSlice(head, (head.slice ?? 0) + 1);
}

export function atSlice(head: SliceHead, slice: number): SliceHead {
  if (slice === (head.slice ?? 0)) return head;
  const baseName = firstName(head.name, head.slice);
  return {
    ...head,
    name: sliceName(baseName, slice),
    labels: { ...head.labels, [sliceOfLabel]: toLabel(baseName) },
    slice,
  };
}

/** The label is for people who select by it. A value takes 63 characters at most, and ends in a letter or digit. */
function toLabel(name: string): string {
  return name.slice(0, 63).replace(/[^a-z0-9]+$/iu, '');
}

export function hasSource(state: SyncState, ref: SourceRef): boolean {
  return !state.metadata.deletionTimestamp && sourceIn(state.spec, ref) !== undefined;
}

export type StoredSource = NonNullable<SyncStateSpec['sources']>[number];

// Specs never change in place, so each is read once however many of its thousands of sources ask for themselves.
const bySource = new WeakMap<SyncStateSpec, ReadonlyMap<string, StoredSource>>();

/** What a SyncState holds of this source. */
export function sourceIn(spec: SyncStateSpec, ref: SourceRef): StoredSource | undefined {
  let known = bySource.get(spec);
  if (!known) {
    known = new Map((spec.sources ?? []).map((source) => [sourceId(source.ref), source]));
    bySource.set(spec, known);
  }
  return known.get(sourceId(ref));
}

/** Where the source is among the slices of its target; of two places, left by replicas that raced, the first. */
export function placeOf(slices: readonly SyncState[], ref: SourceRef): SyncState | undefined {
  return inOrder(slices).find((state) => hasSource(state, ref));
}

/** The slice for a new source: the first one with room. */
export function roomFor(head: SliceHead, slices: readonly SyncState[], limitBytes: number): SliceHead {
  let candidate = head;
  for (;;) {
    const state = slices.find(({ metadata }) => metadata.name === candidate.name);
    if (!state || state.metadata.deletionTimestamp || bytesOf(state.spec) < limitBytes) return candidate;
    candidate = nextSlice(candidate);
  }
}

function inOrder(slices: readonly SyncState[]): readonly SyncState[] {
  return slices.toSorted((a, b) => (a.spec.slice ?? 0) - (b.spec.slice ?? 0));
}

const measured = new WeakMap<SyncStateSpec, number>();

export function bytesOf(spec: SyncStateSpec): number {
  const known = measured.get(spec);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(JSON.stringify(spec));
  measured.set(spec, bytes);
  return bytes;
}
