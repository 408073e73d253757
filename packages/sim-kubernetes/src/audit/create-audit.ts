import type { ApiHandler, ApiRequest, ApiResponse, StreamSink } from '../http/api-request.ts';
import type { StatusBody } from '../registry/api-error.ts';
import { isLongRunning, toAuditEvent } from './audit-event.ts';
import type { AuditEvent, AuditStatus } from './audit-event.ts';
import type { AuditTrail } from './audit-trail.ts';

export type Audit = {
  /** Answers with `handler` and tells of it: when the answer is ready, and of a watch also when it ends. */
  readonly answer: (request: ApiRequest, auditId: string, handler: ApiHandler) => Promise<ApiResponse>;
};

type Tell = (stage: AuditEvent['stage']) => void;

/** The audit log of a server, as with a policy of level Metadata that leaves out the stage RequestReceived. */
export function createAudit(tell: (event: AuditEvent) => void, nowMs: () => number): Audit {
  return {
    answer: async (request, auditId, handler) => {
      const receivedMs = nowMs();
      const trail: AuditTrail = { annotations: {} };
      const response = await handler({ ...request, audit: trail });
      const status = statusOf(response);
      const telling: Tell = (stage) =>
        tell(toAuditEvent(stage, { auditId, request, trail, status, receivedMs, nowMs: nowMs() }));
      const unknown = trail.user === undefined;
      if (unknown || isLongRunning(request)) telling('ResponseStarted');
      if (response.kind === 'stream') return { ...response, open: untilEnd(response.open, telling) };
      // Of a caller that nobody knows only the beginning is told.
      if (!unknown) telling('ResponseComplete');
      return response;
    },
  };
}

type Open = Extract<ApiResponse, { readonly kind: 'stream' }>['open'];

/** A stream ends by the server, by a fault or by its reader, and is told of once. */
function untilEnd(open: Open, tell: Tell): Open {
  return (sink) => {
    let over = false;
    const end = (): void => {
      if (!over) tell('ResponseComplete');
      over = true;
    };
    const ending = (close: () => void) => (): void => {
      close();
      end();
    };
    const watched: StreamSink = { write: sink.write, end: ending(sink.end), reset: ending(sink.reset) };
    return ending(open(watched));
  };
}

const statusStart = /^\{\s*"kind":\s*"Status"/;

/** Of a Status all that it says is told, of everything else the code. */
function statusOf(response: ApiResponse): AuditStatus {
  const { status: code } = response;
  if (response.kind === 'stream') return { metadata: {}, code };
  const body = typeof response.body === 'string' ? response.body : '';
  if (!statusStart.test(body)) return { metadata: {}, code };
  const { status, message, reason, details } = JSON.parse(body) as StatusBody;
  return {
    metadata: {},
    ...(status && { status }),
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  };
}
