/**
 * One call to the API server: JSON out, JSON back, every failure as the error that the contract promises. What the
 * transport throws becomes `kube/unreachable`, unless it is an error with a name already or the caller gave up.
 */
import type { Clock } from '../clock.ts';
import { OperatorError, isOperatorError } from '../operator-error.ts';
import type { CallOptions } from './kube-client.ts';
import { toKubeApiError } from './to-kube-api-error.ts';
import type { HttpRequest, StreamHandler, Transport } from './transport.ts';

export type ApiCall = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
};

export type ApiCaller = {
  readonly call: <R>(call: ApiCall, options?: CallOptions) => Promise<R>;
  /** Errors of the transport are translated; those of the handler pass as they are. */
  readonly stream: (request: HttpRequest, handler: StreamHandler) => Promise<void>;
};

export type ApiCallerOptions = { readonly transport: Transport; readonly userAgent: string };

export function createApiCaller({ transport, userAgent }: ApiCallerOptions, clock: Clock): ApiCaller {
  const send = async (call: ApiCall, signal: AbortSignal | undefined): Promise<unknown> => {
    const answer = await transport.request({ ...toRequest(call, userAgent), signal });
    const what = describeCall(call);
    if (answer.status >= 300) throw toKubeApiError(answer, what, clock.now());
    return parseAnswer(answer.body, what);
  };
  return {
    call: async <R>(call: ApiCall, options: CallOptions = {}): Promise<R> => {
      const deadline = startDeadline(options, describeCall(call), clock);
      try {
        return (await send(call, deadline.signal)) as R;
      } catch (error) {
        throw translate(error, describeCall(call), deadline.signal);
      } finally {
        deadline.stop();
      }
    },
    stream: async (request, handler) => {
      let ours: { readonly error: unknown } | undefined;
      const onChunk = (chunk: Uint8Array): void => {
        try {
          handler.onChunk(chunk);
        } catch (error) {
          ours = { error };
          throw error;
        }
      };
      const headers = { accept: 'application/json', 'user-agent': userAgent };
      try {
        await transport.stream({ ...request, headers }, { ...handler, onChunk });
      } catch (error) {
        throw ours === undefined ? translate(error, describeCall(request), request.signal) : ours.error;
      }
    },
  };
}

/** The query is left out: it says little and a continue token is long. */
export function describeCall({ method, path }: Pick<ApiCall, 'method' | 'path'>): string {
  return `${method} ${path.split('?', 1)[0]}`;
}

function toRequest(call: ApiCall, userAgent: string): HttpRequest {
  const headers = { accept: 'application/json', 'user-agent': userAgent };
  const { method, path } = call;
  if (call.body === undefined) return { method, path, headers };
  const contentType = call.contentType ?? 'application/json';
  return { method, path, headers: { ...headers, 'content-type': contentType }, body: JSON.stringify(call.body) };
}

function parseAnswer(body: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    // The parser's complaint quotes the text, which may be a Secret.
    throw new OperatorError('kube/bad-answer', `${what}: the answer is no JSON`, { kind: 'backoff' });
  }
}

/** One signal for both the caller's and the time limit. */
function startDeadline(
  { signal, timeoutMs }: CallOptions,
  what: string,
  clock: Clock,
): { readonly signal: AbortSignal | undefined; readonly stop: () => void } {
  if (timeoutMs === undefined) return { signal, stop: () => undefined };
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const cancel = clock.after(timeoutMs, () =>
    controller.abort(
      new OperatorError('kube/unreachable', `${what}: no answer in ${timeoutMs} ms`, { kind: 'backoff' }),
    ),
  );
  const stop = (): void => {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, stop };
}

function translate(error: unknown, what: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (isOperatorError(error)) return error;
  const message = `${what}: no answer from the API server: ${describe(error)}`;
  return new OperatorError('kube/unreachable', message, { kind: 'backoff' }, { cause: error });
}

/** Node reports a host with several addresses as an error without a message that holds one error for each. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((inner) => describe(inner)).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
