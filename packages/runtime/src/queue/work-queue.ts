/** Lower runs first: what a person changed goes before what a list or a resync brought. */
export type Priority = 'high' | 'normal' | 'low';

export type AddOptions = {
  readonly priority?: Priority;
  /** Not before this many milliseconds. An earlier time that is already booked wins. */
  readonly afterMs?: number;
  /** Book with the key's exponential back-off (and count one more failure). */
  readonly backoff?: boolean;
};

/** Wait for `quietMs` without another add of the same key, but never longer than `maxMs` from the first. */
export type Debounce = { readonly quietMs: number; readonly maxMs: number };

/**
 * Keys that want work, each at most once. A key that is added while it is being worked on runs again after
 * `done`, never at the same time.
 */
export type WorkQueue = {
  readonly add: (key: string, options?: AddOptions) => void;
  /** The next key that is due; waits for one. `undefined` when the queue is shut down and drained. */
  readonly next: (signal?: AbortSignal) => Promise<string | undefined>;
  /** Every key from `next` must be given back exactly once. */
  readonly done: (key: string) => void;
  /** Clears the key's failures, so that its next back-off starts small. */
  readonly forget: (key: string) => void;
  readonly failures: (key: string) => number;
  /** Due and waiting for a worker. */
  readonly depth: () => number;
  /** Nothing due, nothing booked, nothing in work. */
  readonly idle: () => boolean;
  /** No more keys are handed out; those in work may finish. */
  readonly shutDown: () => void;
};
