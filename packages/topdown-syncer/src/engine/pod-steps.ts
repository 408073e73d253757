import { isConflict, isNotFound, recheck, settled, toTimestamp } from '@tributary/runtime';
import type { ObjectKey, Outcome } from '@tributary/runtime';
import { claimOf } from '../contract/claim.ts';
import { annotations, ownAnnotations, ownerAnnotation, podLost } from '../contract/keys.ts';
import { isFinished, podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { planPodChanges } from '../down/pod-changes.ts';
import type { ContainerLists } from '../down/translate-containers.ts';
import { translateContainers } from '../down/translate-pod.ts';
import type { Sides } from '../sides.ts';
import type { PodFacts, PodStep } from './decide-pod.ts';
import { foreignDependencies } from './dependencies.ts';
import type { GuardedWrites } from './guarded-writes.ts';
import type { Ownership } from './ownership.ts';
import type { PodCreator } from './pod-creation.ts';
import { pushChanges } from './push-changes.ts';
import type { Reporter } from './reporter.ts';
import type { TokenKeeper } from './token-keeper.ts';

export type PodStepDeps = {
  readonly sides: Sides;
  readonly ownership: Ownership;
  readonly writes: GuardedWrites;
  readonly reporter: Reporter;
  readonly tokens: TokenKeeper;
  readonly creator: PodCreator;
};

type PodWorld = { readonly virtual: Pod | undefined; readonly physical: Pod | undefined };

export type PodRun = {
  readonly key: ObjectKey;
  readonly place: PodFacts['place'];
  readonly world: PodWorld;
  readonly signal: AbortSignal;
};

/** Either this reconcile has come to its end, or the world as it is after the step. */
type After = { readonly outcome: Outcome } | PodWorld;

const done: After = { outcome: settled };
const blockedRecheckMs = 30_000;
/** What P forbids now it may allow later; it is not asked often. */
const refusedRecheckMs = 10 * 60_000;

/** The shell around `decidePod`. */
export async function takePodStep(step: PodStep, run: PodRun, deps: PodStepDeps): Promise<After> {
  const { virtual, physical } = run.world;
  switch (step.do) {
    case 'nothing':
    case 'wait':
      return done;
    case 'map':
      return { virtual: await annotate(run, deps, mapping(run, deps)), physical };
    case 'record': {
      const uid = must(physical).metadata.uid ?? '';
      return {
        virtual: await annotate(run, deps, { ...mapping(run, deps), [annotations.physicalPodUid]: uid }),
        physical,
      };
    }
    case 'create':
      return create(run, deps);
    case 'adopt':
      return { virtual, physical: await adopt(run, deps) };
    case 'keep':
      return keep(run, deps);
    case 'delete':
      return remove(run, deps, step.why);
    case 'shorten':
      await deps.writes.deletePhysical(podKind, must(physical), graceOf(run));
      return done;
    case 'remove':
      await deps.tokens.purge(run.key, run.signal);
      await deps.writes.removeVirtual(must(virtual), run.signal);
      return done;
    case 'forget':
      await deps.tokens.purge(run.key, run.signal);
      return done;
    case 'lose':
      await lose(run, deps);
      return done;
    case 'report':
      report(run, deps, step.problem);
      return done;
    default:
      return step satisfies never;
  }
}

/** Everything that ties V's pod to its copy but the copy's UID; what a manifest brought along of another pod is overwritten. */
function mapping({ place, world }: PodRun, { sides }: PodStepDeps): Record<string, string | null> {
  const before = must(world.virtual).metadata;
  const inherited = before.annotations?.[annotations.physicalPodUid] !== undefined && !world.physical;
  return {
    [annotations.physicalPodNamespace]: place.namespace,
    [annotations.physicalPodName]: place.name,
    [ownAnnotations.mappedFor]: before.uid ?? '',
    [annotations.lastSyncTime]: toTimestamp(sides.clock.now()),
    ...(inherited && { [annotations.physicalPodUid]: null }),
  };
}

async function annotate(run: PodRun, { sides }: PodStepDeps, changes: Record<string, string | null>): Promise<Pod> {
  const { namespace, name = '', uid } = must(run.world.virtual).metadata;
  const body = { metadata: { uid, annotations: changes } };
  return sides.virtual.client.patch(podKind, { namespace, name }, { type: 'merge', body }, { signal: run.signal });
}

async function create(run: PodRun, { creator, tokens }: PodStepDeps): Promise<After> {
  const virtual = must(run.world.virtual);
  // Tokens of a pod that had this name before are nobody's any more.
  await tokens.purgeOthers(virtual, run.signal);
  const creation = await creator.create(virtual, run.signal);
  switch (creation.result) {
    case 'created':
      return { virtual, physical: creation.pod };
    case 'waiting':
      return done;
    case 'blocked':
      return { outcome: recheck(blockedRecheckMs) };
    default:
      return creation satisfies never;
  }
}

async function adopt(run: PodRun, { sides }: PodStepDeps): Promise<Pod> {
  const { namespace, name = '', uid } = must(run.world.physical).metadata;
  const { clusterId, virtualCluster } = sides.identity;
  const body = { metadata: { uid, annotations: { [ownerAnnotation(clusterId)]: virtualCluster } } };
  return sides.physical.client.patch(podKind, { namespace, name }, { type: 'merge', body }, { signal: run.signal });
}

async function keep(run: PodRun, deps: PodStepDeps): Promise<After> {
  const { sides, creator } = deps;
  const [virtual, physical] = [must(run.world.virtual), must(run.world.physical)];
  const { physicalName } = sides;
  const lists = (): ContainerLists => translateContainers(virtual, { physicalName, ...creator.surroundings(virtual) });
  const changes = planPodChanges(virtual, physical, lists);
  const foreign = changes?.ephemeralContainers ? foreignDependencies(sides, virtual) : [];
  if (foreign.length > 0) {
    deps.reporter.warn(podKind, virtual, 'FailedUpdatePod', foreign.join('; '));
    return { outcome: recheck(blockedRecheckMs) };
  }
  const refused =
    changes && (await pushChanges(physical, changes, { client: sides.physical.client, signal: run.signal }));
  if (refused && refused.messages.length > 0) {
    const message = `the physical cluster refuses the change: ${refused.messages.join('; ')}`;
    deps.reporter.warn(podKind, virtual, 'FailedUpdatePod', message);
  }
  const againMs = refused?.mayPass ? refusedRecheckMs : Number.POSITIVE_INFINITY;
  const dueMs = isFinished(physical) ? undefined : await deps.tokens.ensure(virtual, run.signal);
  const tokenMs = dueMs === undefined ? Number.POSITIVE_INFINITY : Math.max(dueMs - sides.clock.now(), 1000);
  const nextMs = Math.min(againMs, tokenMs);
  return { outcome: nextMs === Number.POSITIVE_INFINITY ? settled : recheck(nextMs) };
}

async function remove(run: PodRun, deps: PodStepDeps, why: Extract<PodStep, { do: 'delete' }>['why']): Promise<After> {
  const physical = must(run.world.physical);
  if (why === 'unschedulable') {
    const message = 'the physical cluster found no room for the pod in time; its copy is deleted';
    deps.reporter.warn(podKind, must(run.world.virtual), 'FailedSchedulingPod', message);
  }
  await deps.writes.deletePhysical(
    podKind,
    physical,
    why === 'virtual-deleted' ? graceOf(run) : { signal: run.signal },
  );
  return done;
}

/** The copy has as much time as V's pod was given. */
function graceOf({ world, signal }: PodRun): {
  readonly graceSeconds: number | undefined;
  readonly signal: AbortSignal;
} {
  return { graceSeconds: world.virtual?.metadata.deletionGracePeriodSeconds, signal };
}

async function lose(run: PodRun, { sides }: PodStepDeps): Promise<void> {
  const { namespace, name = '', uid } = must(run.world.virtual).metadata;
  const body = { metadata: { uid }, status: { phase: 'Failed', ...podLost } };
  try {
    await sides.virtual.client.patchStatus(
      podKind,
      { namespace, name },
      { type: 'merge', body },
      { signal: run.signal },
    );
    sides.counters.podLost();
  } catch (error) {
    // It went, or another took its name: nothing is left to say.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

function report(run: PodRun, { sides, reporter }: PodStepDeps, problem: 'conflict' | 'orphan'): void {
  const physical = must(run.world.physical);
  if (problem === 'orphan') reporter.orphan(podKind, physical);
  else reporter.conflict(podKind, must(run.world.virtual), run.place, claimOf(physical, sides.identity));
}

/** The table hands out a step only where what it needs is there. */
function must<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a step was decided on an object that is not there');
  return value;
}
