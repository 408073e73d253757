import { stoppedError } from './stopped-error.ts';
import { createWaitingRoom } from './waiting-room.ts';

export type SyncGate = {
  /** Resolves when the condition holds; rejects when the signal is aborted or the gate is closed first. */
  readonly wait: (signal?: AbortSignal) => Promise<void>;
  /** To be called whenever the condition may have come to hold. */
  readonly look: () => void;
  /** From now on nobody waits any more. */
  readonly close: () => void;
};

/** Lets callers wait for a condition without a timer. */
export function createSyncGate(condition: () => boolean): SyncGate {
  const room = createWaitingRoom();
  let closed = false;
  return {
    wait: async (signal) => {
      signal?.throwIfAborted();
      if (condition()) return;
      if (closed) throw stoppedError();
      await room.wait(signal);
    },
    look: () => {
      if (room.size() > 0 && condition()) room.admit();
    },
    close: () => {
      closed = true;
      room.dismiss(stoppedError());
    },
  };
}
