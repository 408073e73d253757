import type { Priority, Watch } from '@tributary/runtime';

/** Wakes keys for reasons that no watched object shows. */
export type Trigger = {
  readonly watch: Watch;
  readonly wake: (key: string, priority: Priority) => void;
};

export function createTrigger(id: string): Trigger {
  const listeners = new Set<(key: string, priority: Priority) => void>();
  return {
    watch: {
      id,
      primary: false,
      cache: undefined,
      open: () => ({
        hasSynced: () => true,
        caughtUp: async () => undefined,
        onKey: (enqueue) => {
          listeners.add(enqueue);
          return () => void listeners.delete(enqueue);
        },
      }),
    },
    wake: (key, priority) => {
      for (const enqueue of listeners) enqueue(key, priority);
    },
  };
}
