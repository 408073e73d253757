/** What stands between a writer and the world: only the leader passes, and only while it certainly leads. */
export type Fence = {
  /** Throws `leader/lost` unless this process leads at the moment of the call. */
  readonly check: () => void;
  /**
   * Checks, then sends. `send` must reject if and only if no answer came: as long as a write has none, the lease is
   * not given back early.
   */
  readonly guard: <T>(send: (passage: Passage) => Promise<T>) => Promise<T>;
};

export type Passage = {
  /** Aborted when the term ends: drop what is under way. */
  readonly signal: AbortSignal;
  /** Checks again; to be called in the turn in which the write is really sent. */
  readonly beforeSend: () => void;
};

/** For a process that has no rivals: everybody passes. The signal ends what is under way. */
export function createOpenFence(signal: AbortSignal): Fence {
  return { check: () => undefined, guard: async (send) => send({ signal, beforeSend: () => undefined }) };
}
