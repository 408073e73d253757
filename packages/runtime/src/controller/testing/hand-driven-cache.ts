import type { Change, ChangeListener, Informer, ObjectCache } from '../../cache/informer.ts';
import { kindId } from '../../kind.ts';
import type { Kind } from '../../kind.ts';
import { keyOf, toKey } from '../../object.ts';
import type { AnyObject, KubeObject } from '../../object.ts';

/** A cache whose contents, progress and lag a test decides: it lists and watches nothing. */
export type HandDrivenCache = ObjectCache & {
  readonly put: (kind: Kind<KubeObject>, object: KubeObject, options?: { readonly initial?: boolean }) => void;
  readonly remove: (kind: Kind<KubeObject>, object: KubeObject) => void;
  readonly completeSync: () => void;
  /** From now on `caughtUp` waits until the returned function is called. */
  readonly fallBehind: () => () => void;
  readonly listeners: () => number;
};

type Progress = { hasSynced: boolean; lag: PromiseWithResolvers<void> | undefined };

export function createHandDrivenCache(): HandDrivenCache {
  const progress: Progress = { hasSynced: false, lag: undefined };
  const synced = Promise.withResolvers<void>();
  const kinds = new Map<string, HandDrivenKind>();
  const open = (kind: Kind<KubeObject>): HandDrivenKind => {
    const opened = kinds.get(kindId(kind)) ?? createHandDrivenKind(kind, progress);
    kinds.set(kindId(kind), opened);
    return opened;
  };

  return {
    informer: <T extends KubeObject>(kind: Kind<T>) => open(kind).informer as unknown as Informer<T>,
    start: () => undefined,
    waitForSync: async (signal) => orAborted(synced.promise, signal),
    hasSynced: () => progress.hasSynced,
    unhealthy: () => (progress.hasSynced ? [] : [...kinds.keys()]),
    put: (kind, object, { initial = false } = {}) => open(kind).put(object, initial),
    remove: (kind, object) => open(kind).remove(object),
    completeSync: () => {
      progress.hasSynced = true;
      synced.resolve();
    },
    fallBehind: () => {
      const lag = Promise.withResolvers<void>();
      progress.lag = lag;
      return () => {
        progress.lag = undefined;
        lag.resolve();
      };
    },
    listeners: () => [...kinds.values()].reduce((sum, { listeners }) => sum + listeners.size, 0),
  };
}

type HandDrivenKind = {
  readonly informer: Informer;
  readonly listeners: ReadonlySet<ChangeListener>;
  readonly put: (object: AnyObject, initial: boolean) => void;
  readonly remove: (object: AnyObject) => void;
};

function createHandDrivenKind(kind: Kind, progress: Progress): HandDrivenKind {
  const store = new Map<string, AnyObject>();
  const listeners = new Set<ChangeListener>();
  const tell = (change: Change): void => {
    for (const listener of listeners) listener(change);
  };
  return {
    listeners,
    put: (object, initial) => {
      const old = store.get(keyOf(object));
      store.set(keyOf(object), object);
      tell(old ? { type: 'updated', object, old, initial } : { type: 'added', object, initial });
    },
    remove: (object) => {
      store.delete(keyOf(object));
      tell({ type: 'deleted', object, old: object, initial: false });
    },
    informer: {
      kind,
      get: (ref) => store.get(toKey(ref)),
      list: () => [...store.values()],
      size: () => store.size,
      byIndex: () => [],
      addIndex: () => undefined,
      onChange: (listener) => {
        for (const object of store.values()) listener({ type: 'added', object, initial: true });
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      hasSynced: () => progress.hasSynced,
      watchAlive: () => true,
      caughtUp: async (_, signal) => orAborted(progress.lag?.promise, signal),
    },
  };
}

async function orAborted(promise: Promise<void> | undefined, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (!promise || !signal) return promise;
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason as Error), { once: true });
  await Promise.race([promise, aborted.promise]);
}
