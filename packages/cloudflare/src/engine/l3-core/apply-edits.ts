import { isDeepStrictEqual } from 'node:util';
import { compareSources, sourceId } from '../l4-state/source.ts';
import type { Source, SourceRef } from '../l4-state/source.ts';
import type { CredentialsRef, SyncStateSpec } from '../l4-state/sync-state.ts';
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
 * registered again, and its time of change stays. Sources may come with different credentials: those of the first in
 * winning order are in use, or two of them would take the head from each other for ever.
 */
export function applyEdits(
  spec: SyncStateSpec | undefined,
  edits: readonly Edit[],
  now: string,
): SyncStateSpec | undefined {
  const sources = new Map((spec ? withCredentials(spec) : []).map((source) => [sourceId(source.ref), source]));
  let changed = false;
  let head: SliceHead | undefined;
  for (const edit of edits) {
    if (edit.do === 'put') head = edit.head;
    changed = applyEdit(sources, edit, now, spec?.credentialsRef) || changed;
  }
  const base = head ? toSpecHead(head) : spec;
  if (!base) return undefined;
  if (!changed && spec && sameHead(base, spec)) return spec;
  const ordered = [...sources].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, source]) => source);
  const credentialsRef = credentialsInUse(ordered) ?? base.credentialsRef;
  return {
    ...base,
    credentialsRef,
    ...(spec?.slice !== undefined && { slice: spec.slice }),
    sources: ordered.map((source) => withoutCredentials(source, credentialsRef)),
  };
}

type KnownSource = StoredSource & { readonly credentialsRef: CredentialsRef };

/** Every source with its own credentials: where nothing is stored they are those in use. */
function withCredentials({ sources = [], credentialsRef }: SyncStateSpec): readonly KnownSource[] {
  return sources.map((source) => ({ ...source, credentialsRef: source.credentialsRef ?? credentialsRef }));
}

function withoutCredentials({ credentialsRef, ...source }: KnownSource, inUse: CredentialsRef): StoredSource {
  return isDeepStrictEqual(credentialsRef, inUse) ? source : { ...source, credentialsRef };
}

function credentialsInUse(sources: readonly KnownSource[]): CredentialsRef | undefined {
  const living = sources.filter(({ orphaned }) => !orphaned);
  const [first] = living.toSorted((a, b) => compareSources(toSource(a), toSource(b)));
  return first?.credentialsRef;
}

function toSource({ ref, config, priority, createdAt = '' }: StoredSource): Source {
  return { ref, config, priority, createdAt };
}

function applyEdit(
  sources: Map<string, KnownSource>,
  edit: Edit,
  now: string,
  inUse: CredentialsRef = { name: '' },
): boolean {
  if (edit.do === 'drop') return sources.delete(sourceId(edit.ref));
  if (edit.do === 'orphan') return applyOrphan(sources, edit.ref, inUse);
  const id = sourceId(edit.source.ref);
  const stored = sources.get(id);
  const { credentialsRef } = edit.head;
  const isSame = isRegistered(stored, edit.source);
  if (isSame && isDeepStrictEqual(stored.credentialsRef, credentialsRef)) return false;
  const lastUpdated = (isSame ? stored.lastUpdated : undefined) ?? now;
  sources.set(id, { ...edit.source, config: { ...edit.source.config }, credentialsRef, lastUpdated });
  return true;
}

/**
 * A source that has been taken out already comes back as a stub where it was the last one: its SyncState is at work on
 * the deletion that is now waived. Where others live on, they say what the remote side is.
 */
function applyOrphan(sources: Map<string, KnownSource>, ref: SourceRef, inUse: CredentialsRef): boolean {
  const id = sourceId(ref);
  const stored = sources.get(id);
  if (stored?.orphaned || (!stored && sources.size > 0)) return false;
  sources.set(id, { ...(stored ?? { ref, config: {}, priority: 0, credentialsRef: inUse }), orphaned: true });
  return true;
}

function isRegistered<S extends StoredSource>(stored: S | undefined, wanted: Source): stored is S {
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
      return (
        isRegistered(stored, edit.source) &&
        sameHead(toSpecHead(edit.head), spec) &&
        isDeepStrictEqual(stored.credentialsRef ?? spec.credentialsRef, edit.head.credentialsRef)
      );
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
    isDeepStrictEqual(a.key, b.key)
  );
}
