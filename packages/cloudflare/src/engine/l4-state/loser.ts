import type { SourceRef } from './source.ts';

/** A source that asked for something that another one was given. */
export type Loser = {
  readonly ref: SourceRef;
  readonly what: string;
  readonly winner: SourceRef;
  readonly reason: string;
};
