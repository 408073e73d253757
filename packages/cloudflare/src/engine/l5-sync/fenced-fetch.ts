import type { ApiFetch } from '@tributary/cloudflare-api';
import type { Fence } from '@tributary/runtime';

/**
 * The `fetch` of a leader: a call that may change something leaves only while this process certainly leads, and is
 * dropped when its term ends. Reads pass.
 */
export function createFencedFetch(fetch: ApiFetch, fence: Pick<Fence, 'guard'>): ApiFetch {
  return async (url, init) => {
    if (init.method === 'GET' || init.method === 'HEAD') return fetch(url, init);
    return fence.guard(async ({ signal, beforeSend }) => {
      const abort = new AbortController();
      const onOver = (): void => abort.abort(signal.reason);
      const onAbort = (): void => abort.abort(init.signal.reason);
      if (init.signal.aborted) onAbort();
      signal.addEventListener('abort', onOver, { once: true });
      init.signal.addEventListener('abort', onAbort, { once: true });
      try {
        beforeSend();
        return await fetch(url, { ...init, signal: abort.signal });
      } finally {
        signal.removeEventListener('abort', onOver);
        init.signal.removeEventListener('abort', onAbort);
      }
    });
  };
}
