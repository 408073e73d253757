import type { CloudflareClient, Credential } from '@tributary/cloudflare-api';
import {
  any,
  annotationsChanged,
  configMapKind,
  createController,
  generationChanged,
  getCondition,
} from '@tributary/runtime';
import { settled, watch } from '@tributary/runtime';
import type {
  Backoff,
  Change,
  Connection,
  Debounce,
  EventRecorder,
  Fence,
  KubeObject,
  Metrics,
  Outcome,
  ReconcileContext,
  Result,
  Runnable,
} from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { CredentialsRef, SyncState } from '../l4-state/sync-state.ts';
import { createWriter } from './batch.ts';
import { createBreaker, deletionPlanScope, wokenBy } from './breaker.ts';
import { createClusterReads } from './cluster-reads.ts';
import { createCrowd } from './crowd.ts';
import { createDriftRunnable } from './drift.ts';
import { endWish } from './end-wish.ts';
import type { Engine } from './engine.ts';
import { createGiveWay } from './give-way.ts';
import type { GatheringOptions } from './gathering.ts';
import type { BreakerLimits } from './judge-deletions.ts';
import { createObserver } from './observe.ts';
import { release } from './release.ts';
import { createStatusWriter } from './status-writer.ts';
import { baseOf, createSyncIndexes } from './sync-indexes.ts';
import type { SyncIndexes } from './sync-indexes.ts';
import { createStatusTrust } from './status-trust.ts';
import { syncWish } from './sync-wish.ts';
import type { AnyTarget, Download, Target } from './target.ts';
import { createTrigger } from './trigger.ts';
import { wakeRefused } from './wake-refused.ts';
import { toWish } from './wish.ts';
import { onLostSecret } from './write-secrets.ts';

export type SyncControllerOptions = {
  readonly targets: readonly AnyTarget[];
  /** Where plans of deletions that are held are shown. */
  readonly operatorNamespace: string;
  /** 500 ms and 2 s when absent. */
  readonly debounce?: Debounce;
  /** An hour when absent; 0: never. */
  readonly driftMs?: number;
  /** 10 and 0.3 within ten minutes when absent. */
  readonly breaker?: Partial<BreakerLimits> & { readonly windowMs?: number };
  readonly intentThresholdMs?: number;
  readonly concurrency?: number;
  readonly backoff?: Backoff;
  readonly gathering?: GatheringOptions;
};

export type SyncControllerDeps = {
  /** Its client is the leader's: every write fenced. */
  readonly connection: Connection;
  readonly credentialFor: (ref: CredentialsRef) => Promise<Result<Credential>>;
  /** Tells which credentials have changed, so that who uses them looks again. Returns unsubscribe. */
  readonly onCredentialChange?: (listener: (ref: CredentialsRef) => void) => () => void;
  readonly clientFor: (credential: Credential) => CloudflareClient;
  readonly fence: Pick<Fence, 'check'>;
  /** The network's own when absent. */
  readonly download?: Download | undefined;
  readonly events?: Pick<EventRecorder, 'record'>;
  readonly metrics?: Pick<Metrics, 'controller'> | undefined;
};

type Defaults = Required<
  Pick<SyncControllerOptions, 'debounce' | 'driftMs' | 'intentThresholdMs' | 'concurrency' | 'backoff'>
>;

const defaults: Defaults = {
  debounce: { quietMs: 500, maxMs: 2000 },
  driftMs: 60 * 60_000,
  intentThresholdMs: 2000,
  // Keys wait for each other, to be seen and written together; the client limits its calls itself.
  concurrency: 2000,
  backoff: { baseMs: 1000, maxMs: 300_000, jitter: 0.2 },
};

/** Layer 5: one controller, one informer, one queue for all targets, on the leader. */
export function createSyncController(options: SyncControllerOptions, deps: SyncControllerDeps): readonly Runnable[] {
  const settings = { ...defaults, ...options };
  const { connection } = deps;
  const targets = new Map(
    options.targets.map((target) => [target.contract.type as string, target as unknown as Target]),
  );
  const informer = connection.cache.informer(syncStateKind);
  const indexes = createSyncIndexes(targets, informer);
  const trigger = createTrigger('look-again');
  const engine = createEngine(settings, deps, indexes);

  const lookAgain = (state: SyncState, priority: 'normal' | 'low'): void => {
    const { name = '' } = state.metadata;
    engine.verify.add(name);
    trigger.wake(name, priority);
  };
  const controller = createController(
    {
      name,
      runs: 'leader',
      watches: [
        watch(syncStateKind, { when: matters }),
        watch(syncStateKind, { when: matters, toKeys: (state) => [baseOf(state) ?? ''].filter((base) => base !== '') }),
        watch(configMapKind, {
          scope: deletionPlanScope(options.operatorNamespace),
          when: annotationsChanged,
          toKeys: wokenBy,
        }),
        trigger.watch,
      ],
      reconcile: async (key, context) => reconcile(key, context, engine, indexes, targets),
      concurrency: settings.concurrency,
      debounce: settings.debounce,
      backoff: settings.backoff,
    },
    { ...connection, ...(deps.metrics && { metrics: deps.metrics.controller(name) }) },
  );
  const drift = createDriftRunnable(settings, {
    ...connection,
    scopes: indexes.scopes,
    verify: (scope) => indexes.inScope(scope).forEach((state) => lookAgain(state, 'low')),
    tidy: async () => engine.breaker.tidy((name) => isHeld(informer.get({ name }))),
  });
  const onLost = onLostSecret(connection.cache);
  return [withNews(controller, { ...deps, onLost, tell: engine.giveWay.tell }, indexes, lookAgain), drift];
}

