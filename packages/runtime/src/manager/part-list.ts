import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { OperatorError } from '../operator-error.ts';

/** The running parts of a process by name, so that the ones that fail or do not stop can be named. */
export type PartList = {
  /** Resolves when the part has ended, well or not. The first failure stops all parts. */
  readonly start: (name: string, run: () => Promise<void>) => Promise<void>;
  /** Ends `allEnded` with this error at once, whatever still runs. */
  readonly giveUp: (error: Error) => void;
  /** Resolves when every part has ended; rejects with the first failure, or with the names of those that hang. */
  readonly allEnded: (stop: AbortSignal, shutdownTimeoutMs: number) => Promise<void>;
};

export function createPartList(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  onFailure: () => void,
): PartList {
  const running = new Map<symbol, string>();
  const empty = Promise.withResolvers<void>();
  const given = Promise.withResolvers<never>();
  let failure: { readonly error: unknown } | undefined;

  const start = async (name: string, run: () => Promise<void>): Promise<void> => {
    const part = Symbol(name);
    running.set(part, name);
    try {
      await run();
      log.debug({ part: name }, 'part ended');
    } catch (error) {
      if (failure) log.warn({ err: error, part: name }, 'part failed too');
      failure ??= { error };
      onFailure();
    } finally {
      running.delete(part);
      if (running.size === 0) empty.resolve();
    }
  };

  return {
    start,
    giveUp: (error) => {
      given.reject(error);
      onFailure();
    },
    allEnded: async (stop, shutdownTimeoutMs) => {
      if (running.size === 0) empty.resolve();
      const ended = new AbortController();
      const late = lateAfter(stop, shutdownTimeoutMs, clock, ended.signal, () => [...running.values()]);
      try {
        await Promise.race([empty.promise, given.promise, late]);
      } finally {
        ended.abort();
      }
      if (failure) throw failure.error;
    },
  };
}

async function lateAfter(
  stop: AbortSignal,
  timeoutMs: number,
  clock: Clock,
  ended: AbortSignal,
  stillRunning: () => readonly string[],
): Promise<void> {
  try {
    await new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener('abort', () => resolve(), { once: true });
    });
    await sleep(clock, timeoutMs, ended);
  } catch {
    return;
  }
  const message = `not stopped after ${timeoutMs} ms: ${stillRunning().join(', ')}`;
  throw new OperatorError('manager/stop-timeout', message, { kind: 'never' });
}
