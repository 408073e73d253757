import type { KubeClient } from '../client/kube-client.ts';
import type { Clock } from '../clock.ts';
import { kindId } from '../kind.ts';
import type { Kind } from '../kind.ts';
import { OperatorError } from '../operator-error.ts';
import { toRef } from '../object.ts';
import type { AnyObject, KubeObject, ObjectKey } from '../object.ts';
import type { CacheObserver } from './cache-observer.ts';
import { createInformer } from './create-informer.ts';
import type { InformerOptions, RunnableInformer } from './create-informer.ts';
import type { Informer, InformerScope, ObjectCache } from './informer.ts';
import type { FinishWrite } from './own-writes.ts';
import type { ReflectorProblem } from './reflector.ts';
import type { ReflectorTiming } from './reflector-timing.ts';
import { createSyncGate } from './sync-gate.ts';

export type ObjectCacheOptions = {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** What to keep of an object; managed fields are dropped when absent. It may change the object it is given. */
  readonly transform?: ((object: AnyObject, kind: Kind) => AnyObject) | undefined;
  /** Freeze what is cached, to find who changes it. For tests. */
  readonly freeze?: boolean | undefined;
  readonly pageSize?: number | undefined;
  /** Sync by a stream of initial events where the server can. On unless told otherwise. */
  readonly watchList?: boolean | undefined;
  readonly timing?: Partial<ReflectorTiming> | undefined;
  readonly observer?: CacheObserver | undefined;
  /** A listener, an index function or a transform threw: counted by the observer too, and otherwise without effect. */
  readonly onListenerError?: ((error: unknown, kind: string) => void) | undefined;
};

/** What keeps an informer from being of use. */
export type InformerProblem = {
  readonly kind: string;
  readonly scope: InformerScope;
  readonly synced: boolean;
  /** Nothing when the first list is simply not complete yet. */
  readonly problem: ReflectorProblem | undefined;
};

export type SharedCache = ObjectCache & {
  /** The reasons behind `unhealthy`. */
  readonly problems: () => readonly InformerProblem[];
  /** For clients that write: begins a write on every informer of that kind (in any version) that may show it. */
  readonly beginWrite: (kind: Pick<Kind, 'group' | 'plural' | 'scope'>, key: ObjectKey) => FinishWrite;
  /** Resolves when, after the signal of `start`, everything has come to its end. */
  readonly stopped: () => Promise<void>;
};

/** Makes the informers of one process against one API server, each kind and scope once. */
export function createObjectCache(options: ObjectCacheOptions): SharedCache {
  const informers = new Map<string, RunnableInformer<AnyObject>>();
  const runs: Promise<void>[] = [];
  let running: AbortSignal | undefined;

  const all = (): RunnableInformer<AnyObject>[] => [...informers.values()];
  const hasSynced = (): boolean => all().every(({ informer }) => informer.hasSynced());
  const standing = new Set<RunnableInformer<AnyObject>>();
  const gate = createSyncGate();

  const make = (kind: Kind, scope: InformerScope): RunnableInformer<AnyObject> => {
    const hooks = { onSynced: gate.look, onProblem: gate.look };
    const made = createInformer(toInformerOptions(kind, scope, options), { ...options, ...hooks });
    if (running) runs.push(made.run(running));
    return made;
  };

  const start = (signal: AbortSignal): void => {
    if (running) throw new OperatorError('cache/started', 'the cache was started before', { kind: 'never' });
    running = signal;
    for (const made of all()) {
      standing.add(made);
      runs.push(made.run(signal));
    }
    if (signal.aborted) gate.close();
    else signal.addEventListener('abort', gate.close, { once: true });
  };

  return {
    informer: <T extends KubeObject>(kind: Kind<T>, scope: InformerScope = {}) => {
      const id = toInformerId(kind, scope);
      const made = informers.get(id) ?? make(kind, scope);
      informers.set(id, made);
      return made.informer as unknown as Informer<T>;
    },
    start,
    waitForSync: async (signal, own) => gate.wait(own ? () => isEnoughFor(own, all(), standing) : hasSynced, signal),
    hasSynced,
    unhealthy: () => [...new Set(toProblems(all()).map(({ kind }) => kind))],
    problems: () => toProblems(all()),
    beginWrite: (kind, key) => {
      const concerned = all().filter((made) => concerns(made, kind, key));
      const finishers = concerned.map(({ ownWrites }) => ownWrites.begin(key));
      return (effect) => {
        for (const finish of finishers) finish(effect);
      };
    },
    stopped: async () => void (await Promise.all(runs)),
  };
}

/** What is another's, made since the start and in trouble, is not to be waited for by who does not need it. */
function isEnoughFor(
  own: readonly Pick<Informer, 'hasSynced'>[],
  informers: readonly RunnableInformer<AnyObject>[],
  standing: ReadonlySet<RunnableInformer<AnyObject>>,
): boolean {
  const isAnothersTrouble = (made: RunnableInformer<AnyObject>): boolean =>
    !standing.has(made) && made.problem() !== undefined;
  return (
    own.every((one) => one.hasSynced()) &&
    informers.every((made) => made.informer.hasSynced() || isAnothersTrouble(made))
  );
}

function toInformerId(kind: Kind<KubeObject>, { namespace, labelSelector, fieldSelector }: InformerScope): string {
  return [kindId(kind), namespace ?? '', labelSelector ?? '', fieldSelector ?? ''].join('|');
}

function toProblems(informers: readonly RunnableInformer<AnyObject>[]): readonly InformerProblem[] {
  return informers
    .filter(({ informer }) => !informer.watchAlive())
    .map(({ informer, scope, problem }) => ({
      kind: kindId(informer.kind),
      scope,
      synced: informer.hasSynced(),
      problem: problem(),
    }));
}

function toInformerOptions(kind: Kind, scope: InformerScope, options: ObjectCacheOptions): InformerOptions<AnyObject> {
  const { transform, freeze, pageSize, watchList, timing } = options;
  return {
    kind,
    scope,
    freeze,
    pageSize,
    watchList,
    timing,
    transform: transform && ((object) => transform(object, kind)),
  };
}

/** A kind has one history whatever the version it is asked for in. */
function concerns(
  { informer, scope }: RunnableInformer<AnyObject>,
  kind: Pick<Kind, 'group' | 'plural'>,
  key: ObjectKey,
): boolean {
  if (informer.kind.group !== kind.group || informer.kind.plural !== kind.plural) return false;
  return scope.namespace === undefined || scope.namespace === '' || scope.namespace === toRef(key).namespace;
}
