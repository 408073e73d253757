/**
 * Who has read what. Whoever reads something under a topic is woken when that topic is announced, until a later run of
 * the same reader does not read it any more. So a kind need not say what its objects depend on.
 */
export type Topics = {
  /** What a run reads replaces, when it ends, what the run before it read. */
  readonly begin: (reader: Reader) => Reading;
  readonly announce: (topic: string) => void;
  /** Returns unsubscribe. */
  readonly listen: (group: string, wake: (key: string) => void) => () => void;
};

export type Reader = { readonly group: string; readonly key: string };

export type Reading = {
  readonly note: (topic: string) => void;
  readonly end: () => void;
};

type Entry = { readonly reader: Reader; topics: Set<string> };

export function createTopics(): Topics {
  const entries = new Map<string, Entry>();
  const readers = new Map<string, Set<Entry>>();
  const wakers = new Map<string, Set<(key: string) => void>>();

  const leave = (entry: Entry, topic: string): void => {
    const those = readers.get(topic);
    those?.delete(entry);
    if (those?.size === 0) readers.delete(topic);
  };

  return {
    begin: (reader) => {
      const id = `${reader.group}|${reader.key}`;
      const entry = entries.get(id) ?? { reader, topics: new Set() };
      entries.set(id, entry);
      const seen = new Set<string>();
      return {
        // Noted at the moment of reading: what changes from now on, also while the run lasts, wakes the reader.
        note: (topic) => {
          seen.add(topic);
          const those = readers.get(topic) ?? new Set();
          readers.set(topic, those.add(entry));
        },
        end: () => {
          for (const topic of entry.topics) if (!seen.has(topic)) leave(entry, topic);
          entry.topics = seen;
          if (seen.size === 0) entries.delete(id);
        },
      };
    },
    announce: (topic) => {
      for (const { reader } of readers.get(topic) ?? []) {
        for (const wake of wakers.get(reader.group) ?? []) wake(reader.key);
      }
    },
    listen: (group, wake) => {
      const those = wakers.get(group) ?? new Set();
      wakers.set(group, those.add(wake));
      return () => those.delete(wake);
    },
  };
}
