/**
 * What each answer of the API server means for the caller. The server's own reason decides; the HTTP status only
 * where there is none, because something between us and the server may have answered.
 *
 * | reason                        | code                        | retry        | because                                        |
 * |-------------------------------|-----------------------------|--------------|------------------------------------------------|
 * | Unauthorized                  | kube/unauthorized           | backoff      | credentials are rotated                        |
 * | Forbidden                     | kube/forbidden              | backoff      | a role or a quota may be granted meanwhile     |
 * | NotFound                      | kube/not-found              | backoff      | namespace or kind may appear                   |
 * | AlreadyExists                 | kube/already-exists         | backoff      | our cache was behind                           |
 * | Conflict                      | kube/conflict               | backoff      | read again, then write                         |
 * | Gone, Expired                 | kube/gone                   | backoff      | list again                                     |
 * | Invalid                       | kube/invalid                | never        | the same object is refused again               |
 * | BadRequest                    | kube/bad-request            | never        | likewise                                       |
 * | MethodNotAllowed              | kube/method-not-allowed     | never        | likewise                                       |
 * | NotAcceptable                 | kube/not-acceptable         | never        | likewise                                       |
 * | UnsupportedMediaType          | kube/unsupported-media-type | never        | likewise                                       |
 * | RequestEntityTooLarge         | kube/too-large              | never        | likewise                                       |
 * | TooManyRequests               | kube/too-many-requests      | as asked     | the request was not executed                   |
 * | ServerTimeout, Timeout        | kube/timeout                | as asked     | it may have been executed                      |
 * | ServiceUnavailable            | kube/unavailable            | as asked     | a server is starting or stopping               |
 * | InternalError, StorageReadError | kube/internal             | as asked     | a webhook or etcd failed                       |
 * | anything else                 | kube/unexpected             | as asked     | nothing is known about it                      |
 *
 * "As asked": after the time in the `Retry-After` header or `details.retryAfterSeconds`, else with backoff.
 */
import type { Retry } from '../operator-error.ts';
import { KubeApiError } from './kube-api-error.ts';
import type { KubeStatus } from './kube-client.ts';
import { retryAfterMs } from './retry-after.ts';
import type { HttpResponse } from './transport.ts';

type Meaning = { readonly code: string; readonly retry: 'never' | 'backoff' | 'as-asked' };

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries<Meaning>({
    Unauthorized: { code: 'kube/unauthorized', retry: 'backoff' },
    Forbidden: { code: 'kube/forbidden', retry: 'backoff' },
    NotFound: { code: 'kube/not-found', retry: 'backoff' },
    AlreadyExists: { code: 'kube/already-exists', retry: 'backoff' },
    Conflict: { code: 'kube/conflict', retry: 'backoff' },
    Gone: { code: 'kube/gone', retry: 'backoff' },
    Expired: { code: 'kube/gone', retry: 'backoff' },
    Invalid: { code: 'kube/invalid', retry: 'never' },
    BadRequest: { code: 'kube/bad-request', retry: 'never' },
    MethodNotAllowed: { code: 'kube/method-not-allowed', retry: 'never' },
    NotAcceptable: { code: 'kube/not-acceptable', retry: 'never' },
    UnsupportedMediaType: { code: 'kube/unsupported-media-type', retry: 'never' },
    RequestEntityTooLarge: { code: 'kube/too-large', retry: 'never' },
    TooManyRequests: { code: 'kube/too-many-requests', retry: 'as-asked' },
    ServerTimeout: { code: 'kube/timeout', retry: 'as-asked' },
    Timeout: { code: 'kube/timeout', retry: 'as-asked' },
    ServiceUnavailable: { code: 'kube/unavailable', retry: 'as-asked' },
    InternalError: { code: 'kube/internal', retry: 'as-asked' },
    StorageReadError: { code: 'kube/internal', retry: 'as-asked' },
  }),
);

const unexpected: Meaning = { code: 'kube/unexpected', retry: 'as-asked' };

/** The reason that the API server itself would give for a status, where it is clear. */
const reasonByStatus: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const longestQuoteChars = 200;

/** The error that an answer with a status of 300 or above stands for. `what` says what was asked, for the message. */
export function toKubeApiError(answer: HttpResponse, what: string, nowMs: number): KubeApiError {
  const text = Buffer.from(answer.body).toString('utf8');
  const body = toStatus(text) ?? quote(text, answer.status);
  return fromStatus({ ...body, code: answer.status }, what, retryAfterMs(answer.headers['retry-after'], nowMs));
}

/** The error that a `Status` stands for: also the object of an ERROR event in a watch. */
export function fromStatus(body: KubeStatus, what: string, askedMs?: number): KubeApiError {
  const status = body.code ?? 500;
  const given = meanings.has(body.reason ?? '') ? body.reason : undefined;
  const reason = given ?? reasonByStatus[status] ?? body.reason ?? '';
  const meaning = meanings.get(reason) ?? unexpected;
  const message = `${what}: ${body.message ?? reason} (HTTP ${status}${reason === '' ? '' : `, ${reason}`})`;
  return new KubeApiError(meaning.code, message, toRetry(meaning, body, askedMs), { status, reason, body });
}

function toRetry(meaning: Meaning, body: KubeStatus, askedMs: number | undefined): Retry {
  if (meaning.retry !== 'as-asked') return { kind: meaning.retry };
  const seconds = body.details?.retryAfterSeconds ?? 0;
  const ms = askedMs ?? seconds * 1000;
  return ms > 0 ? { kind: 'after', ms } : { kind: 'backoff' };
}

function toStatus(text: string): KubeStatus | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isStatus = typeof body === 'object' && body !== null && (body as { kind?: unknown }).kind === 'Status';
    return isStatus ? body : undefined;
  } catch {
    // A proxy or load balancer answered: its page is no Status.
    return undefined;
  }
}

function quote(text: string, status: number): KubeStatus {
  const plain = text.replaceAll(/\s+/gu, ' ').trim();
  const shown = plain.length > longestQuoteChars ? `${plain.slice(0, longestQuoteChars)}…` : plain;
  return { status: 'Failure', code: status, message: shown === '' ? 'the answer has no body' : shown };
}
