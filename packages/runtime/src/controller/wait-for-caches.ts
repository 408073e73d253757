import type { ObjectCache } from '../cache/informer.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Runnable } from '../manager/runnable.ts';
import { OperatorError } from '../operator-error.ts';
import type { OpenWatch, Watch } from './watch.ts';

export type WaitOptions = {
  /** Of the controller, for messages. */
  readonly name: string;
  readonly runs: Runnable['runs'];
  readonly limitMs: number;
  readonly opened: readonly (Pick<Watch, 'cache'> & Pick<OpenWatch, 'hasSynced'>)[];
};

export type WaitDeps = { readonly cache: ObjectCache; readonly clock: Clock; readonly log: Log };

/**
 * Waits for more of each cache than the controller's own kinds: what another still lacks may be what it decides on. But one
 * that was asked for later and that the server refuses (a kind that is not installed, a right that is missing) is not its
 * to wait for. Who leads gives up after a while, because another replica may be able to work; who does not says what is
 * missing and waits on, because a server that refuses a list today answers it tomorrow.
 */
export async function waitForCaches(options: WaitOptions, deps: WaitDeps, signal: AbortSignal): Promise<void> {
  const { name, runs, limitMs, opened } = options;
  const { cache, clock, log } = deps;
  const caches = [...new Set(opened.map((watch) => watch.cache ?? cache))];
  const limit = new AbortController();
  const onLate = (): void => {
    const missing = caches.flatMap((one) => one.unhealthy()).join(', ');
    const message = `controller ${name}: caches not complete in ${limitMs} ms: ${missing}`;
    const error = new OperatorError('controller/cache-sync-timeout', message, { kind: 'never' });
    if (runs === 'leader') return limit.abort(error);
    log.error({ err: error }, 'caches are not complete; nothing is reconciled until they are');
    cancel = clock.after(limitMs, onLate);
  };
  let cancel = clock.after(limitMs, onLate);
  try {
    const both = AbortSignal.any([signal, limit.signal]);
    await Promise.all(
      caches.map(async (one) => {
        const own = opened.filter((watch) => (watch.cache ?? cache) === one);
        await one.waitForSync(both, own);
      }),
    );
    signal.throwIfAborted();
  } finally {
    cancel();
  }
}
