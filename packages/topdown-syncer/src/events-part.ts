import type { EventRecorder, Runnable } from '@tributary/runtime';

/** Lives as long as the syncer does, and writes what events still wait when it ends. */
export function createEventsPart(events: Pick<EventRecorder, 'stop'>): Runnable {
  return {
    name: 'events',
    runs: 'always',
    run: async (signal) => {
      const ended = Promise.withResolvers<void>();
      if (signal.aborted) ended.resolve();
      signal.addEventListener('abort', () => ended.resolve(), { once: true });
      await ended.promise;
      await events.stop();
    },
  };
}
