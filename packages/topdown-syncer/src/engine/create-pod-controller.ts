import {
  createController,
  configMapKind,
  keyOf,
  recheck,
  secretKind,
  settled,
  toKey,
  toRef,
  watch,
} from '@tributary/runtime';
import type { Change, KubeObject, ObjectKey, Outcome, ReconcileContext, Runnable, Watch } from '@tributary/runtime';
import { copyBackReference, podBackReference } from '../contract/back-reference.ts';
import { claimOf } from '../contract/claim.ts';
import { claimKind, nodeKind, volumeKind } from '../contract/cluster-kinds.ts';
import { isFinished, podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import type { ReferenceKind } from '../down/references.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import type { Demand } from './demand.ts';
import { decidePod } from './decide-pod.ts';
import type { PodFacts } from './decide-pod.ts';
import { mayRun } from './ownership.ts';
import { takePodStep } from './pod-steps.ts';
import type { PodStepDeps } from './pod-steps.ts';
import { isTokenSecret } from './token-keeper.ts';

export type PodControllerOptions = { readonly concurrency: number; readonly schedulingTimeoutMs: number };

const byNode = 'node';
const mostSteps = 8;
const backoff = { baseMs: 250, maxMs: 60_000, jitter: 0.2 };

/** Pods: one reconcile by V's name, whatever woke it. Each step is decided by the table in `decidePod`. */
export function createPodController(
  options: PodControllerOptions,
  deps: PodStepDeps & { readonly demand: Demand },
): Runnable {
  const { sides, demand } = deps;
  const { pods } = sides.informers.virtual;
  pods.addIndex(byNode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  return createController(
    {
      name: 'pods',
      watches: [watch(podKind, { when: concernsUs }), ...watchesOf(sides, demand)],
      reconcile: async (key, context) => reconcile(options, deps, key, context),
      concurrency: options.concurrency,
      backoff,
    },
    sides.virtual,
  );
}

async function reconcile(
  options: PodControllerOptions,
  deps: PodStepDeps,
  key: ObjectKey,
  context: ReconcileContext,
): Promise<Outcome> {
  const { sides } = deps;
  const place = { namespace: sides.binding().mountNamespace, name: sides.physicalName(toRef(key)) };
  const { pods } = sides.informers.physical;
  await pods.caughtUp(toKey(place), context.signal);
  let world = { virtual: sides.informers.virtual.pods.get(toRef(key)), physical: pods.get(place) };
  for (let taken = 0; taken < mostSteps; taken += 1) {
    const step = decidePod(toFacts(options, deps, place, world));
    const after = await takePodStep(step, { key, place, world, signal: context.signal }, deps);
    if ('outcome' in after) return withDeadline(options, deps, after.outcome, world.physical);
    world = after;
  }
  return settled;
}

type WorldOfPod = { readonly virtual: Pod | undefined; readonly physical: Pod | undefined };

function toFacts(
  { schedulingTimeoutMs }: PodControllerOptions,
  { sides, ownership }: PodStepDeps,
  place: PodFacts['place'],
  { virtual, physical }: WorldOfPod,
): PodFacts {
  return {
    virtual,
    here: virtual !== undefined && ownership.physicalNodeOf(virtual) !== undefined,
    runs: virtual !== undefined && mayRun(virtual, sides.binding()),
    place,
    physical: physical && {
      pod: physical,
      claim: claimOf(physical, sides.identity),
      reference: podBackReference(physical),
    },
    overdue: physical !== undefined && waitsForNode(physical) && ageMs(sides, physical) >= schedulingTimeoutMs,
  };
}

function waitsForNode(pod: Pod): boolean {
  return !pod.spec.nodeName && !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

function ageMs({ clock }: Pick<Sides, 'clock'>, { metadata }: Pod): number {
  return clock.now() - Date.parse(metadata.creationTimestamp ?? '');
}

/** A copy that P has no node for is looked at again when its time is over. */
function withDeadline(
  { schedulingTimeoutMs }: PodControllerOptions,
  { sides }: PodStepDeps,
  outcome: Outcome,
  physical: Pod | undefined,
): Outcome {
  if (!physical || !waitsForNode(physical)) return outcome;
  const leftMs = Math.max(schedulingTimeoutMs - ageMs(sides, physical), 0) + 1000;
  return recheck(outcome.kind === 'recheck' ? Math.min(outcome.afterMs, leftMs) : leftMs);
}

/** Pods that are not bound to a node are nobody's yet. */
function concernsUs({ object, old }: Change<Pod>): boolean {
  return Boolean(object.spec.nodeName) || Boolean(old?.spec.nodeName);
}

function watchesOf(sides: Sides, demand: Demand): readonly Watch[] {
  const { cache } = sides.physical;
  const { mounted: scope, vnodes } = toScopes(sides.binding());
  const naming = (kind: ReferenceKind, key: ObjectKey): readonly ObjectKey[] => demand.podsNaming(kind, key).map(keyOf);
  const byCopy = (kind: ReferenceKind) => (copy: KubeObject) => {
    const original = copyBackReference(copy);
    return original ? naming(kind, toKey(original)) : [];
  };
  const byOriginal = (kind: ReferenceKind) => (object: KubeObject) => naming(kind, keyOf(object));
  const onVolume = ({ metadata }: KubeObject): readonly ObjectKey[] =>
    demand.claimsOn(metadata.name ?? '').flatMap(byOriginal('PersistentVolumeClaim'));
  return [
    watch(podKind, { cache, scope, toKeys: toVirtualPod }),
    watch(secretKind, { cache, scope, when: ({ object }) => isTokenSecret(object), toKeys: toVirtualPod }),
    watch(nodeKind, { scope: vnodes, when: cameOrWent, toKeys: ({ metadata }) => podsOn(sides, metadata.name ?? '') }),
    watch(configMapKind, { when: cameOrWent, toKeys: byOriginal('ConfigMap') }),
    watch(secretKind, {
      when: cameOrWent,
      toKeys: (secret) => [...byOriginal('Secret')(secret), ...demand.volumesNaming(keyOf(secret)).flatMap(onVolume)],
    }),
    watch(volumeKind, { when: cameOrWent, toKeys: onVolume }),
    watch(claimKind, { toKeys: byOriginal('PersistentVolumeClaim') }),
    watch(configMapKind, { cache, scope, when: cameOrWent, toKeys: byCopy('ConfigMap') }),
    watch(secretKind, { cache, scope, when: cameOrWent, toKeys: byCopy('Secret') }),
    watch(claimKind, { cache, scope, when: cameOrWent, toKeys: byCopy('PersistentVolumeClaim') }),
  ];
}

function cameOrWent({ type }: Change<KubeObject>): boolean {
  return type !== 'updated';
}

function toVirtualPod(object: KubeObject): readonly ObjectKey[] {
  const reference = podBackReference(object);
  return reference ? [toKey(reference)] : [];
}

function podsOn({ informers }: Sides, node: string): readonly ObjectKey[] {
  return informers.virtual.pods.byIndex(byNode, node).map(keyOf);
}
