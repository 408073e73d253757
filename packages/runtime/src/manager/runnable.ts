/** A part of a process that runs until it is told to stop. `run` resolves once it has stopped. */
export type Runnable = {
  readonly name: string;
  /** `leader`: only while this process holds the lease; `always`: on every replica. */
  readonly runs: 'always' | 'leader';
  readonly run: (signal: AbortSignal) => Promise<void>;
};
