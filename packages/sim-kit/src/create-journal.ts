/** Every call that a simulator answered. */
export type Journal<Entry extends { readonly seq: number }, Filter> = {
  readonly record: (entry: Omit<Entry, 'seq'>) => void;
  readonly calls: (filter?: Filter) => readonly Entry[];
  readonly count: (filter?: Filter) => number;
  /** Told of every call as it ends; the returned function ends it. */
  readonly listen: (listener: (entry: Entry) => void) => () => void;
  readonly clear: () => void;
};

/** A long soak must not eat the memory: older calls than these are forgotten, their numbers are not used again. */
const mostEntries = 200_000;

export function createJournal<Entry extends { readonly seq: number }, Filter>(
  isMatch: (filter: Filter, entry: Entry) => boolean,
): Journal<Entry, Filter> {
  let entries: Entry[] = [];
  let lastSeq = 0;
  const listeners = new Set<(entry: Entry) => void>();
  const calls = (filter?: Filter): readonly Entry[] =>
    filter === undefined ? [...entries] : entries.filter((entry) => isMatch(filter, entry));
  return {
    record: (given) => {
      lastSeq += 1;
      const entry = { seq: lastSeq, ...given } as Entry;
      entries.push(entry);
      if (entries.length > mostEntries) entries = entries.slice(mostEntries / 2);
      for (const listener of listeners) listener(entry);
    },
    calls,
    count: (filter) => calls(filter).length,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => void (entries = []),
  };
}
