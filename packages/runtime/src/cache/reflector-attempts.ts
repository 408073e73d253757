import type { KubeClient, SelectorOptions } from '../client/kube-client.ts';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Kind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import type { CacheObserver } from './cache-observer.ts';
import type { AttemptEnd } from './judge-end.ts';
import { attemptList } from './list-attempt.ts';
import type { ObjectStore, SyncPass } from './object-store.ts';
import type { ReflectorPosition } from './reflector-position.ts';
import type { ReflectorTiming } from './reflector-timing.ts';
import type { RestartBackoff } from './restart-backoff.ts';
import { attemptWatch } from './watch-attempt.ts';
import { createWatchReader } from './watch-reader.ts';
import type { WatchReader } from './watch-reader.ts';

/** What the attempts of one reflector share. */
export type ReflectorContext<T extends KubeObject> = {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly scope: SelectorOptions;
  readonly pageSize: number;
  readonly timing: ReflectorTiming;
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly store: Pick<ObjectStore<T>, 'put' | 'remove' | 'beginSync'>;
  readonly position: ReflectorPosition;
  readonly backoff: RestartBackoff;
  readonly observer: CacheObserver;
  readonly onProgress: (what: 'event' | 'bookmark' | 'sync') => void;
  /** What was broken works again. */
  readonly onHealthy: () => void;
};

/** Fetches everything by pages. */
export async function listAll<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { clock, position } = context;
  const sinceMs = clock.monotonic();
  const pass = context.store.beginSync();
  position.beginSync();
  const waitBeforeRetry = async (): Promise<void> => sleep(clock, context.backoff.nextMs(), signal);
  const notBefore = position.latest();
  const result = await attemptList({ ...context, pass, notBefore, waitBeforeRetry }, signal);
  if (result.outcome.how === 'stale') position.doubt();
  if (result.outcome.how === 'complete' && result.resourceVersion !== undefined) {
    pass.finish();
    completeSync(context, { via: 'list', objects: result.objects, sinceMs, version: result.resourceVersion });
  }
  return { phase: 'list', lastedMs: clock.monotonic() - sinceMs, events: result.pages, outcome: result.outcome };
}

/** Fetches everything as a stream, and stays on it to watch. */
export async function watchListAll<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  context.position.beginSync();
  return stream(context, context.store.beginSync(), signal);
}

/** Watches from the position. */
export async function watchOn<T extends KubeObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  // Most watches are silent for a while: when none of the ways to fail has happened by then, it works.
  const cancel = context.clock.after(context.timing.provenMs, context.onHealthy);
  const end = await stream(context, undefined, signal);
  cancel();
  return end;
}

async function stream<T extends KubeObject>(
  context: ReflectorContext<T>,
  pass: SyncPass<T> | undefined,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { kind, scope, timing, clock, random, position } = context;
  const sinceMs = clock.monotonic();
  const reader = createReader(context, pass, sinceMs);
  const { min, max } = timing.watchSeconds;
  const timeoutSeconds = Math.round(min + random() * (max - min));
  const request = pass
    ? { ...scope, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const }
    : { ...scope, resourceVersion: position.current() };
  context.observer.watchStarted?.(context.name);
  const outcome = await attemptWatch(
    {
      kind,
      options: { ...request, allowWatchBookmarks: true, timeoutSeconds, idleTimeoutMs: timing.idleMs },
      onEvent: reader.read,
      check: { everyMs: timing.patienceMs, look: reader.lookForSilence },
      overdueMs: timeoutSeconds * 1000 + timing.idleMs,
    },
    context,
    signal,
  );
  return { phase: reader.phase(), lastedMs: clock.monotonic() - sinceMs, events: reader.events(), outcome };
}

function createReader<T extends KubeObject>(
  context: ReflectorContext<T>,
  pass: SyncPass<T> | undefined,
  sinceMs: number,
): WatchReader<T> {
  const { name, store, position, observer } = context;
  return createWatchReader<T>(
    { name, pass },
    {
      store,
      position,
      observer,
      onSynced: (objects, version) => completeSync(context, { via: 'watch-list', objects, sinceMs, version }),
      onProgress: (what) => {
        if (position.current() !== undefined) context.onHealthy();
        context.onProgress(what);
      },
    },
  );
}

function completeSync<T extends KubeObject>(
  context: ReflectorContext<T>,
  sync: { readonly via: 'list' | 'watch-list'; objects: number; sinceMs: number; version: string },
): void {
  context.position.completeSync(sync.version);
  context.onHealthy();
  const durationMs = context.clock.monotonic() - sync.sinceMs;
  context.observer.listed?.(context.name, { via: sync.via, objects: sync.objects, durationMs });
  context.onProgress('sync');
}
