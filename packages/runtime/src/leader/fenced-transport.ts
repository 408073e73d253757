import type { HttpRequest, Transport } from '../client/transport.ts';
import type { Fence, Passage } from './fence.ts';

/**
 * The transport for all writers of a leader. A write is refused when the term is over at the call, and again in the
 * turn in which it would be sent: a process that was frozen while a request waited for its connection sends nothing
 * when it resumes. A write under way is dropped when the term ends. Reads pass.
 *
 * What is left is a freeze between that check and the moment the kernel has the bytes. It was seen once in 134 freezes of
 * a process that did nothing but write, on an overloaded machine. No client can close that gap. The server can: it
 * refuses a write that carries the resourceVersion it was decided on, once the next leader has written. So a leader's
 * writes should carry it.
 */
export function createFencedTransport(transport: Transport, fence: Fence): Transport {
  return {
    request: async (request) =>
      isRead(request)
        ? transport.request(request)
        : fence.guard(async (passage) => sendWith(passage, request, transport.request)),
    stream: async (request, handler) =>
      isRead(request)
        ? transport.stream(request, handler)
        : fence.guard(async (passage) =>
            sendWith(passage, request, async (guarded) => transport.stream(guarded, handler)),
          ),
    close: transport.close,
  };
}

function isRead({ method }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function sendWith<T>(
  passage: Passage,
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const onOver = (): void => abort.abort(passage.signal.reason);
  const onAbort = (): void => abort.abort(request.signal?.reason);
  if (request.signal?.aborted) onAbort();
  passage.signal.addEventListener('abort', onOver, { once: true });
  request.signal?.addEventListener('abort', onAbort, { once: true });
  const beforeSend = (): void => {
    passage.beforeSend();
    request.beforeSend?.();
  };
  try {
    return await send({ ...request, signal: abort.signal, beforeSend });
  } finally {
    passage.signal.removeEventListener('abort', onOver);
    request.signal?.removeEventListener('abort', onAbort);
  }
}
