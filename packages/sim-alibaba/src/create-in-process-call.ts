import type { Credentials } from './credentials/create-credentials.ts';
import type { RpcAnswer } from './rpc/create-rpc-handler.ts';
import { bodyText } from './rpc/outcome.ts';
import type { Outcome } from './rpc/outcome.ts';
import type { Params } from './rpc/params.ts';
import type { RpcCall } from './rpc/rpc-call.ts';

/** Who calls in process; everything but the signature is as over HTTP. */
export type InProcessCaller = {
  /** The simulator's first key when absent. */
  readonly accessKeyId?: string;
  readonly securityToken?: string;
  readonly userAgent?: string;
  readonly version?: string;
  /** Ends the waiting, not the effect. */
  readonly signal?: AbortSignal;
};

export type CallResult = {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape is the action's; text for a page of a gateway
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
};

export type InProcessCall = (action: string, params: Params, caller?: InProcessCaller) => Promise<CallResult>;

export type InProcessDeps = {
  readonly handle: (call: RpcCall) => Promise<RpcAnswer>;
  readonly credentials: Pick<Credentials, 'find'>;
  readonly defaultKey: { readonly id: string; readonly securityToken?: string };
};

/** Asks the handler without a socket: nothing but the simulator's clock moves time. */
export function createInProcessCall({ handle, credentials, defaultKey }: InProcessDeps): InProcessCall {
  return async (action, params, caller = {}) => {
    const { signal, version } = caller;
    signal?.throwIfAborted();
    const key = caller.accessKeyId === undefined ? defaultKey : { id: caller.accessKeyId };
    const securityToken = caller.securityToken ?? ('securityToken' in key ? key.securityToken : undefined);
    const answer = handle({
      action,
      params,
      identify: () => credentials.find(key.id, securityToken),
      userAgent: caller.userAgent ?? 'in-process',
      via: 'in-process',
      ...(version !== undefined && { version }),
    });
    const { outcome, requestId } = await untilAborted(answer, signal);
    // Whoever hangs or died hears nothing, not even an error.
    if (outcome.kind === 'hung' || outcome.kind === 'crashed') return untilAborted(new Promise(() => {}), signal);
    if (outcome.kind === 'dropped') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    return toResult(outcome, requestId);
  };
}

function toResult(outcome: Outcome, requestId: string): CallResult {
  const text = bodyText(outcome, requestId);
  const after = outcome.headers['x-acs-retry-after'];
  return {
    status: outcome.status,
    headers: { ...outcome.headers, 'x-acs-request-id': requestId },
    body: typeof outcome.body === 'string' ? text : (JSON.parse(text) as unknown),
    ...(after !== undefined && { retryAfterMs: Number(after) }),
  };
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
