import type { KubeClient, WatchEvent, WatchOptions } from '../client/kube-client.ts';
import type { Clock } from '../clock.ts';
import type { Kind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import type { AttemptOutcome } from './judge-end.ts';
import { toWatchFailure } from './watch-failure.ts';

export type WatchAttempt<T extends KubeObject> = {
  readonly kind: Kind<T>;
  readonly options: Omit<WatchOptions, 'signal'>;
  /** Says why the stream must end now; nothing when it may go on. Not called again after it said so. */
  readonly onEvent: (event: WatchEvent<T>) => AttemptOutcome | undefined;
  /** Asked every `everyMs`, for streams that fail by silence. */
  readonly check: { readonly everyMs: number; readonly look: () => AttemptOutcome | undefined };
  /** The server ends a watch after its timeout. One that lives much longer than that is not heard any more. */
  readonly overdueMs: number;
};

/**
 * One watch from its request to its end, however it ends; never throws. Nothing is handed on after the signal is
 * aborted, and no listener stays on it.
 */
export async function attemptWatch<T extends KubeObject>(
  { kind, options, onEvent, check, overdueMs }: WatchAttempt<T>,
  { client, clock }: { readonly client: Pick<KubeClient, 'watch'>; readonly clock: Clock },
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const stream = new AbortController();
  let outcome: AttemptOutcome | undefined;
  const end = (why: AttemptOutcome | undefined): void => {
    if (why === undefined || outcome !== undefined) return;
    outcome = why;
    stream.abort();
  };

  const onAbort = (): void => stream.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) stream.abort();
  const cancelOverdue = clock.after(overdueMs, () => end({ how: 'overdue' }));
  const cancelCheck = repeat(clock, check.everyMs, () => end(check.look()));
  try {
    await client.watch(kind, { ...options, signal: stream.signal }, (event) => {
      if (!stream.signal.aborted) end(onEvent(event));
    });
    return outcome ?? { how: 'closed' };
  } catch (error) {
    return outcome ?? { how: 'failed', failure: toWatchFailure(error) };
  } finally {
    cancelOverdue();
    cancelCheck();
    signal.removeEventListener('abort', onAbort);
  }
}

function repeat(clock: Clock, everyMs: number, act: () => void): () => void {
  let cancel: () => void;
  const arm = (): void => {
    cancel = clock.after(everyMs, () => {
      arm();
      act();
    });
  };
  arm();
  return () => cancel();
}
