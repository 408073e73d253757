import type { KubeClient, SelectorOptions } from '../client/kube-client.ts';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { kindId } from '../kind.ts';
import type { Kind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import type { CacheObserver } from './cache-observer.ts';
import { judgeEnd } from './judge-end.ts';
import type { AttemptEnd, RestartReason, Verdict } from './judge-end.ts';
import type { ObjectStore } from './object-store.ts';
import { listAll, watchListAll, watchOn } from './reflector-attempts.ts';
import type { ReflectorContext } from './reflector-attempts.ts';
import { createReflectorPosition } from './reflector-position.ts';
import type { ReflectorPosition } from './reflector-position.ts';
import { defaultReflectorTiming, toWaitMs } from './reflector-timing.ts';
import type { ReflectorTiming } from './reflector-timing.ts';
import { createRestartBackoff } from './restart-backoff.ts';

export type ReflectorOptions<T extends KubeObject> = {
  readonly kind: Kind<T>;
  readonly scope?: SelectorOptions | undefined;
  readonly pageSize?: number | undefined;
  /** Try to sync by a stream of initial events first. On unless told otherwise. */
  readonly watchList?: boolean | undefined;
  readonly timing?: Partial<ReflectorTiming> | undefined;
};

export type ReflectorDeps<T extends KubeObject> = {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly store: Pick<ObjectStore<T>, 'put' | 'remove' | 'beginSync'>;
  readonly observer?: CacheObserver | undefined;
  /** Called after the store has taken an event, a bookmark or a complete list. */
  readonly onProgress?: ((what: 'event' | 'bookmark' | 'sync') => void) | undefined;
  /** An attempt has failed for a reason that lasts until something is mended. */
  readonly onProblem?: (() => void) | undefined;
  /** Something threw that must not throw; the loop goes on with back-off. */
  readonly onError: (error: unknown) => void;
};

export type ReflectorProblem = { readonly reason: RestartReason; readonly message: string };

export type Reflector = {
  /** Lists and watches until the signal is aborted, then resolves. To be called once. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly position: Pick<ReflectorPosition, 'current' | 'hasSynced' | 'syncsBegun' | 'syncedSince'>;
  /** Synced, and no failure since that was not made good. */
  readonly watchAlive: () => boolean;
  /** What is wrong now. */
  readonly problem: () => ReflectorProblem | undefined;
};

/**
 * Keeps a store in step with the server: fetch everything, then watch from there, and whatever happens go on so that
 * no change is lost and none applied twice. What follows on what is decided by `judgeEnd`.
 *
 * Events are applied as the client hands them over, without a yield in between: the client parses line by line what
 * one read of the socket brought, and Node turns to timers after a bounded number of reads. A list goes by pages.
 */
export function createReflector<T extends KubeObject>(options: ReflectorOptions<T>, deps: ReflectorDeps<T>): Reflector {
  let problem: ReflectorProblem | undefined;
  let watchList: Verdict['watchList'] = options.watchList === false ? 'never' : 'keep';
  const context = createContext(options, deps, () => (problem = undefined));
  const { name, clock, position, backoff, observer } = context;

  const attempt = async (signal: AbortSignal): Promise<AttemptEnd> => {
    if (position.current() !== undefined) return watchOn(context, signal);
    return watchList === 'keep' ? watchListAll(context, signal) : listAll(context, signal);
  };

  /** Returns how long to wait before the next attempt. */
  const conclude = (end: AttemptEnd): number => {
    const verdict = judgeEnd(end);
    const message = messageOf(end);
    if (verdict.next !== 'resume') position.drop(verdict.next);
    if (watchList !== 'never') watchList = verdict.watchList;
    if (verdict.broken) {
      problem = { reason: verdict.reason, message };
      deps.onProblem?.();
    }
    if (verdict.reason === 'garbage') observer.garbage?.(name, message);
    if (verdict.reason !== 'complete') observer.restarted?.(name, verdict.reason, message);
    return toWaitMs(verdict.wait, end.lastedMs, context);
  };

  const turn = async (signal: AbortSignal): Promise<void> => {
    let delayMs = 0;
    try {
      const end = await attempt(signal);
      if (!signal.aborted) delayMs = conclude(end);
    } catch (error) {
      deps.onError(error);
      delayMs = backoff.nextMs();
    }
    if (delayMs > 0 && !signal.aborted) await sleep(clock, delayMs, signal).catch(() => undefined);
  };

  return {
    run: async (signal) => {
      while (!signal.aborted) await turn(signal);
    },
    position,
    watchAlive: () => position.hasSynced() && problem === undefined,
    problem: () => problem,
  };
}

function createContext<T extends KubeObject>(
  options: ReflectorOptions<T>,
  deps: ReflectorDeps<T>,
  onHealthy: () => void,
): ReflectorContext<T> {
  const timing = { ...defaultReflectorTiming, ...options.timing };
  return {
    ...deps,
    kind: options.kind,
    scope: options.scope ?? {},
    pageSize: options.pageSize ?? 500,
    name: kindId(options.kind),
    timing,
    position: createReflectorPosition(),
    backoff: createRestartBackoff(timing.backoff, deps),
    observer: deps.observer ?? {},
    onProgress: (what) => deps.onProgress?.(what),
    onHealthy,
  };
}

function messageOf({ outcome }: AttemptEnd): string {
  return outcome.how === 'failed' ? outcome.failure.message : outcome.how;
}
