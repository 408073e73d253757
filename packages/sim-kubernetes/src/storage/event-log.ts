import type { StoreEvent } from './store.ts';

/** The last events of one resource, oldest first. What falls out can no longer be watched or listed from. */
export type EventLog = {
  readonly append: (event: StoreEvent) => void;
  /** Events with a higher revision; `undefined` when some of them are forgotten. */
  readonly after: (revision: number) => readonly StoreEvent[] | undefined;
  /** The lowest revision that nothing after it is missing of. */
  readonly oldest: () => number;
  readonly compact: (revision: number) => void;
  /** No watch may start before that revision any more; what was there then can still be told. */
  readonly begin: (revision: number) => void;
  /** Whether a watch may start there. */
  readonly isWatchable: (revision: number) => boolean;
};

export function createEventLog(limit: number, startRevision: number): EventLog {
  let events: StoreEvent[] = [];
  let first = 0;
  let oldest = startRevision;
  let begun = startRevision;

  const forget = (count: number): void => {
    if (count <= 0) return;
    oldest = Math.max(oldest, events[first + count - 1]?.revision ?? oldest);
    first += count;
    // Cutting the array on every event would copy it every time; half dead is soon enough.
    if (first > 1024 && first * 2 > events.length) {
      events = events.slice(first);
      first = 0;
    }
  };
  const indexAfter = (revision: number): number => {
    let [low, high] = [first, events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    append: (event) => {
      events.push(event);
      forget(events.length - first - limit);
    },
    after: (revision) => (revision < oldest ? undefined : events.slice(indexAfter(revision))),
    oldest: () => Math.max(oldest, begun),
    begin: (revision) => void (begun = revision),
    isWatchable: (revision) => revision >= begun,
    compact: (revision) => {
      forget(indexAfter(revision) - first);
      oldest = Math.max(oldest, revision);
    },
  };
}
