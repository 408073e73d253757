import { isEarlier } from './resource-version.ts';

/** How far a reflector has come in the history of its kind. */
export type ReflectorPosition = {
  /** Everything up to this version is in the store; nothing while a sync is under way. */
  readonly current: () => string | undefined;
  /** The latest version ever seen, also during a sync. A list that is older cannot be right. */
  readonly latest: () => string | undefined;
  readonly beginSync: () => void;
  readonly completeSync: (version: string) => void;
  readonly advance: (version: string) => void;
  /** The position is of no more use: everything must be fetched. `forget` also lets the versions start lower. */
  readonly drop: (how: 'relist' | 'forget') => void;
  /** A list was older than `latest`. When the server insists, it is believed: its data may have been restored. */
  readonly doubt: () => void;
  readonly hasSynced: () => boolean;
  readonly syncsBegun: () => number;
  /** A sync that began after the first `begun` ones is complete. */
  readonly syncedSince: (begun: number) => boolean;
};

const mostDoubts = 5;

export function createReflectorPosition(): ReflectorPosition {
  let current: string | undefined;
  let latest: string | undefined;
  let begun = 0;
  let lastComplete = 0;
  let doubts = 0;

  return {
    current: () => current,
    latest: () => latest,
    beginSync: () => void (begun += 1),
    completeSync: (version) => {
      current = version;
      latest = version;
      lastComplete = begun;
      doubts = 0;
    },
    advance: (version) => {
      if (isEarlier(version, current)) return;
      current = version;
      latest = version;
    },
    drop: (how) => {
      current = undefined;
      if (how === 'forget') latest = undefined;
    },
    doubt: () => {
      doubts += 1;
      if (doubts >= mostDoubts) latest = undefined;
    },
    hasSynced: () => lastComplete > 0,
    syncsBegun: () => begun,
    syncedSince: (count) => lastComplete > count,
  };
}
