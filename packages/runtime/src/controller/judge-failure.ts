import { isOperatorError } from '../operator-error.ts';
import type { Retry } from '../operator-error.ts';

export type Judgement = {
  readonly retry: Retry;
  /** The code of the error that decided, or `bug` for an error that we have no name for. */
  readonly code: string;
};

/**
 * What to do with a key whose reconcile threw. An `OperatorError` says it itself, anything else is a bug and backs
 * off. Of several errors in an `AggregateError` the most urgent decides, so that no part waits for another's turn.
 */
export function judgeFailure(error: unknown): Judgement {
  if (isOperatorError(error)) return { retry: error.retry, code: error.code };
  if (!(error instanceof AggregateError)) return bug;
  const [first = bug, ...others] = error.errors.map(judgeFailure);
  return others.reduce((most, one) => (urgency(one.retry) < urgency(most.retry) ? one : most), first);
}

const bug: Judgement = { retry: { kind: 'backoff' }, code: 'bug' };

/** Back-off begins at milliseconds, so it comes before a time that a server named. */
function urgency(retry: Retry): number {
  switch (retry.kind) {
    case 'backoff':
      return -1;
    case 'after':
      return retry.ms;
    case 'never':
      return Infinity;
    default:
      return retry satisfies never;
  }
}
