/** Callers who wait for the same thing. Whoever leaves, by whatever door, leaves nothing behind. */
export type WaitingRoom = {
  /** Resolves with `admit`; rejects with `dismiss`, or with the signal's reason when it is aborted first. */
  readonly wait: (signal?: AbortSignal) => Promise<void>;
  readonly admit: () => void;
  readonly dismiss: (error: Error) => void;
  readonly size: () => number;
};

export function createWaitingRoom(): WaitingRoom {
  type Waiter = { readonly resolve: () => void; readonly reject: (error: Error) => void };
  const waiters = new Set<Waiter>();

  return {
    wait: async (signal) => {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter: Waiter = { resolve, reject };
      const onAbort = (): void => reject(signal?.reason as Error);
      waiters.add(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        await promise;
      } finally {
        waiters.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
      }
    },
    admit: () => {
      for (const { resolve } of waiters) resolve();
    },
    dismiss: (error) => {
      for (const { reject } of waiters) reject(error);
    },
    size: () => waiters.size,
  };
}
