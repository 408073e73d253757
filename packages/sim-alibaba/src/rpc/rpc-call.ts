import type { AccessKey } from '../credentials/create-credentials.ts';
import type { Outcome } from './outcome.ts';
import type { Params } from './params.ts';

/** A call as it came in, over a socket or in process. */
export type RpcCall = {
  readonly action: string;
  /** Any version will do when absent. */
  readonly version?: string;
  readonly params: Params;
  /** Says who calls, or refuses. */
  readonly identify: () => AccessKey;
  readonly userAgent: string;
  readonly via: 'http' | 'in-process';
  /** Answers in place of an action, for what is served beside the API: it has faults and the journal in common. */
  readonly serve?: () => Outcome;
};
