import type { KubeObject, ObjectKey } from '../object.ts';
import type { Change } from './informer.ts';
import type { ReflectorPosition } from './reflector-position.ts';
import { isAtLeast } from './resource-version.ts';
import { stoppedError } from './stopped-error.ts';
import { createWaitingRoom } from './waiting-room.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** What the answer to a write says the cache must come to show. */
export type WriteEffect =
  | { readonly effect: 'version'; readonly resourceVersion: string }
  /** The object is gone for good. Without a uid: the one that the cache showed when the write began. */
  | { readonly effect: 'gone'; readonly uid: string | undefined };

/** Ends a write that was begun; without an effect when it failed or taught nothing. To be called once. */
export type FinishWrite = (effect?: WriteEffect) => void;

export type OwnWrites = {
  readonly begin: (key: ObjectKey) => FinishWrite;
  readonly caughtUp: (key: ObjectKey, signal?: AbortSignal) => Promise<void>;
  readonly onChange: (change: Change<KubeObject>, key: () => ObjectKey) => void;
  readonly onProgress: (what: 'event' | 'bookmark' | 'sync') => void;
  /** Nothing will be shown any more: whoever waits is told. */
  readonly stop: () => void;
};

export type OwnWritesDeps = {
  readonly stored: (key: ObjectKey) => KubeObject | undefined;
  readonly position: Pick<ReflectorPosition, 'current' | 'syncsBegun' | 'syncedSince'>;
};

type Expectation = { readonly wanted: WriteEffect; readonly syncsBegun: number };

type Entry = {
  inFlight: number;
  /** To be met in this order: the deletion of an object means nothing before its creation was seen. */
  expectations: readonly Expectation[];
  /** Versions that came by while writes were in flight. */
  readonly versionsSeen: Set<string>;
  readonly room: WaitingRoom;
};

/**
 * Remembers what this process wrote to the objects of one informer until the informer shows it. What a write whose
 * answer was lost did is not known and not waited for: its next attempt meets the version check of the server.
 */
export function createOwnWrites(deps: OwnWritesDeps): OwnWrites {
  const entries = new Map<ObjectKey, Entry>();
  const awaited = new Set<ObjectKey>();
  let stopped = false;

  const look = (key: ObjectKey): void => {
    const entry = entries.get(key);
    if (!entry) return;
    dropMet(entry, deps.stored(key), deps.position);
    if (entry.inFlight > 0 || entry.expectations.length > 0) return;
    entries.delete(key);
    awaited.delete(key);
    entry.room.admit();
  };

  const begin = (key: ObjectKey): FinishWrite => {
    const entry = entries.get(key) ?? createEntry();
    entries.set(key, entry);
    entry.inFlight += 1;
    const uidAtBegin = deps.stored(key)?.metadata.uid;
    return (effect) => {
      landWrite(entry, effect, uidAtBegin, deps.position.syncsBegun());
      look(key);
    };
  };

  return {
    begin,
    caughtUp: async (key, signal) => {
      signal?.throwIfAborted();
      look(key);
      const entry = entries.get(key);
      if (!entry) return;
      if (stopped) throw stoppedError();
      awaited.add(key);
      await entry.room.wait(signal);
    },
    onChange: (change, toKey) => {
      if (entries.size === 0) return;
      const key = toKey();
      const entry = entries.get(key);
      if (entry && entry.inFlight > 0) entry.versionsSeen.add(change.object.metadata.resourceVersion ?? '');
      look(key);
    },
    // With every event only what somebody waits for is looked at; the rest has time until the next bookmark.
    onProgress: (what) => {
      for (const key of what === 'event' ? awaited : entries.keys()) look(key);
    },
    stop: () => {
      stopped = true;
      for (const { room } of entries.values()) room.dismiss(stoppedError());
    },
  };
}

function createEntry(): Entry {
  return { inFlight: 0, expectations: [], versionsSeen: new Set(), room: createWaitingRoom() };
}

function landWrite(
  entry: Entry,
  effect: WriteEffect | undefined,
  uidAtBegin: string | undefined,
  syncsBegun: number,
): void {
  entry.inFlight -= 1;
  if (effect) expectEffect(entry, effect, uidAtBegin, syncsBegun);
  if (entry.inFlight === 0) entry.versionsSeen.clear();
}

function expectEffect(entry: Entry, effect: WriteEffect, uidAtBegin: string | undefined, syncsBegun: number): void {
  if (effect.effect === 'version') {
    // The event may be faster than the answer, and others may have moved the object on since.
    if (entry.versionsSeen.has(effect.resourceVersion)) return;
    entry.expectations = [...entry.expectations, { wanted: effect, syncsBegun }];
    return;
  }
  const uid = effect.uid ?? uidAtBegin;
  if (uid === undefined) return;
  entry.expectations = [...entry.expectations, { wanted: { effect: 'gone', uid }, syncsBegun }];
}

function dropMet(entry: Entry, stored: KubeObject | undefined, position: OwnWritesDeps['position']): void {
  while (entry.expectations[0] && isMet(entry.expectations[0], stored, position)) {
    entry.expectations = entry.expectations.slice(1);
  }
}

function isMet(
  { wanted, syncsBegun }: Expectation,
  stored: KubeObject | undefined,
  position: OwnWritesDeps['position'],
): boolean {
  // A list that began after the answer came holds what was written, or something later.
  if (position.syncedSince(syncsBegun)) return true;
  if (wanted.effect === 'gone') return stored?.metadata.uid !== wanted.uid;
  const { resourceVersion } = wanted;
  return isAtLeast(stored?.metadata.resourceVersion, resourceVersion) || isAtLeast(position.current(), resourceVersion);
}
