import { isDeepStrictEqual } from 'node:util';
import type { SyncStateHead } from '../l4-state/contract.ts';
import { sourceId } from '../l4-state/source.ts';
import type { Source, SourceRef } from '../l4-state/source.ts';
import type { SyncStateSpec } from '../l4-state/sync-state.ts';

/** One wish about one source of a SyncState. */
export type Edit =
  | { readonly do: 'put'; readonly head: SyncStateHead; readonly source: Source }
  | { readonly do: 'drop'; readonly ref: SourceRef };

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
  let head: SyncStateHead | undefined;
  for (const edit of edits) {
    if (edit.do === 'drop') {
      changed = sources.delete(sourceId(edit.ref)) || changed;
      continue;
    }
    head = edit.head;
    const id = sourceId(edit.source.ref);
    if (isRegistered(sources.get(id), edit.source)) continue;
    sources.set(id, { ...edit.source, config: { ...edit.source.config }, lastUpdated: now });
    changed = true;
  }
  const base = head ? toSpecHead(head) : spec;
  if (!base) return undefined;
  if (!changed && spec && sameHead(base, spec)) return spec;
  const ordered = [...sources].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, source]) => source);
  return { ...spec, ...base, sources: ordered };
}

type StoredSource = NonNullable<SyncStateSpec['sources']>[number];

function isRegistered(stored: StoredSource | undefined, wanted: Source): boolean {
  return (
    stored !== undefined &&
    stored.priority === wanted.priority &&
    stored.createdAt === wanted.createdAt &&
    isDeepStrictEqual(stored.config, wanted.config)
  );
}

type SpecHead = Omit<SyncStateSpec, 'sources' | 'slice'>;

function toSpecHead({ resourceType, cloudflareId, accountId, zoneId, credentialsRef, key }: SyncStateHead): SpecHead {
  return { resourceType, cloudflareId, accountId, ...(zoneId !== undefined && { zoneId }), credentialsRef, key };
}

function sameHead(a: SpecHead, b: SpecHead): boolean {
  return (
    a.cloudflareId === b.cloudflareId &&
    a.accountId === b.accountId &&
    a.zoneId === b.zoneId &&
    a.credentialsRef.name === b.credentialsRef.name &&
    isDeepStrictEqual(a.key, b.key)
  );
}
