import { createController, isConflict, recheck, toKey, toRef, watch } from '@tributary/runtime';
import type { Connection, EventRecorder, KubeObject, Metrics, Reconcile, Runnable, Watch } from '@tributary/runtime';
import type { Committer } from '../l3-core/committer.ts';
import type { SourceRef } from '../l4-state/source.ts';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { ChildStores } from './child-stores.ts';
import type { AnyContributor, Notice } from './contributor.ts';
import { kindName } from './kind-stores.ts';
import type { KindStores } from './kind-stores.ts';
import type { Patience } from './patience.ts';
import { createPatience } from './patience.ts';
import { perform } from './perform.ts';
import { planObject } from './plan-object.ts';
import type { PlanContext } from './plan-object.ts';
import { planAbsent, planRelease } from './plan-release.ts';
import type { Plan } from './step.ts';
import type { SyncStates } from './sync-states.ts';
import type { Reading, Topics } from './topics.ts';
import { createRefs } from './tracked-refs.ts';
import type { SecretReads } from './tracked-refs.ts';
import type { InstalledKinds } from './when-installed.ts';

/** What all controllers of layer 2 share. */
export type Layer2 = Pick<Connection, 'client' | 'cache' | 'clock' | 'random' | 'log'> & {
  readonly stores: KindStores;
  readonly childStores: ChildStores;
  readonly syncStates: SyncStates;
  readonly topics: Topics;
  readonly committer: Committer;
  readonly isLeader: () => boolean;
  readonly events?: Pick<EventRecorder, 'record'> | undefined;
  readonly metrics?: Metrics | undefined;
  readonly secrets?: SecretReads | undefined;
  readonly installed: InstalledKinds;
  readonly operatorNamespace: string;
  /** How long waiting for Cloudflare is no news. */
  readonly pendingAfterMs: number;
  /** How long replicas that do not lead leave the work to the one that does, at least; twice that at most. */
  readonly followerDelayMs: number;
  readonly concurrency: number;
};

/** After so long a child that stood in the way is looked for again; nothing tells when a foreign object goes. */
const problemRecheckMs = 60_000;

/** In case what was written meanwhile wakes nobody. */
const conflictRecheckMs = 1000;

/** Announced when this replica begins to lead. */
export const leadershipTopic = 'leadership';

/** The controller of one kind: level-triggered, on every replica. */
export function createContributorController(contributor: AnyContributor, layer: Layer2): Runnable {
  const { stores, topics, clock } = layer;
  const { kind } = contributor;
  const store = stores.of(kind);
  const pending = createPatience(clock);
  const turns = createPatience(clock);
  const tell = createTelling(contributor, layer);

  const plan = (subject: Subject, key: string, reading: Reading): { plan: Plan; context: PlanContext } => {
    let isPending = false;
    const context = createContext(contributor, layer, reading, () => {
      isPending = true;
      return pending.left(key, () => layer.pendingAfterMs);
    });
    const made = planFor(subject, context);
    if (!isPending) pending.clear(key);
    return { plan: made, context };
  };

  const reconcile: Reconcile = async (key, { signal }) => {
    const reading = topics.begin({ group: kindName(kind), key });
    try {
      const subject = { object: store.get(toRef(key)), ref: { kind: kind.kind, ...toRef(key) } };
      const { plan: made, context } = plan(subject, key, reading);
      const waitMs = turnMs(made, subject, key, turns, layer);
      if (waitMs > 0) {
        reading.note(leadershipTopic);
        return recheck(waitMs);
      }
      const events = layer.isLeader() ? layer.events : undefined;
      const deps = { ...layer, contributor, events, signal };
      const problem = await perform(made.steps, subject, deps);
      turns.clear(key);
      tell(key, subject.object, made.notices);
      if (!problem || !subject.object) return made.outcome;
      await perform(planObject(subject.object, { ...context, problem }).steps, subject, deps);
      return recheck(problemRecheckMs);
    } catch (error) {
      if (!isConflict(error)) throw error;
      // Another replica, or a person, was faster. What they wrote is on its way here and wakes the key.
      turns.clear(key);
      return recheck(conflictRecheckMs * (1 + layer.random()));
    } finally {
      reading.end();
    }
  };
  const name = kindName(kind);
  const { cache, random, log, metrics, concurrency } = layer;
  return createController(
    { name, watches: watchesOf(contributor, layer), reconcile, concurrency, runs: 'always' },
    { cache, clock, random, log, ...(metrics && { metrics: metrics.controller(name) }) },
  );
}