const name = 'cloudflare-sync';

/** Own status writes are no news; a spec, an annotation or a deletion is. */
const matters: (change: Change<KubeObject>) => boolean = any(generationChanged, annotationsChanged);

function createEngine(
  settings: SyncControllerOptions & Defaults,
  { connection, fence, events, credentialFor, clientFor, download = fetch }: SyncControllerDeps,
  { deletionsIn, heldByAnother, unseenIn }: SyncIndexes,
): Engine {
  const crowd = createCrowd(unseenIn);
  const { client, clock, cache, log } = connection;
  const gathering = settings.gathering ?? {};
  return {
    client,
    clock,
    log,
    crowd,
    credentialFor,
    clientFor,
    deletionsIn,
    heldByAnother,
    events,
    informer: cache.informer(syncStateKind),
    reads: createClusterReads({ client, clock, download }),
    observer: createObserver(gathering, { clock, crowd }),
    writer: createWriter(gathering, { clock, crowd, fence }),
    breaker: createBreaker({ ...settings.breaker, operatorNamespace: settings.operatorNamespace }, connection),
    verify: new Set(),
    giveWay: createGiveWay(),
    trust: createStatusTrust(),
    intentThresholdMs: settings.intentThresholdMs,
  };
}

async function reconcile(
  name: string,
  context: ReconcileContext,
  engine: Engine,
  indexes: SyncIndexes,
  targets: ReadonlyMap<string, Target>,
): Promise<Outcome> {
  const state = engine.informer.get({ name });
  if (!state) {
    engine.verify.delete(name);
    engine.trust.forget(name);
    return settled;
  }
  const base = baseOf(state);
  if (base !== undefined) return reconcileSlice(state, base, engine);
  if (!state.spec.key) return reconcileKeyless(state, engine);
  const target = targets.get(state.spec.resourceType);
  if (!target) {
    context.log.warn({ resourceType: state.spec.resourceType }, 'nothing is known about this type');
    return settled;
  }
  for (const slice of indexes.slicesOf(name)) await engine.informer.caughtUp(slice.metadata.name ?? '');
  const wish = toWish(target, state, indexes.slicesOf(name));
  if (wish.over) return endWish(engine, wish, context);
  if (!state.metadata.deletionTimestamp) return syncWish(engine, wish, context);
  // Somebody deleted the SyncState, not the objects behind it: they register anew, and the remote side stays as it is.
  await release(state, engine.client);
  return settled;
}

/** The first one speaks for all its slices; one that is left over, or was deleted by hand, goes. */
async function reconcileSlice(slice: SyncState, base: string, { informer, client }: Engine): Promise<Outcome> {
  const alone = !informer.get({ name: base }) && (slice.spec.sources ?? []).length === 0;
  if (slice.metadata.deletionTimestamp || alone) await release(slice, client);
  return settled;
}

/** Earlier operators label theirs with it; we never do. */
const formerLabel = 'cloudflare-operator.io/cloudflare-id';

/**
 * One of an earlier operator, who named it otherwise and kept secrets in it, goes: the objects behind it register anew and
 * find what is theirs. One of ours has lost its key to a CRD that does not know it; made anew it would lose it again.
 */
async function reconcileKeyless(state: SyncState, engine: Engine): Promise<Outcome> {
  const { resourceType, cloudflareId } = state.spec;
  if (state.metadata.labels?.[formerLabel] === undefined) {
    const message =
      'spec.key is not stored, for the CRD of CloudflareSyncState is older: apply the CRDs of this version';
    await createStatusWriter(state, [], engine).write({ kind: 'failed', reason: 'OldCrd', message });
    return settled;
  }
  const message = `let go, for an earlier operator made it; ${resourceType} ${cloudflareId} stays as it is at Cloudflare`;
  if (await release(state, engine.client)) {
    engine.events?.record(syncStateKind, state, { type: 'Normal', reason: 'OfEarlierOperator', message });
  }
  return settled;
}

type News = SyncControllerDeps & {
  readonly onLost: ReturnType<typeof onLostSecret>;
  readonly tell: (name: string) => void;
};

/** While it leads: who uses credentials that changed, who was refused for what is not there any more, and whose Secret was deleted looks again. */
function withNews(
  controller: Runnable,
  { onCredentialChange, connection, onLost, tell }: News,
  indexes: SyncIndexes,
  lookAgain: (state: SyncState, priority: 'normal') => void,
): Runnable {
  const informer = connection.cache.informer(syncStateKind);
  return {
    ...controller,
    run: async (signal) => {
      const stops = [
        informer.onChange((change) => {
          if (change.type === 'updated' && matters(change))
            tell(baseOf(change.object) ?? change.object.metadata.name ?? '');
        }),
        wakeRefused(informer, indexes, (state) => lookAgain(state, 'normal')),
        onLost((name) => [informer.get({ name })].forEach((state) => state && lookAgain(state, 'normal'))),
        onCredentialChange?.((ref) => indexes.using(ref).forEach((state) => lookAgain(state, 'normal'))),
      ];
      await controller.run(signal).finally(() => stops.forEach((stop) => stop?.()));
    },
  };
}

function isHeld(state: SyncState | undefined): boolean {
  return getCondition(state?.status?.conditions, 'DeletionHeld') !== undefined;
}
