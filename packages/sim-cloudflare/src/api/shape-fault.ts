import { failureBody } from './envelope.ts';
import type { Fault } from '../faults/fault-rule.ts';

/** What the caller gets, and what the journal needs to know of it. */
export type Outcome = {
  readonly kind: 'answer' | 'dropped' | 'crashed';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly errorCodes: readonly number[];
  readonly changed: boolean;
};

/** Faults that take the place of the answer. */
export type TerminalFault = Exclude<Fault, { readonly kind: 'latency' | 'slow-body' | 'eventual-read' }>;

export type Injection = {
  readonly latencyMs: number;
  readonly lagMs: number;
  readonly bodyDelayMs: number | undefined;
  readonly terminal: TerminalFault | undefined;
};

/** Delays add up, of the faults that replace the answer the first one wins. */
export function toInjection(faults: readonly Fault[]): Injection {
  let latencyMs = 0;
  let lagMs = 0;
  let bodyDelayMs: number | undefined;
  let terminal: TerminalFault | undefined;
  for (const fault of faults) {
    if (fault.kind === 'latency') latencyMs += fault.ms;
    else if (fault.kind === 'eventual-read') lagMs = Math.max(lagMs, fault.lagMs);
    else if (fault.kind === 'slow-body') bodyDelayMs = (bodyDelayMs ?? 0) + fault.ms;
    else terminal ??= fault;
  }
  return { latencyMs, lagMs, bodyDelayMs, terminal };
}

export function failure(status: number, errors: Parameters<typeof failureBody>[0]): Outcome {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/json' },
    body: failureBody(errors),
    errorCodes: errors.map(({ code }) => code),
    changed: false,
  };
}

export function tooManyRequests(retryAfterSeconds: number | undefined, code = 971): Outcome {
  const message = 'Please wait and consider throttling your request speed';
  const plain = failure(429, [{ code, message }]);
  if (retryAfterSeconds === undefined) return plain;
  return { ...plain, headers: { ...plain.headers, 'retry-after': String(retryAfterSeconds) } };
}

const none = { headers: {}, body: '', errorCodes: [], changed: false } as const;

export function shapeFault(fault: TerminalFault): Outcome {
  switch (fault.kind) {
    case 'rate-limited':
      return tooManyRequests(fault.retryAfterSeconds, fault.code);
    case 'server-error':
      return failure(fault.status ?? 500, [{ code: fault.code ?? 1000, message: 'Internal server error' }]);
    case 'html':
      return edgePage(fault.status ?? 520);
    case 'unsuccessful':
      return failure(200, [{ code: fault.code ?? 10001, message: fault.message ?? 'Unable to complete the request' }]);
    case 'refusal':
      return failure(fault.status, [{ code: fault.code, message: fault.message }]);
    case 'dropped':
      return { kind: 'dropped', status: 0, ...none };
    case 'crash':
      return { kind: 'crashed', status: 0, ...none };
    default:
      return fault satisfies never;
  }
}

function edgePage(status: number): Outcome {
  const title = `api.cloudflare.com | ${status}: Web server is returning an unknown error`;
  const body = `<!DOCTYPE html>\n<html lang="en-US"><head><title>${title}</title></head><body>Error ${status}</body></html>\n`;
  return { kind: 'answer', status, ...none, headers: { 'content-type': 'text/html; charset=UTF-8' }, body };
}
