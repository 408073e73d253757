import type { KubeObject } from '../object.ts';
import type { Change } from './informer.ts';
import type { ReflectorPosition } from './reflector-position.ts';
import { isAtLeast } from './resource-version.ts';
import { createWaitingRoom } from './waiting-room.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** What the answer to a write says the cache must come to show. */
export type WriteEffect =
  | { readonly effect: 'version'; readonly resourceVersion: string }
  /** The object is gone for good. Without a uid: the one that the cache showed when the write began. */
  | { readonly effect: 'gone'; readonly uid: string | undefined };

export type Expectation = {
  readonly wanted: WriteEffect;
  /** What had happened when the answer came. */
  readonly syncsBegun: number;
  readonly bookmarks: number;
};

/** What is known about the writes to one object that are not shown yet. */
export type WriteEntry = {
  inFlight: number;
  /** To be met in this order: the deletion of an object means nothing before its creation was seen. */
  expectations: readonly Expectation[];
  /** Versions that came by while writes were in flight. */
  readonly versionsSeen: Set<string>;
  /** The uids whose deletion came by since the first of these writes began. */
  readonly deletionsSeen: Set<string>;
  readonly room: WaitingRoom;
};

export function createWriteEntry(): WriteEntry {
  return {
    inFlight: 0,
    expectations: [],
    versionsSeen: new Set(),
    deletionsSeen: new Set(),
    room: createWaitingRoom(),
  };
}

export function note(entry: WriteEntry | undefined, { type, object, old }: Change<KubeObject>): void {
  if (!entry) return;
  if (entry.inFlight > 0) entry.versionsSeen.add(object.metadata.resourceVersion ?? '');
  if (type === 'deleted') entry.deletionsSeen.add(old.metadata.uid ?? '');
}

/** A deletion of nobody knows what cannot be waited for. */
export function completeEffect(effect: WriteEffect, uidAtBegin: string | undefined): WriteEffect | undefined {
  if (effect.effect === 'version' || effect.uid !== undefined) return effect;
  return uidAtBegin === undefined ? undefined : { effect: 'gone', uid: uidAtBegin };
}

export function landWrite(entry: WriteEntry, expectation: Expectation | undefined): void {
  entry.inFlight -= 1;
  const wanted = expectation?.wanted;
  // The event may be faster than the answer, and others may have moved the object on since.
  const seen = wanted?.effect === 'version' && entry.versionsSeen.has(wanted.resourceVersion);
  if (expectation && !seen) entry.expectations = [...entry.expectations, expectation];
  if (entry.inFlight === 0) entry.versionsSeen.clear();
}

export type CacheState = {
  readonly stored: KubeObject | undefined;
  readonly position: Pick<ReflectorPosition, 'current' | 'syncedSince'>;
  readonly bookmarks: number;
};

/** Forgets what the cache shows by now. */
export function dropMet(entry: WriteEntry, cache: CacheState): void {
  const unmet = entry.expectations.findIndex((expectation) => !isMet(expectation, entry, cache));
  entry.expectations = unmet < 0 ? [] : entry.expectations.slice(unmet);
}

function isMet(
  { wanted, syncsBegun, bookmarks }: Expectation,
  { deletionsSeen }: WriteEntry,
  cache: CacheState,
): boolean {
  // A list that began after the answer came holds what was written, or something later.
  if (cache.position.syncedSince(syncsBegun)) return true;
  const metadata = cache.stored?.metadata;
  if (wanted.effect === 'version') {
    const { resourceVersion } = wanted;
    return (
      isAtLeast(metadata?.resourceVersion, resourceVersion) || isAtLeast(cache.position.current(), resourceVersion)
    );
  }
  if (deletionsSeen.has(wanted.uid ?? '')) return true;
  // An object that was never shown may have come and gone between two lists, or be still to come. A bookmark may have
  // been on its way when the object went; the one after it, a minute later, has all of that behind it.
  return metadata?.uid !== wanted.uid && cache.bookmarks >= bookmarks + 2;
}
