/** A map that forgets what was not used for the longest time once it holds more than `max` entries. */
export type LruMap<V> = {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, value: V) => void;
  readonly size: () => number;
};

export function createLruMap<V>(max: number): LruMap<V> {
  // A Map keeps the order of insertion, so that inserting anew means most recently used.
  const entries = new Map<string, V>();
  const set = (key: string, value: V): void => {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size <= max) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    size: () => entries.size,
  };
}
