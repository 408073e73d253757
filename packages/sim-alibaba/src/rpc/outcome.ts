import type { Reply } from './action.ts';
import { RpcError } from './rpc-error.ts';

/** What the caller gets, and what the journal needs to know of it. */
export type Outcome = {
  readonly kind: 'answer' | 'dropped' | 'hung' | 'crashed';
  /** 0: no answer reached the caller. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Without the request id, which is new for every answer. Text is sent as it is. */
  readonly body: Reply | string;
  /** The error's code; empty for a success. */
  readonly code: string;
  readonly changed: boolean;
  readonly replayed: boolean;
};

const json = { 'content-type': 'application/json;charset=utf-8' };

export function success(body: Reply, changed: boolean): Outcome {
  return { kind: 'answer', status: 200, headers: json, body, code: '', changed, replayed: false };
}

/** Sent as it is. */
export function plain(status: number, contentType: string, body: string): Outcome {
  const headers = { 'content-type': contentType };
  return { kind: 'answer', status, headers, body, code: '', changed: false, replayed: false };
}

export function failure({ status, code, message, retryAfterMs }: RpcError): Outcome {
  const Recommend = `https://api.aliyun.com/troubleshoot?q=${encodeURIComponent(code)}&product=Vpc`;
  const body: Reply = { HostId: 'vpc.aliyuncs.com', Code: code, Message: message, Recommend };
  const later = retryAfterMs === undefined ? {} : { 'x-acs-retry-after': String(retryAfterMs) };
  const denied = status === 403 &&
    code === 'Forbidden.RAM' && { AccessDeniedDetail: { PolicyType: 'AccountLevelIdentityBasedPolicy' } };
  return {
    kind: 'answer',
    status,
    headers: { ...json, ...later },
    body: { ...body, ...denied },
    code,
    changed: false,
    replayed: false,
  };
}

export function refused(error: unknown): Outcome {
  if (error instanceof RpcError) return failure(error);
  // A fault of the simulator itself must be seen, not be mistaken for one of the provider's.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return failure(new RpcError(500, 'SimulatorFailed', text));
}

export function bodyText({ body }: Outcome, requestId: string): string {
  return typeof body === 'string' ? body : JSON.stringify({ RequestId: requestId, ...body });
}