/** The leader says each thing once for as long as it is true. */
function createTelling(
  { kind }: AnyContributor,
  { events, isLeader }: Layer2,
): (key: string, object: KubeObject | undefined, notices: readonly Notice[] | undefined) => void {
  const told = new Map<string, ReadonlySet<string>>();
  return (key, object, notices) => {
    if (!object || !isLeader()) told.delete(key);
    if (!object || !isLeader() || !notices) return;
    const before = told.get(key);
    const texts = notices.map((notice) => JSON.stringify(notice));
    for (const [index, notice] of notices.entries()) {
      if (!before?.has(texts[index] ?? '')) events?.record(kind, object, notice);
    }
    if (texts.length > 0) told.set(key, new Set(texts));
    else told.delete(key);
  };
}

type Subject = { readonly object: KubeObject | undefined; readonly ref: SourceRef };

function planFor({ object, ref }: Subject, context: PlanContext): Plan {
  const { contributor, refs } = context;
  if (!object) return planAbsent(ref, context);
  if (object.metadata.deletionTimestamp) return planRelease(object, context);
  const isOurs = contributor.selects?.(object, refs) ?? true;
  return isOurs ? planObject(object, context) : planRelease(object, context);
}

/** A replica that does not lead waits a little before it writes, and then writes only what is still missing. */
function turnMs(
  { steps }: Plan,
  { object }: Subject,
  key: string,
  turns: Patience,
  { isLeader, followerDelayMs, random }: Layer2,
): number {
  if (steps.length === 0 || isLeader()) {
    turns.clear(key);
    return 0;
  }
  // What the leader has done shows in the object, or in what is left to do.
  const progress = [object?.metadata.resourceVersion, ...steps.map((step) => step.do)].join(' ');
  return turns.left(key, () => followerDelayMs * (1 + random()), progress);
}

function createContext(
  contributor: AnyContributor,
  layer: Layer2,
  reading: Reading,
  pendingLeftMs: () => number,
): PlanContext {
  const { stores, childStores, syncStates, committer, clock } = layer;
  return {
    contributor,
    refs: createRefs(layer, reading),
    syncStates,
    committer,
    children: (owner) => childStores.of(contributor.childKinds ?? [], owner, reading),
    cachesComplete: stores.hasSynced() && syncStates.informer.hasSynced(),
    isLeader: layer.isLeader(),
    now: clock.now(),
    pendingLeftMs,
  };
}

function watchesOf(contributor: AnyContributor, layer: Layer2): readonly Watch[] {
  const { kind, wakes = [] } = contributor;
  const { stores, topics } = layer;
  const scopes = stores.scopes(kind);
  const isWatched = (namespace: string | undefined): boolean =>
    scopes.some((scope) => scope.namespace === undefined || scope.namespace === namespace);
  const untracked = createRefs(layer, { note: () => undefined });
  const byTopic: Watch = {
    id: `${kindName(kind)} by what it reads`,
    primary: false,
    cache: undefined,
    open: () => ({
      hasSynced: () => true,
      caughtUp: () => Promise.resolve(),
      onKey: (enqueue) => topics.listen(kindName(kind), (key) => enqueue(key, 'normal')),
    }),
  };
  return [
    ...scopes.map((scope) => watch(kind, { scope })),
    byTopic,
    watch(syncStateKind, {
      toKeys: ({ spec }) =>
        (spec.sources ?? [])
          .filter(({ ref }) => ref.kind === kind.kind && isWatched(ref.namespace))
          .map(({ ref }) => toKey(ref)),
    }),
    ...wakes.flatMap((wake) =>
      stores
        .scopes(wake.kind)
        .map((scope) =>
          watch(wake.kind, { scope, toKeys: (other) => wake.objects(other as never, untracked).map(toKey) }),
        ),
    ),
  ];
}
