import type { Fault } from '../faults/fault-rule.ts';

export type JournalEntry = {
  readonly seq: number;
  /** When the call came in. */
  readonly time: string;
  readonly method: string;
  /** Below `/client/v4`. */
  readonly path: string;
  readonly query: string;
  /** Without secrets. */
  readonly body: unknown;
  /** 0: no answer reached the caller. */
  readonly status: number;
  readonly errorCodes: readonly number[];
  readonly durationMs: number;
  readonly family: string;
  /** Empty when the caller was not known. */
  readonly tokenId: string;
  readonly ray: string;
  /** Whether the call changed the state, whatever its answer was. */
  readonly changed: boolean;
  readonly faults: readonly Fault['kind'][];
};

export type JournalFilter = {
  readonly method?: string;
  /** The path begins with this. */
  readonly path?: string;
  readonly family?: string;
  readonly status?: number;
  readonly tokenId?: string;
  /** True: all but GET. */
  readonly write?: boolean;
  /** Only calls after this one. */
  readonly afterSeq?: number;
};

export type Journal = {
  readonly record: (entry: Omit<JournalEntry, 'seq'>) => void;
  readonly calls: (filter?: JournalFilter) => readonly JournalEntry[];
  readonly count: (filter?: JournalFilter) => number;
  /** Told of every call as it ends; the returned function ends it. */
  readonly listen: (listener: (entry: JournalEntry) => void) => () => void;
  readonly clear: () => void;
};

/** A long soak must not eat the memory: older calls than these are forgotten, their numbers are not used again. */
const mostEntries = 200_000;

export function createJournal(): Journal {
  let entries: JournalEntry[] = [];
  let lastSeq = 0;
  const listeners = new Set<(entry: JournalEntry) => void>();
  const calls = (filter: JournalFilter = {}): readonly JournalEntry[] =>
    entries.filter((entry) => isMatch(filter, entry));
  return {
    record: (given) => {
      lastSeq += 1;
      const entry = { seq: lastSeq, ...given };
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

function isMatch(filter: JournalFilter, entry: JournalEntry): boolean {
  return (
    (filter.method === undefined || filter.method === entry.method) &&
    (filter.path === undefined || entry.path.startsWith(filter.path)) &&
    (filter.family === undefined || filter.family === entry.family) &&
    (filter.status === undefined || filter.status === entry.status) &&
    (filter.tokenId === undefined || filter.tokenId === entry.tokenId) &&
    (filter.write === undefined || filter.write === (entry.method !== 'GET')) &&
    (filter.afterSeq === undefined || entry.seq > filter.afterSeq)
  );
}
