import {
  createController,
  isAlreadyExists,
  isForbidden,
  isInvalid,
  keyOf,
  recheck,
  settled,
  toKey,
  toRef,
  watch,
} from '@tributary/runtime';
import type { KubeObject, ObjectKey, Outcome, ReconcileContext, Runnable } from '@tributary/runtime';
import { claimOf } from '../contract/claim.ts';
import { labels, ownerAnnotation } from '../contract/keys.ts';
import { copyMetadata, expectedOfCopy } from '../down/copy-metadata.ts';
import type { Sides } from '../sides.ts';
import type { CopyKind, Place } from './copy-kind.ts';
import { decideCopy } from './decide-copy.ts';
import type { CopyFacts, CopyStep } from './decide-copy.ts';
import type { GuardedWrites } from './guarded-writes.ts';
import { planMetadata } from './plan-metadata.ts';
import type { Reporter } from './reporter.ts';
import { foreignHolder, isCopyOf } from './usable-copy.ts';
import { isHeld, isReleased, releasePatch, stampPatch } from './virtual-stamp.ts';

export type CopyDeps = { readonly sides: Sides; readonly writes: GuardedWrites; readonly reporter: Reporter };

/** What a place is left with: the loop over its steps has ended. */
type Rest = 'settled' | 'release' | 'conflict' | 'forbidden';

const workers = 16;
/** A name that somebody outside our sight holds is tried again; what we can see wakes us by itself. */
const conflictRecheckMs = 60_000;
/** An API server that was just started forbids what it allows a moment later; one that means it is not asked often. */
const forbiddenRecheckMs = 10 * 60_000;
const mostSteps = 8;
const backoff = { baseMs: 250, maxMs: 60_000, jitter: 0.2 };

/** Keeps the copies of one kind: one reconcile for all kinds, each step decided by the table in `decideCopy`. */
export function createCopyController<T extends KubeObject>(copies: CopyKind<T>, deps: CopyDeps): Runnable {
  const { kind, watches } = copies;
  const { virtual } = deps.sides;
  return createController(
    {
      name: `copy-${kind.plural}`,
      watches: [watch(kind), ...watches],
      reconcile: async (key, context) => reconcile(copies, deps, key, context),
      concurrency: workers,
      backoff,
    },
    virtual,
  );
}

async function reconcile<T extends KubeObject>(
  copies: CopyKind<T>,
  deps: CopyDeps,
  key: ObjectKey,
  context: ReconcileContext,
): Promise<Outcome> {
  const object = copies.virtual.get(toRef(key));
  const rests: Rest[] = [];
  const run = { copies, deps, key, signal: context.signal, current: { object } };
  for (const place of copies.places(key, object)) rests.push(await workAt(run, place));
  const { object: left } = run.current;
  if (left && rests.includes('release')) await release(run, left);
  if (rests.includes('conflict')) return recheck(conflictRecheckMs);
  return rests.includes('forbidden') ? recheck(forbiddenRecheckMs) : settled;
}

type Run<T extends KubeObject> = {
  readonly copies: CopyKind<T>;
  readonly deps: CopyDeps;
  readonly key: ObjectKey;
  readonly signal: AbortSignal;
  /** V's object as our own last write left it. */
  current: { object: T | undefined };
};

async function workAt<T extends KubeObject>(run: Run<T>, place: Place<T>): Promise<Rest> {
  await place.informer.caughtUp(toKey(place.ref), run.signal);
  let seen = place.informer.get(place.ref);
  for (let taken = 0; taken < mostSteps; taken += 1) {
    const step = decideCopy(toFacts(run, place, seen));
    const after = await take(run, place, seen, step);
    if (after.rest !== undefined) return after.rest;
    seen = after.seen;
  }
  return 'settled';
}

function toFacts<T extends KubeObject>(run: Run<T>, place: Place<T>, seen: T | undefined): CopyFacts {
  const { identity, binding } = run.deps.sides;
  const { object } = run.current;
  const { clusterId } = identity;
  const held = object !== undefined && isHeld(object, clusterId);
  return {
    virtual:
      object === undefined ? 'absent' : isReleased(object, { clusterId, name: binding().name }) ? 'released' : 'live',
    // A copy at another place does not make this one wanted, but one that is there is kept up.
    held:
      held && (object === undefined || isReleased(object, { clusterId, name: binding().name }) || seen !== undefined),
    stamped: object !== undefined && stampPatch(object, { clusterId, ...stampOf(place) }) === undefined,
    demanded: place.demanded,
    collect: place.collect,
    physical: seen && {
      claim: claimOf(seen, identity),
      matches: isCopyOf(seen, run.key),
      terminating: seen.metadata.deletionTimestamp !== undefined,
    },
  };
}

function stampOf<T extends KubeObject>({
  ref,
  usedByPv,
}: Place<T>): Pick<Parameters<typeof stampPatch>[1], 'place' | 'usedByPv'> {
  return { place: ref, usedByPv };
}

type After<T> = { readonly rest: Rest } | { readonly rest?: undefined; readonly seen: T | undefined };

async function take<T extends KubeObject>(
  run: Run<T>,
  place: Place<T>,
  seen: T | undefined,
  step: CopyStep,
): Promise<After<T>> {
  const { copies, deps } = run;
  switch (step.do) {
    case 'nothing':
    case 'wait':
      return { rest: 'settled' };
    case 'release':
      return { rest: 'release' };
    case 'stamp':
      await stamp(run, place);
      return { seen };
    case 'create':
      return create(run, place);
    case 'update':
      return update(run, place, must(seen), false);
    case 'mark':
      return update(run, place, must(seen), true);
    case 'unmark':
      await unmark(run, must(seen));
      return { rest: run.current.object ? 'release' : 'settled' };
    case 'delete':
      await deps.writes.deletePhysical(copies.kind, must(seen), { unchanged: true, signal: run.signal });
      return { rest: run.current.object ? 'release' : 'settled' };
    case 'report':
      report(run, place, must(seen), step.problem);
      return { rest: 'settled' };
    default:
      return step satisfies never;
  }
}

