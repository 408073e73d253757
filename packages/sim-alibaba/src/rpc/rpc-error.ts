/** A refusal in the provider's words. It is thrown before anything was written. */
export class RpcError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  constructor(status: number, code: string, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'RpcError';
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The provider refuses nearly everything with 400. */
export function refusal(code: string, message: string): RpcError {
  return new RpcError(400, code, message);
}

export function notFound(code: string, message: string): RpcError {
  return new RpcError(404, code, message);
}

export function missingParameter(name: string): RpcError {
  return refusal(
    'MissingParameter',
    `The input parameter "${name}" that is mandatory for processing this request is not supplied.`,
  );
}

export function invalidParameter(name: string, reason = 'is not valid'): RpcError {
  return refusal('InvalidParameter', `Specified value of "${name}" ${reason}.`);
}
