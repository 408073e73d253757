import { stoppedError } from './stopped-error.ts';
import { createWaitingRoom } from './waiting-room.ts';

export type SyncGate = {
  /** Resolves when the condition holds; rejects when the signal is aborted or the gate is closed first. */
  readonly wait: (condition: () => boolean, signal?: AbortSignal) => Promise<void>;
  /** To be called whenever the condition of somebody may have come to hold. */
  readonly look: () => void;
  /** From now on nobody waits any more. */
  readonly close: () => void;
};

/** Lets callers wait for a condition without a timer. */
export function createSyncGate(): SyncGate {
  const room = createWaitingRoom();
  let closed = false;
  return {
    wait: async (condition, signal) => {
      signal?.throwIfAborted();
      while (!condition()) {
        if (closed) throw stoppedError();
        await room.wait(signal);
      }
    },
    look: room.admit,
    close: () => {
      closed = true;
      room.dismiss(stoppedError());
    },
  };
}
