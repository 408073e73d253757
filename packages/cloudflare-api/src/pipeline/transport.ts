/** The innermost part: sends a call by `fetch` and reads the whole answer, each within its time. */
import type { Clock } from '@tributary/runtime';
import { onAnyAbort } from '../abort-links.ts';
import type { HeaderReader } from '../budget/rate-headers.ts';
import type { Answer, Call, Send } from './call.ts';

/** The part of `fetch` that is used, so that a simulator can stand in for the network. */
export type ApiFetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<{ readonly status: number; readonly headers: HeaderReader; readonly text: () => Promise<string> }>;

export type Timeouts = {
  /** From sending until the answer begins. */
  readonly answerMs: number;
  /** From then until the last byte. */
  readonly bodyMs: number;
};

export class TimeoutError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TimeoutError';
  }
}

export function createTransport(
  timeouts: Timeouts,
  { fetch, clock }: { readonly fetch: ApiFetch; readonly clock: Pick<Clock, 'after'> },
): Send {
  return async (call) => {
    const deadline = createDeadline(call.signals, clock);
    try {
      const answerMs = call.timeoutMs ?? timeouts.answerMs;
      const response = await deadline.within(answerMs, `nothing within ${answerMs} ms`, async (signal) =>
        fetch(call.url, toInit(call, signal)),
      );
      const text = await deadline.within(timeouts.bodyMs, `no end within ${timeouts.bodyMs} ms`, () => response.text());
      return toAnswer(response.status, response.headers, text);
    } finally {
      deadline.end();
    }
  };
}

export function toAnswer(status: number, headers: HeaderReader, text: string): Answer {
  return { status, headers, text, json: parseJson(text) };
}

function toInit({ method, headers, body }: Call, signal: AbortSignal): Parameters<ApiFetch>[1] {
  // A redirect would carry the credential to wherever it points.
  const init = { method, headers: { ...headers }, signal, redirect: 'manual' } as const;
  return body === undefined ? init : { ...init, body: body as string };
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{"]/u.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type Deadline = {
  readonly within: <T>(ms: number, what: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  readonly end: () => void;
};

/** Work is left behind when it does not heed the signal: nothing that we wait for may hang. */
function createDeadline(signals: readonly AbortSignal[], clock: Pick<Clock, 'after'>): Deadline {
  const controller = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  // It is looked at only while work is under way.
  over.catch(() => undefined);
  const stop = (reason: Error): void => {
    controller.abort(reason);
    reject(reason);
  };
  const unlink = onAnyAbort(signals, stop);
  return {
    within: async (ms, what, work) => {
      const cancel = clock.after(ms, () => stop(new TimeoutError(what)));
      try {
        controller.signal.throwIfAborted();
        return await Promise.race([over, work(controller.signal)]);
      } finally {
        cancel();
      }
    },
    end: unlink,
  };
}