async function stamp<T extends KubeObject>(run: Run<T>, place: Place<T>): Promise<void> {
  const { kind } = run.copies;
  const { identity, virtual } = run.deps.sides;
  const object = must(run.current.object);
  const patch = stampPatch(object, { clusterId: identity.clusterId, ...stampOf(place) });
  if (!patch) return;
  run.current = { object: await virtual.client.patch(kind, toRef(keyOf(object)), patch, { signal: run.signal }) };
}

async function release<T extends KubeObject>(run: Run<T>, object: T): Promise<void> {
  const { identity, virtual } = run.deps.sides;
  const patch = releasePatch(object, identity.clusterId);
  if (patch) await virtual.client.patch(run.copies.kind, toRef(keyOf(object)), patch, { signal: run.signal });
}

/** The whole copy as V's object wants it. */
function wantedAt<T extends KubeObject>(run: Run<T>, { ref, usedByPv }: Place<T>): T {
  const object = must(run.current.object);
  const metadata = copyMetadata(object, ref, run.deps.sides.identity);
  const marked = usedByPv ? { ...metadata, labels: { ...metadata.labels, [labels.usedByPv]: 'true' } } : metadata;
  return { ...run.copies.translate(object), metadata: marked } as T;
}

async function create<T extends KubeObject>(run: Run<T>, place: Place<T>): Promise<After<T>> {
  const { copies, deps } = run;
  const object = must(run.current.object);
  // Whoever needs it says why it is not there: the pod has an event about it.
  if (copies.copyable && !copies.copyable(object).ok) return { rest: 'settled' };
  try {
    await deps.sides.physical.client.create(copies.kind, wantedAt(run, place), { signal: run.signal });
    for (const caveat of copies.caveats?.(object) ?? [])
      deps.reporter.warn(copies.kind, object, 'IncompleteCopy', caveat);
    return { rest: 'settled' };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const there = await deps.sides.physical.client.get(copies.kind, place.ref, { signal: run.signal });
    const holder = foreignHolder(there, run.key, deps.sides.identity);
    if (!holder) return { seen: there };
    deps.reporter.conflict(copies.kind, object, place.ref, holder);
    return { rest: 'conflict' };
  }
}

async function update<T extends KubeObject>(run: Run<T>, place: Place<T>, seen: T, mark: boolean): Promise<After<T>> {
  const { copies, deps } = run;
  const { identity } = deps.sides;
  const object = must(run.current.object);
  const wanted = wantedAt(run, place);
  const releasing = isReleased(object, { clusterId: identity.clusterId, name: deps.sides.binding().name });
  if (!releasing && copies.mustReplace?.(wanted, seen)) {
    await deps.writes.deletePhysical(copies.kind, seen, { unchanged: true, signal: run.signal });
    return { rest: 'settled' };
  }
  const content = releasing ? undefined : copies.plan(wanted, seen);
  const metadata = releasing ? undefined : planMetadata(expectedOfCopy(object), seen.metadata);
  const annotations = {
    ...metadata?.annotations,
    ...(mark && { [ownerAnnotation(identity.clusterId)]: identity.virtualCluster }),
  };
  if (!content && !metadata && !mark) return { rest: 'settled' };
  // The uid keeps the patch from an object that took the name meanwhile.
  const body = { metadata: { uid: seen.metadata.uid, labels: metadata?.labels ?? {}, annotations } };
  const whole = await send(run, place, { ...content, ...body });
  if ('object' in whole) return mark ? { seen: whole.object } : { rest: 'settled' };
  // What it holds is refused; whose it is and what V says about it may still be told.
  if (content && (metadata || mark)) await send(run, place, body);
  return whole;
}

type Sent<T> = { readonly object: T } | { readonly rest: Rest };

/** What P refuses is told to the owner of V's object. */
async function send<T extends KubeObject>(run: Run<T>, place: Place<T>, body: object): Promise<Sent<T>> {
  const { copies, deps } = run;
  const { client } = deps.sides.physical;
  try {
    return { object: await client.patch(copies.kind, place.ref, { type: 'merge', body }, { signal: run.signal }) };
  } catch (error) {
    if (!isForbidden(error) && !isInvalid(error)) throw error;
    const message = `the physical cluster refuses the change: ${error.message}`;
    deps.reporter.warn(copies.kind, must(run.current.object), 'FailedUpdateCopy', message);
    return { rest: isForbidden(error) ? 'forbidden' : 'settled' };
  }
}

async function unmark<T extends KubeObject>(run: Run<T>, seen: T): Promise<void> {
  const { identity, physical } = run.deps.sides;
  const { uid, resourceVersion } = seen.metadata;
  const annotations = { [ownerAnnotation(identity.clusterId)]: null };
  const body = { metadata: { uid, resourceVersion, annotations } };
  await physical.client.patch(run.copies.kind, toRef(keyOf(seen)), { type: 'merge', body }, { signal: run.signal });
}

function report<T extends KubeObject>(run: Run<T>, place: Place<T>, seen: T, problem: 'conflict' | 'orphan'): void {
  const { copies, deps } = run;
  if (problem === 'orphan') deps.reporter.orphan(copies.kind, seen);
  else deps.reporter.conflict(copies.kind, must(run.current.object), place.ref, claimOf(seen, deps.sides.identity));
}

/** The table hands out a step only where what it needs is there. */
function must<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a step was decided on an object that is not there');
  return value;
}
