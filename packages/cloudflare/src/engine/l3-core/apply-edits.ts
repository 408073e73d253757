import { isDeepStrictEqual } from 'node:util';
import { sourceId } from '../l4-state/source.ts';
import type { Source, SourceRef } from '../l4-state/source.ts';
import type { SyncStateSpec } from '../l4-state/sync-state.ts';
import { sourceIn } from './slices.ts';
import type { SliceHead, StoredSource } from './slices.ts';

/** One wish about one source of a SyncState. */
export type Edit =
  | { readonly do: 'put'; readonly head: SliceHead; readonly source: Source }
  | { readonly do: 'drop'; readonly ref: SourceRef }
  /** The object goes, the remote side stays. */
  | { readonly do: 'orphan'; readonly ref: SourceRef };

/**
 * The spec after these edits, or the very same spec where they change nothing: what is registered already is not
 * registered again, and its time of change stays.
 */
export function applyEdits(
  spec: SyncStateSpec | undefined,
  edits: readonly Edit[],
  now: string,
): SyncStateSpec | undefined {
  const sources = new Map((spec?.sources ?? []).map((source) => [sourceId(source.ref), source]));
  let changed = false;
  let head: SliceHead | undefined;
  for (const edit of edits) {
    if (edit.do === 'put') head = edit.head;
    changed = applyEdit(sources, edit, now) || changed;
  }
  const base = head ? toSpecHead(head) : spec;
  if (!base) return undefined;
  if (!changed && spec && sameHead(base, spec)) return spec;
  const ordered = [...sources].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, source]) => source);
  return { ...base, ...(spec?.slice !== undefined && { slice: spec.slice }), sources: ordered };
}

function applyEdit(sources: Map<string, StoredSource>, edit: Edit, now: string): boolean {
  if (edit.do === 'drop') return sources.delete(sourceId(edit.ref));
  if (edit.do === 'orphan') return applyOrphan(sources, edit.ref);
  const id = sourceId(edit.source.ref);
  const stored = sources.get(id);
  if (isRegistered(stored, edit.source)) return false;
  sources.set(id, { ...edit.source, config: { ...edit.source.config }, lastUpdated: now });
  return true;
}

/**
 * A source that has been taken out already comes back as a stub where it was the last one: its SyncState is at work on
 * the deletion that is now waived. Where others live on, they say what the remote side is.
 */
function applyOrphan(sources: Map<string, StoredSource>, ref: SourceRef): boolean {
  const id = sourceId(ref);
  const stored = sources.get(id);
  if (stored?.orphaned || (!stored && sources.size > 0)) return false;
  sources.set(id, { ...(stored ?? { ref, config: {}, priority: 0 }), orphaned: true });
  return true;
}

function isRegistered(stored: StoredSource | undefined, wanted: Source): boolean {
  return (
    stored !== undefined &&
    stored.orphaned !== true &&
    stored.priority === wanted.priority &&
    stored.createdAt === wanted.createdAt &&
    isDeepStrictEqual(stored.config, wanted.config)
  );
}

/** Whether the spec says already what the edit asks for, without looking at its other sources. */
export function isApplied(spec: SyncStateSpec, edit: Edit): boolean {
  const ref = edit.do === 'put' ? edit.source.ref : edit.ref;
  const stored = sourceIn(spec, ref);
  switch (edit.do) {
    case 'put':
      return isRegistered(stored, edit.source) && sameHead(toSpecHead(edit.head), spec);
    case 'drop':
      return stored === undefined;
    case 'orphan':
      return stored ? stored.orphaned === true : (spec.sources ?? []).length > 0;
    default:
      return edit satisfies never;
  }
}

type SpecHead = Omit<SyncStateSpec, 'sources'>;

function toSpecHead(head: SliceHead): SpecHead {
  const { resourceType, cloudflareId, accountId, zoneId, credentialsRef, key, slice } = head;
  return {
    resourceType,
    cloudflareId,
    accountId,
    ...(zoneId !== undefined && { zoneId }),
    credentialsRef,
    key,
    ...(slice !== undefined && { slice }),
  };
}

function sameHead(a: SpecHead, b: SpecHead): boolean {
  return (
    a.cloudflareId === b.cloudflareId &&
    a.accountId === b.accountId &&
    a.zoneId === b.zoneId &&
    isDeepStrictEqual(a.credentialsRef, b.credentialsRef) &&
    isDeepStrictEqual(a.key, b.key)
  );
}
