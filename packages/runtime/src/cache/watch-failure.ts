import { KubeApiError } from '../client/kube-api-error.ts';
import type { KubeStatus } from '../client/kube-client.ts';
import { OperatorError } from '../operator-error.ts';

/** Why a list or watch failed, reduced to what decides how to go on. */
export type WatchFailure =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly reason: string;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
      /** The version asked for is newer than anything the server knows. */
      readonly tooNew: boolean;
      /** It came as an event of a stream that the server had accepted. */
      readonly inStream: boolean;
    }
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'garbage'; readonly message: string };

/** How the client says that it could not read what came. */
const garbageCodes: ReadonlySet<string> = new Set(['kube/bad-watch-line', 'kube/bad-answer']);

/** What was thrown by the client. Whatever has no better name is a road that is closed for now. */
export function toWatchFailure(error: unknown): WatchFailure {
  if (error instanceof KubeApiError) {
    const retryAfterMs = error.retry.kind === 'after' ? error.retry.ms : retryAfterOf(error.body);
    return {
      ...fromStatus({ ...error.body, code: error.status, reason: error.reason }),
      retryAfterMs,
      inStream: false,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const garbage = error instanceof OperatorError && garbageCodes.has(error.code);
  return { kind: garbage ? 'garbage' : 'unreachable', message };
}

/** The body of an ERROR event. */
export function fromErrorEvent(status: KubeStatus | undefined): WatchFailure {
  if (typeof status?.code !== 'number') return { kind: 'garbage', message: 'an ERROR event without a status code' };
  return { ...fromStatus(status), inStream: true };
}

function fromStatus(status: KubeStatus): Extract<WatchFailure, { kind: 'status' }> {
  return {
    kind: 'status',
    status: status.code ?? 0,
    reason: status.reason ?? '',
    message: status.message ?? status.reason ?? `status ${status.code ?? 0}`,
    retryAfterMs: retryAfterOf(status),
    tooNew: status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false,
    inStream: false,
  };
}

function retryAfterOf(status: KubeStatus): number | undefined {
  const seconds = status.details?.retryAfterSeconds;
  return seconds === undefined || seconds <= 0 ? undefined : seconds * 1000;
}
