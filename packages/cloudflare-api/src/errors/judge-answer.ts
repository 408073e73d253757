import type { Retry } from '@tributary/runtime';
import { retryAfterMs, toRateReport } from '../budget/rate-headers.ts';
import type { HeaderReader } from '../budget/rate-headers.ts';
import type { Answer, Call } from '../pipeline/call.ts';
import { classify } from './classify.ts';
import { CloudflareError } from './cloudflare-error.ts';
import { toEnvelope } from './envelope.ts';
import type { ApiMessage } from './envelope.ts';
import { retryOf } from './error-class.ts';
import type { ErrorClass } from './error-class.ts';

export type Judgement = {
  /** Takes secrets out of a text. */
  readonly sanitise: (text: string) => string;
  /** Wall time, for dates in headers. */
  readonly nowMs: number;
};

/** Limits that come without a time last about this long. */
const usualPauseMs = 60_000;
const shortestPauseMs = 1000;
const longestPauseMs = 60 * 60_000;

/** Why an answer is not a success; undefined when it is one. The status alone does not tell. */
export function judgeAnswer(call: Call, answer: Answer, { sanitise, nowMs }: Judgement): CloudflareError | undefined {
  const { status, headers, json } = answer;
  const envelope = toEnvelope(json);
  if (status >= 200 && status < 300 && envelope?.success !== false && isReadable(answer)) return undefined;
  const errors = (envelope?.errors ?? []).map((message) => sanitiseMessage(message, sanitise));
  const { family, method, path } = call;
  const { class: errorClass, apiCode } = classify({
    family,
    method,
    status,
    errors,
    enveloped: envelope !== undefined,
    hasRetryAfter: headers.get('retry-after') !== null,
  });
  return new CloudflareError({
    class: errorClass,
    retry: errorClass === 'rate-limited' ? afterPause(headers, nowMs) : retryOf(errorClass),
    family,
    method,
    path,
    status,
    apiCode,
    messages: errors,
    detail: errors.length > 0 ? errors.map(toText).join('; ') : sanitise(describeBody(answer)),
    pointer: findPointer(errors),
    requestId: headers.get('cf-ray') ?? undefined,
    effect: effectOf(method, errorClass),
  });
}

/** A page in place of an answer, or JSON that was cut off, is no success whatever the status says. */
function isReadable({ headers, text, json, status }: Answer): boolean {
  if (status === 204 || text === '') return true;
  const type = headers.get('content-type') ?? '';
  if (json === undefined && /[/+]json\b/iu.test(type)) return false;
  return !/\bhtml\b/iu.test(type);
}

function effectOf(method: string, errorClass: ErrorClass): 'none' | 'unknown' {
  return errorClass === 'transient' && method !== 'GET' ? 'unknown' : 'none';
}

function afterPause(headers: HeaderReader, nowMs: number): Retry {
  const { limits } = toRateReport(headers);
  const resets = limits.filter(({ remaining }) => remaining === 0).map(({ resetMs }) => resetMs);
  const asked = retryAfterMs(headers, nowMs) ?? (resets.length > 0 ? Math.max(...resets) : usualPauseMs);
  return { kind: 'after', ms: Math.min(Math.max(asked, shortestPauseMs), longestPauseMs) };
}

function sanitiseMessage(message: ApiMessage, sanitise: (text: string) => string): ApiMessage {
  const chain = message.chain.map((cause) => sanitiseMessage(cause, sanitise));
  return { ...message, message: sanitise(message.message), chain };
}

function toText({ message, code, chain }: ApiMessage): string {
  const own = code === undefined ? message : `${message} (${code})`.trim();
  return [own, ...chain.map(toText)].filter((text) => text !== '').join(': ') || 'no reason given';
}

function findPointer(messages: readonly ApiMessage[]): string | undefined {
  for (const { pointer, chain } of messages) {
    const found = pointer ?? findPointer(chain);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What to say of a body that is not the API's: the title of a page, the beginning of a text. */
function describeBody({ text, json, headers }: Answer): string {
  const title = /<title[^>]*>([^<]*)<\/title>/iu.exec(text)?.[1]?.trim();
  if (title) return `a page instead of an answer: ${title}`;
  if (/^\s*</u.test(text)) return 'a page instead of an answer';
  if (json !== undefined || text.trim() === '') return 'no reason given';
  if (/[/+]json\b/iu.test(headers.get('content-type') ?? '')) return 'the answer was cut off';
  return text.trim().slice(0, 300);
}
