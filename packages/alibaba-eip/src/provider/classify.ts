import type { Retry } from '@tributary/runtime';
import { actionCodes, commonCodes } from './error-codes.ts';
import { VpcError } from './vpc-error.ts';
import type { VpcErrorClass, VpcErrorFacts } from './vpc-error.ts';
import type { VpcAction, VpcAnswer } from './vpc-send.ts';

/** After a refusal that only a person can lift; whoever changes the object is served at once. */
export const terminalRetryMs = 600_000;

/**
 * What an answer of the API means. Only its `Code` is looked at, never the text. A server error says nothing about
 * whether the call was executed, and neither does an answer that is not the API's.
 */
export function classifyAnswer(action: VpcAction, { status, body }: VpcAnswer): VpcErrorClass | undefined {
  const code = codeOf(body);
  if (status >= 200 && status < 300 && code === '') return undefined;
  if (/throttling/i.test(code)) return 'throttled';
  const known = actionCodes[action]?.[code] ?? commonCodes[code];
  if (known) return known;
  if (status >= 500 || code === '') return 'unknown';
  // Codes that nobody wrote down: not again before long, since the next answer will hardly be another.
  return status === 401 || status === 403 ? 'auth' : 'terminal';
}

export function toVpcError(action: VpcAction, answer: VpcAnswer, errorClass: FailureClass): VpcError {
  const { status, body } = answer;
  const vpcCode = codeOf(body);
  const requestId = typeof body['RequestId'] === 'string' ? body['RequestId'] : undefined;
  const facts: VpcErrorFacts = { action, class: errorClass, vpcCode, status, requestId };
  // Without the request id: a message that differs each time would make a new event and a new condition each time.
  // What is said about a credential may quote what was signed with it.
  const said = typeof body['Message'] === 'string' && errorClass !== 'auth' ? `: ${body['Message']}` : '';
  const message = `${action}: ${vpcCode === '' ? `HTTP ${status}` : vpcCode}${said}`;
  return new VpcError(kinds[errorClass].code, message, retryOf(errorClass, answer), facts);
}

/** No answer came: the connection broke, the time was over, or what came was not JSON. */
export function noAnswer(action: VpcAction, cause: unknown): VpcError {
  const message = `${action}: no answer of the API (${cause instanceof Error ? cause.name : 'unknown'})`;
  const facts: VpcErrorFacts = { action, class: 'unknown', vpcCode: '', status: 0 };
  return new VpcError(kinds.unknown.code, message, { kind: 'backoff' }, facts, { cause });
}

/** What is done already is no error. */
type FailureClass = Exclude<VpcErrorClass, 'done'>;

const kinds: Readonly<Record<FailureClass, { readonly code: string }>> = {
  busy: { code: 'vpc/busy' },
  throttled: { code: 'vpc/throttled' },
  terminal: { code: 'vpc/refused' },
  auth: { code: 'vpc/unauthorized' },
  mismatch: { code: 'vpc/token-mismatch' },
  unknown: { code: 'vpc/unknown-outcome' },
};

function retryOf(errorClass: FailureClass, { retryAfterMs }: VpcAnswer): Retry {
  if (errorClass === 'throttled' && retryAfterMs !== undefined) return { kind: 'after', ms: retryAfterMs };
  if (errorClass === 'terminal') return { kind: 'after', ms: terminalRetryMs };
  return { kind: 'backoff' };
}

function codeOf(body: VpcAnswer['body']): string {
  return typeof body['Code'] === 'string' ? body['Code'] : '';
}
