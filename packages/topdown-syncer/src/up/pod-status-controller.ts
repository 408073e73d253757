// Tells virtual pods what became of their physical ones. One write says as much as there is to say: what nobody waits for is
// held back a moment, for more is likely to follow.
import {
  createController,
  isInvalid,
  isNotFound,
  recheck,
  settled,
  toKey,
  toRef,
  toTimestamp,
  watch,
} from '@tributary/runtime';
import type { Outcome, ReconcileContext, Runnable } from '@tributary/runtime';
import { podBackReference } from '../contract/back-reference.ts';
import { annotations } from '../contract/keys.ts';
import { isFinished, podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import { physicalPlace, recordedUid, standsFor } from './mapped-pod.ts';
import { lossPatch, planStatus } from './plan-status.ts';
import { createRefusedWrites } from './refused-writes.ts';
import type { RefusedWrites } from './refused-writes.ts';

export type PodStatusOptions = {
  /** How many pods at once; 32 when absent. */
  readonly concurrency?: number;
  /** How long news that nobody waits for may wait for more; 1 s when absent. */
  readonly holdMs?: number;
};

type Memory = {
  /** Since when news of a pod is held back, by its key. */
  readonly held: Map<string, number>;
  /** Physical pods that ended and are gone, by the key of the virtual pod: it has not been told yet how they ended. */
  readonly ended: Map<string, Pod>;
  readonly refused: RefusedWrites;
};

const notReadyMs = 2000;

export function createPodStatusController(options: PodStatusOptions, sides: Sides): Runnable {
  const { concurrency = 32, holdMs = 1000 } = options;
  const memory: Memory = { held: new Map(), ended: new Map(), refused: createRefusedWrites() };
  const scope = toScopes(sides.binding()).mounted;
  const watches = [
    watch(podKind, { when: ({ object }) => (object.spec.nodeName ?? '') !== '' }),
    watch(podKind, { cache: sides.physical.cache, scope, toKeys: toVirtualKeys }),
  ];
  const reconcile = async (key: string, { signal }: ReconcileContext): Promise<Outcome> =>
    reconcilePod(key, { ...sides, memory, holdMs, signal });
  const controller = createController({ name: 'pod-status', watches, reconcile, concurrency }, sides.virtual);
  return {
    ...controller,
    run: async (signal) => {
      const stop = rememberEnds(sides, memory);
      await controller.run(signal).finally(stop);
    },
  };
}

function toVirtualKeys(physical: Pod): readonly string[] {
  const reference = podBackReference(physical);
  return reference ? [toKey(reference)] : [];
}

function rememberEnds({ informers }: Sides, { ended }: Memory): () => void {
  return informers.physical.pods.onChange(({ type, object }) => {
    if (type === 'deleted' && isFinished(object)) for (const key of toVirtualKeys(object)) ended.set(key, object);
  });
}

type Deps = Sides & { readonly memory: Memory; readonly holdMs: number; readonly signal: AbortSignal };

async function reconcilePod(key: string, deps: Deps): Promise<Outcome> {
  const { informers, memory } = deps;
  const virtual = informers.virtual.pods.get(toRef(key));
  if (!virtual || !isOnVnode(virtual.spec.nodeName, deps)) {
    memory.refused.forget(key);
    return forget(key, memory);
  }
  const place = physicalPlace(virtual, deps);
  const recorded = recordedUid(virtual, place);
  const seen = informers.physical.pods.get(place) ?? memory.ended.get(key);
  const physical = seen && standsFor(seen, virtual, deps) ? seen : undefined;
  const inputs = { virtual, physical, recordedUid: recorded, now: toTimestamp(deps.clock.now()) };
  const step = planStatus(inputs);
  switch (step.do) {
    case 'nothing':
      return forget(key, memory);
    case 'confirm-loss':
      return confirmLoss(virtual, place, deps);
    case 'write': {
      if (memory.refused.isRefused(key, step.patch)) return forget(key, memory);
      // What was last heard may be old: V must not be told that a pod is ready in a cluster that nobody can reach.
      if (!deps.ready()) return recheck(notReadyMs);
      const leftMs = step.urgent ? 0 : holdLeftMs(key, deps);
      if (leftMs > 0) return recheck(leftMs);
      const answer = await writeStatus(virtual, step.patch, step.recordUid, deps);
      const left = answer && planStatus({ ...inputs, virtual: answer, recordedUid: physical?.metadata.uid });
      memory.refused.learn(key, left?.do === 'write' ? left.patch : undefined);
      return forget(key, memory);
    }
    default:
      return step satisfies never;
  }
}

function forget(key: string, { held, ended }: Memory): Outcome {
  held.delete(key);
  ended.delete(key);
  return settled;
}

function holdLeftMs(key: string, { memory, holdMs, clock }: Deps): number {
  const since = memory.held.get(key) ?? clock.monotonic();
  memory.held.set(key, since);
  return since + holdMs - clock.monotonic();
}

/** A pod that was started is marked lost on the physical server's own word, never because we cannot see. */
async function confirmLoss(virtual: Pod, place: { namespace: string; name: string }, deps: Deps): Promise<Outcome> {
  const { informers, signal } = deps;
  // The watch may be behind the answer to our own create.
  await informers.physical.pods.caughtUp(toKey(place), signal);
  const seen = informers.physical.pods.get(place);
  if (seen && standsFor(seen, virtual, deps)) return recheck(0);
  try {
    const found = await deps.physical.client.get(podKind, place, { signal });
    if (standsFor(found, virtual, deps)) return recheck(notReadyMs);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  await writeStatus(virtual, lossPatch(virtual, toTimestamp(deps.clock.now())), undefined, deps);
  deps.counters.podLost();
  return settled;
}

async function writeStatus(
  { metadata: { namespace, name = '', uid } }: Pod,
  status: Readonly<Record<string, unknown>>,
  recordUid: string | undefined,
  { virtual, informers, clock, signal }: Deps,
): Promise<Pod | undefined> {
  const metadata = {
    // Not for a pod that took the name meanwhile.
    uid,
    annotations: {
      [annotations.lastSyncTime]: toTimestamp(clock.now()),
      ...(recordUid !== undefined && { [annotations.physicalPodUid]: recordUid }),
    },
  };
  try {
    return await virtual.client.patchStatus(
      podKind,
      { namespace, name },
      { type: 'strategic', body: { metadata, status } },
      { signal },
    );
  } catch (error) {
    // The server calls a patch with another pod's uid invalid.
    const replaced = isInvalid(error) && informers.virtual.pods.get({ namespace, name })?.metadata.uid !== uid;
    if (!isNotFound(error) && !replaced) throw error;
    return undefined;
  }
}

function isOnVnode(nodeName: string | undefined, { informers }: Pick<Sides, 'informers'>): boolean {
  return nodeName !== undefined && nodeName !== '' && informers.virtual.vnodes.get({ name: nodeName }) !== undefined;
}
