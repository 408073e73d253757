// What a kubelet writes into the status of a pod, as data.
import type { Draft, StoredObject } from '../registry/json.ts';
import { child, count, items, text } from '../kinds/draft-fields.ts';

/** Where a pod stands in its life. `init` is the init container that runs now. */
export type PodStage =
  | { readonly kind: 'init'; readonly index: number }
  | { readonly kind: 'creating' }
  | { readonly kind: 'pull-error' }
  | { readonly kind: 'running'; readonly ready: boolean; readonly restarts: number; readonly startedAt: string }
  | { readonly kind: 'backoff'; readonly restarts: number; readonly exitCode: number }
  | { readonly kind: 'ended'; readonly exitCode: number };

export type StatusInputs = { readonly now: string; readonly hostIp: string; readonly podIp: string };

type ConditionStatus = { readonly status: 'True' | 'False'; readonly reason?: string; readonly message?: string };

/** The whole status of a pod in a stage; times of what did not change are kept. */
export function podStatus(pod: StoredObject, stage: PodStage, inputs: StatusInputs): Draft {
  const before = child(pod, 'status');
  const spec = child(pod, 'spec');
  const initial = items(spec, 'initContainers');
  const done = stage.kind === 'init' ? stage.index : initial.length;
  const up = stage.kind === 'running' || stage.kind === 'backoff' || stage.kind === 'ended';
  return {
    ...before,
    observedGeneration: pod.metadata.generation,
    phase: phaseOf(stage),
    conditions: conditionsOf(pod, stage, inputs.now),
    hostIP: inputs.hostIp,
    hostIPs: [{ ip: inputs.hostIp }],
    ...(up || stage.kind === 'init' ? { podIP: inputs.podIp, podIPs: [{ ip: inputs.podIp }] } : {}),
    startTime: before['startTime'] ?? inputs.now,
    ...(initial.length === 0
      ? {}
      : {
          initContainerStatuses: initial.map((container, index) => initStatus(container, index, done, stage, inputs)),
        }),
    containerStatuses: items(spec, 'containers').map((container) => containerStatus(container, stage, before, inputs)),
  };
}

function phaseOf(stage: PodStage): string {
  if (stage.kind === 'ended') return stage.exitCode === 0 ? 'Succeeded' : 'Failed';
  return stage.kind === 'running' || stage.kind === 'backoff' ? 'Running' : 'Pending';
}

function conditionsOf(pod: StoredObject, stage: PodStage, now: string): readonly Draft[] {
  const names = items(child(pod, 'spec'), 'containers').map((container) => text(container, 'name'));
  const list = `[${names.join(' ')}]`;
  const unready: ConditionStatus = {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: ${list}`,
  };
  const completed: ConditionStatus = { status: 'False', reason: 'PodCompleted' };
  const done = stage.kind === 'ended' && stage.exitCode === 0 ? completed : unready;
  const ready: ConditionStatus = stage.kind === 'running' && stage.ready ? { status: 'True' } : done;
  const initialized: ConditionStatus =
    stage.kind === 'init'
      ? { status: 'False', reason: 'ContainersNotInitialized', message: incomplete(pod, stage.index) }
      : { status: 'True', ...(done === completed ? { reason: 'PodCompleted' } : {}) };
  const sandbox = stage.kind !== 'creating' && stage.kind !== 'ended';
  const wanted: readonly (readonly [string, ConditionStatus])[] = [
    ['PodReadyToStartContainers', { status: sandbox ? 'True' : 'False' }],
    ['Initialized', initialized],
    ['Ready', ready],
    ['ContainersReady', ready],
    ['PodScheduled', { status: 'True' }],
  ];
  return wanted.map(([type, condition]) => withTime(pod, type, condition, now));
}

function incomplete(pod: StoredObject, index: number): string {
  const left = items(child(pod, 'spec'), 'initContainers').slice(index);
  return `containers with incomplete status: [${left.map((container) => text(container, 'name')).join(' ')}]`;
}

function withTime(pod: StoredObject, type: string, condition: ConditionStatus, now: string): Draft {
  const known = items(child(pod, 'status'), 'conditions').find((found) => found['type'] === type);
  const lastTransitionTime = known?.['status'] === condition.status ? known['lastTransitionTime'] : now;
  return { type, observedGeneration: pod.metadata.generation, ...condition, lastProbeTime: null, lastTransitionTime };
}

function common(container: Draft): Draft {
  const image = text(container, 'image');
  return { name: container['name'], image, imageID: `simulated://${image}`, lastState: {}, restartCount: 0 };
}

const completed = { exitCode: 0, reason: 'Completed' };

function initStatus(container: Draft, index: number, done: number, stage: PodStage, { now }: StatusInputs): Draft {
  const sidecar = text(container, 'restartPolicy') === 'Always';
  if (index < done && sidecar && stage.kind !== 'ended') {
    return { ...common(container), ready: true, started: true, state: { running: { startedAt: now } } };
  }
  if (index < done) {
    const terminated = { ...completed, startedAt: now, finishedAt: now };
    return { ...common(container), ready: true, started: false, state: { terminated } };
  }
  const state =
    stage.kind === 'init' && index === stage.index
      ? { running: { startedAt: now } }
      : { waiting: { reason: 'PodInitializing' } };
  return { ...common(container), ready: false, started: false, state };
}

function containerStatus(container: Draft, stage: PodStage, before: Draft, inputs: StatusInputs): Draft {
  const known = items(before, 'containerStatuses').find((found) => found['name'] === container['name']) ?? {};
  const lastState = child(known, 'lastState');
  const startedAt = text(child(child(known, 'state'), 'running'), 'startedAt') || inputs.now;
  const base = { ...common(container), containerID: `simulated://${text(container, 'name')}` };
  if (stage.kind === 'running') {
    const state = { running: { startedAt: stage.startedAt } };
    return { ...base, ready: stage.ready, started: true, restartCount: stage.restarts, state, lastState };
  }
  if (stage.kind === 'backoff') {
    const terminated = ending(stage.exitCode, startedAt, inputs.now);
    const message = 'back-off restarting failed container';
    const state = { waiting: { reason: 'CrashLoopBackOff', message } };
    return { ...base, ready: false, started: false, restartCount: stage.restarts, state, lastState: { terminated } };
  }
  if (stage.kind === 'ended') {
    const state = { terminated: ending(stage.exitCode, startedAt, inputs.now) };
    return { ...base, ready: false, started: false, restartCount: count(known, 'restartCount'), state, lastState };
  }
  return { ...common(container), ready: false, started: false, state: { waiting: waitingReason(stage, container) } };
}

function waitingReason(stage: PodStage, container: Draft): Draft {
  if (stage.kind === 'pull-error') {
    return {
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image ${JSON.stringify(text(container, 'image'))}`,
    };
  }
  return { reason: stage.kind === 'init' ? 'PodInitializing' : 'ContainerCreating' };
}

function ending(exitCode: number, startedAt: string, finishedAt: string): Draft {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt, finishedAt };
}
