import { OperatorError } from '../operator-error.ts';

/** What whoever waits for the cache gets when it is stopped first. */
export function stoppedError(): OperatorError {
  return new OperatorError('cache/stopped', 'the cache was stopped', { kind: 'never' });
}
