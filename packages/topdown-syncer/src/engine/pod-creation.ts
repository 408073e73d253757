import { isAlreadyExists, isOperatorError, OperatorError } from '@tributary/runtime';
import type { Result } from '@tributary/runtime';
import { podBackReference } from '../contract/back-reference.ts';
import { claimOf } from '../contract/claim.ts';
import { podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { translatePod } from '../down/translate-pod.ts';
import type { Workload } from '../down/workload.ts';
import type { Sides } from '../sides.ts';
import { missingDependencies } from './dependencies.ts';
import type { Ownership } from './ownership.ts';
import { createPriorityKeeper } from './physical-priority.ts';
import type { Reporter } from './reporter.ts';
import { createSurroundings } from './surroundings.ts';
import type { Surroundings, SurroundingsOptions } from './surroundings.ts';
import type { TokenKeeper } from './token-keeper.ts';
import { createWorkloadLookup } from './workload-lookup.ts';

export type CreationOptions = SurroundingsOptions & { readonly clusterDomain: string };

export type CreationDeps = {
  readonly sides: Sides;
  readonly ownership: Ownership;
  readonly tokens: TokenKeeper;
  readonly reporter: Reporter;
};

export type Creation =
  | { readonly result: 'created'; readonly pod: Pod }
  /** Something wakes the pod when it is there. */
  | { readonly result: 'waiting' }
  /** Nothing will: look again. */
  | { readonly result: 'blocked' };

export type PodCreator = {
  readonly create: (pod: Pod, signal: AbortSignal) => Promise<Creation>;
  /** What pods are told about V at this moment, as far as it is known. */
  readonly surroundings: (pod: Pod) => Surroundings;
};

/** Makes the copy of a pod, once everything it names is in P. */
export function createPodCreator(options: CreationOptions, deps: CreationDeps): PodCreator {
  const { sides, reporter } = deps;
  const parts: Parts = {
    ...deps,
    ensurePriority: createPriorityKeeper(sides),
    findWorkload: createWorkloadLookup(sides.virtual.client),
    findSurroundings: createSurroundings(options, sides),
    clusterDomain: options.clusterDomain,
  };
  return {
    create: async (pod, signal) => {
      sides.counters.createPod();
      try {
        const prepared = await prepare(parts, pod, signal);
        return 'result' in prepared ? prepared : await make(parts, pod, prepared, signal);
      } catch (error) {
        sides.counters.createPodError();
        const cause = error instanceof Error ? error.message : String(error);
        if (!signal.aborted && !isUnreachable(error)) reporter.warn(podKind, pod, 'FailedCreatePod', cause);
        throw error;
      }
    },
    surroundings: (pod) => {
      const found = parts.findSurroundings(pod);
      return found.ok ? found.value : { redirection: {} };
    },
  };
}

type Parts = CreationDeps & {
  readonly ensurePriority: (name: string) => Promise<void>;
  readonly findWorkload: (pod: Pod) => Promise<Workload>;
  readonly findSurroundings: (pod: Pod) => Result<Surroundings>;
  readonly clusterDomain: string;
};

/** The copy as it shall be, or why there is none yet. */
async function prepare(parts: Parts, pod: Pod, signal: AbortSignal): Promise<Pod | Creation> {
  const { sides, reporter } = parts;
  const refuse = (result: 'waiting' | 'blocked', message: string): Creation => {
    reporter.warn(podKind, pod, 'FailedCreatePod', message);
    return { result };
  };
  const missing = missingDependencies(sides, pod);
  if (missing.problems.length > 0) return refuse('waiting', missing.problems.join('; '));
  if (missing.awaited.length > 0) return { result: 'waiting' };
  const surroundings = parts.findSurroundings(pod);
  if (!surroundings.ok) return refuse('blocked', surroundings.message);
  const { mountNamespace, directScheduling, podPriorityClassName } = sides.binding();
  await parts.ensurePriority(podPriorityClassName);
  const workload = await parts.findWorkload(pod);
  await parts.tokens.ensure(pod, signal);
  const translated = translatePod(pod, {
    identity: sides.identity,
    physicalName: sides.physicalName,
    mountNamespace,
    physicalNode: parts.ownership.physicalNodeOf(pod) ?? '',
    directScheduling,
    priorityClassName: podPriorityClassName,
    workload,
    ...surroundings.value,
    clusterDomain: parts.clusterDomain,
  });
  return translated.ok ? translated.value : refuse('waiting', translated.message);
}

async function make({ sides, reporter }: Parts, pod: Pod, wanted: Pod, signal: AbortSignal): Promise<Creation> {
  const found = await createOrFind(sides, wanted, signal);
  const claim = claimOf(found, sides.identity);
  // What becomes of one that was made for a pod before this one, or by the original, the table says.
  if (claim.of === 'us' || claim.of === 'unmarked') {
    if (podBackReference(found)?.uid === pod.metadata.uid) sides.counters.podCreated();
    return { result: 'created', pod: found };
  }
  const { namespace, name = '', deletionTimestamp } = found.metadata;
  if (deletionTimestamp !== undefined) throw busyName(name);
  reporter.conflict(podKind, pod, { namespace, name }, claim);
  return { result: 'blocked' };
}

/** A create whose answer was lost leaves the pod behind: it is found again by its name. */
async function createOrFind({ physical }: Pick<Sides, 'physical'>, wanted: Pod, signal: AbortSignal): Promise<Pod> {
  try {
    return await physical.client.create(podKind, wanted, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { namespace, name = '' } = wanted.metadata;
    return physical.client.get(podKind, { namespace, name }, { signal });
  }
}

/** Somebody else's, of whose end we do not hear. */
function busyName(name: string): OperatorError {
  const message = `pod ${name} of the physical cluster is still being deleted`;
  return new OperatorError('syncer/name-busy', message, { kind: 'backoff' });
}

/** Then events do not get through either, or the pod's owner can do nothing about it. */
function isUnreachable(error: unknown): boolean {
  return isOperatorError(error) && error.code === 'kube/unreachable';
}
