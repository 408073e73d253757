/** What to do with a key whose work failed. The error decides, not the place that catches it. */
export type Retry =
  | { readonly kind: 'never' }
  | { readonly kind: 'backoff' }
  | { readonly kind: 'after'; readonly ms: number };

/** The world failed in a way we have a name for. Codes are `area/what` and are listed in docs/errors.md. */
export class OperatorError extends Error {
  readonly code: string;
  readonly retry: Retry;

  constructor(code: string, message: string, retry: Retry, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
    this.code = code;
    this.retry = retry;
  }
}

export function isOperatorError(error: unknown): error is OperatorError {
  return error instanceof OperatorError;
}
