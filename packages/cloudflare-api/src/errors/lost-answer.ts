import type { Call } from '../pipeline/call.ts';
import { CloudflareError } from './cloudflare-error.ts';
import { retryOf } from './error-class.ts';

/** With these the request never left: no connection came about. */
const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** No answer came. Unless we know that the request never left, a write may have been done all the same. */
export function toLostAnswer({ family, method, path }: Call, error: unknown): CloudflareError {
  const code = findCode(error);
  const effect = method === 'GET' || (code !== undefined && neverSent.has(code)) ? 'none' : 'unknown';
  const fields = {
    class: 'transient',
    retry: retryOf('transient'),
    family,
    method,
    path,
    status: 0,
    apiCode: undefined,
    messages: [],
    detail: describe(error, code),
    pointer: undefined,
    requestId: undefined,
    effect,
  } as const;
  return new CloudflareError(fields, { cause: error });
}

/** `fetch failed` tells nothing; what happened is in the cause. */
function describe(error: unknown, code: string | undefined): string {
  const deepest = rootCause(error);
  const message = deepest instanceof Error ? deepest.message : String(deepest);
  return message === '' ? `no answer (${code ?? 'unknown'})` : `no answer came: ${message}`;
}

function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCause(error.cause) : error;
}

function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return findCode(error.cause);
}
