export type ApiErrorItem = {
  readonly code: number;
  readonly message: string;
  readonly documentation_url?: string;
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly ApiErrorItem[];
};

/** A refusal in Cloudflare's words; thrown inside a call it also takes back what the call had written. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly ApiErrorItem[];
  constructor(status: number, errors: readonly ApiErrorItem[]) {
    super(errors.map(({ code, message }) => `${code}: ${message}`).join('; '));
    this.name = 'ApiError';
    this.status = status;
    this.errors = errors;
  }
}

export function refusal(status: number, code: number, message: string): ApiError {
  return new ApiError(status, [{ code, message }]);
}

/** The real cause stands in the chain; the outer error says only which kind it is. */
export function chainedRefusal(status: number, outer: ApiErrorItem, cause: ApiErrorItem): ApiError {
  return new ApiError(status, [{ ...outer, error_chain: [cause] }]);
}

export function noRoute(path: string): ApiError {
  return new ApiError(404, [
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  ]);
}
