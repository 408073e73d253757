import { OperatorError } from '../operator-error.ts';
import type { Retry } from '../operator-error.ts';
import type { KubeStatus } from './kube-client.ts';

/** The API server answered, and the answer is no. `reason` is the server's own word and is what to branch on. */
export class KubeApiError extends OperatorError {
  readonly status: number;
  readonly reason: string;
  readonly body: KubeStatus;

  constructor(
    code: string,
    message: string,
    retry: Retry,
    answer: { status: number; reason: string; body: KubeStatus },
  ) {
    super(code, message, retry);
    this.name = 'KubeApiError';
    this.status = answer.status;
    this.reason = answer.reason;
    this.body = answer.body;
  }
}
