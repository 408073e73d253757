import type { KubeObject, ObjectKey } from '../object.ts';
import type { Change } from './informer.ts';
import type { ReflectorPosition } from './reflector-position.ts';
import { stoppedError } from './stopped-error.ts';
import { completeEffect, createWriteEntry, dropMet, landWrite, note } from './write-expectation.ts';
import type { WriteEffect, WriteEntry } from './write-expectation.ts';

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

/**
 * Remembers what this process wrote to the objects of one informer until the informer shows it. What a write whose
 * answer was lost did is not known and not waited for: its next attempt meets the version check of the server.
 */
export function createOwnWrites(deps: OwnWritesDeps): OwnWrites {
  const entries = new Map<ObjectKey, WriteEntry>();
  const awaited = new Set<ObjectKey>();
  let stopped = false;
  let bookmarks = 0;

  const look = (key: ObjectKey): void => {
    const entry = entries.get(key);
    if (!entry) return;
    dropMet(entry, { stored: deps.stored(key), position: deps.position, bookmarks });
    if (entry.inFlight > 0 || entry.expectations.length > 0) return;
    entries.delete(key);
    awaited.delete(key);
    entry.room.admit();
  };

  const begin = (key: ObjectKey): FinishWrite => {
    const entry = enter(entries, key);
    entry.inFlight += 1;
    const uidAtBegin = deps.stored(key)?.metadata.uid;
    return (effect) => {
      const wanted = effect && completeEffect(effect, uidAtBegin);
      landWrite(entry, wanted && { wanted, syncsBegun: deps.position.syncsBegun(), bookmarks });
      look(key);
    };
  };

  return {
    begin,
    caughtUp: async (key, signal) => {
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
      note(entries.get(key), change);
      look(key);
    },
    // With every event only what somebody waits for is looked at; the rest has time until the next bookmark.
    onProgress: (what) => {
      if (what === 'bookmark') bookmarks += 1;
      for (const key of what === 'event' ? awaited : entries.keys()) look(key);
    },
    stop: () => {
      stopped = true;
      for (const { room } of entries.values()) room.dismiss(stoppedError());
    },
  };
}

function enter(entries: Map<ObjectKey, WriteEntry>, key: ObjectKey): WriteEntry {
  const entry = entries.get(key) ?? createWriteEntry();
  entries.set(key, entry);
  return entry;
}
