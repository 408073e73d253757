import type { KubeClient } from '../client/kube-client.ts';
import type { Clock } from '../clock.ts';
import { kindId } from '../kind.ts';
import type { Kind } from '../kind.ts';
import { keyOf, toRef } from '../object.ts';
import type { KubeObject } from '../object.ts';
import type { CacheObserver } from './cache-observer.ts';
import type { Informer, InformerScope } from './informer.ts';
import { createObjectStore } from './object-store.ts';
import { createOwnWrites } from './own-writes.ts';
import type { OwnWrites } from './own-writes.ts';
import { createReflector } from './reflector.ts';
import type { Reflector } from './reflector.ts';
import type { ReflectorTiming } from './reflector-timing.ts';

export type InformerOptions<T extends KubeObject> = {
  readonly kind: Kind<T>;
  readonly scope: InformerScope;
  readonly transform?: ((object: T) => T) | undefined;
  readonly freeze?: boolean | undefined;
  readonly pageSize?: number | undefined;
  readonly watchList?: boolean | undefined;
  readonly timing?: Partial<ReflectorTiming> | undefined;
};

export type InformerDeps = {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer?: CacheObserver | undefined;
  readonly onListenerError?: ((error: unknown, kind: string) => void) | undefined;
  readonly onSynced: () => void;
  readonly onProblem: () => void;
};

/** An informer with the parts that only its cache may touch. */
export type RunnableInformer<T extends KubeObject> = {
  readonly informer: Informer<T>;
  readonly scope: InformerScope;
  /** Keeps the informer in step until the signal is aborted; never throws. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly problem: Reflector['problem'];
  readonly ownWrites: Pick<OwnWrites, 'begin'>;
};

export function createInformer<T extends KubeObject>(
  options: InformerOptions<T>,
  deps: InformerDeps,
): RunnableInformer<T> {
  const { kind, scope } = options;
  const onListenerError = (error: unknown): void => {
    deps.observer?.listenerFailed?.(kindId(kind), error);
    deps.onListenerError?.(error, kindId(kind));
  };
  const store = createObjectStore<T>({ ...options, onListenerError });
  const reflector = createReflector<T>(options, {
    ...deps,
    store,
    onError: onListenerError,
    onProgress: (what) => {
      ownWrites.onProgress(what);
      if (what === 'sync') deps.onSynced();
    },
  });
  const ownWrites = createOwnWrites({ stored: (key) => store.get(toRef(key)), position: reflector.position });
  store.onChange((change) => ownWrites.onChange(change, () => keyOf(change.object)));

  return {
    informer: {
      kind,
      get: store.get,
      list: (filter) => store.list(filter?.namespace),
      size: store.size,
      byIndex: store.byIndex,
      addIndex: store.addIndex,
      onChange: store.onChange,
      hasSynced: reflector.position.hasSynced,
      watchAlive: reflector.watchAlive,
      caughtUp: ownWrites.caughtUp,
    },
    scope,
    run: async (signal) => {
      await reflector.run(signal);
      ownWrites.stop();
    },
    problem: reflector.problem,
    ownWrites,
  };
}
