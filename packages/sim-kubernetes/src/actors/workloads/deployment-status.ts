// What a Deployment says of its rollout: `kubectl rollout status` and `kubectl get` believe every word of it.
import type { Draft, StoredObject } from '../../registry/json.ts';
import { child, count, flag, items, maybeNumber, text } from '../../kinds/draft-fields.ts';
import { nonzero } from './replica-plan.ts';
import { maxUnavailable, sum } from './rollout-plan.ts';
import type { Sized } from './rollout-plan.ts';

export type StatusInputs = {
  readonly current: Sized | undefined;
  readonly old: readonly Sized[];
  /** The new ReplicaSet was made in this very step. */
  readonly made: boolean;
  readonly now: { readonly ms: number; readonly text: string };
};

type Condition = { readonly type: string; readonly status: string; readonly reason: string; readonly message: string };

export function deploymentStatus(deployment: StoredObject, inputs: StatusInputs): Draft {
  const { current, old, now } = inputs;
  const all = current === undefined ? old : [current, ...old];
  const spec = child(deployment, 'spec');
  const available = sum(all, 'available');
  const before = child(deployment, 'status');
  const counts: Draft = {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...nonzero('replicas', sum(all, 'actual')),
    ...nonzero('updatedReplicas', current?.actual ?? 0),
    ...nonzero('readyReplicas', sum(all, 'ready')),
    ...nonzero('availableReplicas', available),
    ...nonzero('unavailableReplicas', Math.max(0, sum(all, 'wanted') - available)),
    terminatingReplicas: sum(all, 'terminating'),
  };
  const enough = available >= count(spec, 'replicas') - maxUnavailable(deployment);
  const known = items(before, 'conditions');
  const availability = enough
    ? said('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
    : said('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.');
  const progress = flag(spec, 'paused') ? pause(known) : progressOf(deployment, counts, inputs);
  let conditions = setCondition(known, availability, now.text);
  if (progress !== undefined) conditions = setCondition(conditions, progress, now.text, progress.reason === moving);
  return { ...counts, conditions };
}

/** In how long a rollout that does not move has failed; undefined when that is no question. */
export function deadlineMs(deployment: StoredObject, nowMs: number): number | undefined {
  const seconds = maybeNumber(child(deployment, 'spec'), 'progressDeadlineSeconds');
  const progress = items(child(deployment, 'status'), 'conditions').find((found) => found['type'] === 'Progressing');
  if (seconds === undefined || progress === undefined || text(progress, 'status') !== 'True') return undefined;
  if (text(progress, 'reason') === done || text(progress, 'reason') === paused) return undefined;
  return Math.max(0, Date.parse(text(progress, 'lastUpdateTime')) + seconds * 1000 - nowMs) + 1;
}

const done = 'NewReplicaSetAvailable';
const moving = 'ReplicaSetUpdated';
const paused = 'DeploymentPaused';

function said(type: string, status: string, reason: string, message: string): Condition {
  return { type, status, reason, message };
}

function pause(known: readonly Draft[]): Condition | undefined {
  const progress = known.find((found) => found['type'] === 'Progressing');
  if (text(progress, 'reason') === 'ProgressDeadlineExceeded') return undefined;
  return said('Progressing', 'Unknown', paused, 'Deployment is paused');
}

function progressOf(
  deployment: StoredObject,
  next: Draft,
  { current, made, now }: StatusInputs,
): Condition | undefined {
  const before = child(deployment, 'status');
  const progress = items(before, 'conditions').find((found) => found['type'] === 'Progressing');
  const reason = text(progress, 'reason');
  const name = JSON.stringify(current?.name ?? '');
  if (made) return said('Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set ${name}`);
  if (reason === paused) return said('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
  if (reason === done && count(next, 'replicas') === count(next, 'updatedReplicas')) return undefined;
  if (isComplete(deployment, next)) {
    return said('Progressing', 'True', done, `ReplicaSet ${name} has successfully progressed.`);
  }
  if (progress === undefined) return said('Progressing', 'True', 'FoundNewReplicaSet', `Found new replica set ${name}`);
  if (hasMoved(before, next)) return said('Progressing', 'True', moving, `ReplicaSet ${name} is progressing.`);
  if (deadlineMs(deployment, now.ms) !== 1) return undefined;
  return said('Progressing', 'False', 'ProgressDeadlineExceeded', `ReplicaSet ${name} has timed out progressing.`);
}

export function isComplete(deployment: StoredObject, status: Draft): boolean {
  const replicas = count(child(deployment, 'spec'), 'replicas');
  return ['updatedReplicas', 'replicas', 'availableReplicas'].every((field) => count(status, field) === replicas);
}

const left = (status: Draft): number => count(status, 'replicas') - count(status, 'updatedReplicas');

function hasMoved(before: Draft, next: Draft): boolean {
  const grows = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];
  return grows.some((field) => count(next, field) > count(before, field)) || left(next) < left(before);
}

/** A condition that says the same is left alone, unless it is to say when it was last so. */
function setCondition(known: readonly Draft[], next: Condition, now: string, again = false): readonly Draft[] {
  const old = known.find((found) => found['type'] === next.type);
  if (!again && old !== undefined && text(old, 'status') === next.status && text(old, 'reason') === next.reason) {
    return known;
  }
  const kept = old !== undefined && text(old, 'status') === next.status;
  const lastTransitionTime = kept ? text(old, 'lastTransitionTime') : now;
  const { type, status, reason, message } = next;
  const others = known.filter((found) => found['type'] !== next.type);
  return [...others, { type, status, lastUpdateTime: now, lastTransitionTime, reason, message }];
}
