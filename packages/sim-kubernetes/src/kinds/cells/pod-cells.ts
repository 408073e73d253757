import type { Draft, StoredObject } from '../../registry/json.ts';
import { at, child, count, flag, items, maybeChild, text } from '../draft-fields.ts';
import { age, hasCondition, none, since } from './cell-text.ts';
import type { Cell } from './cell-text.ts';

type Summary = { reason: string; ready: number; restarts: number; lastRestart: string };

/** Name, Ready, Status, Restarts, Age, IP, Node, Nominated Node, Readiness Gates. */
export function podCells(pod: StoredObject, nowMs: number): readonly Cell[] {
  const spec = child(pod, 'spec');
  const status = child(pod, 'status');
  const { reason, ready, restarts, lastRestart } = summarize(pod, spec, status);
  const sidecars = items(spec, 'initContainers').filter(isSidecar).length;
  return [
    pod.metadata.name,
    `${ready}/${items(spec, 'containers').length + sidecars}`,
    reason,
    restarts !== 0 && lastRestart !== '' ? `${restarts} (${since(lastRestart, nowMs)} ago)` : `${restarts}`,
    age(pod, nowMs),
    text(items(status, 'podIPs')[0], 'ip') || none,
    text(spec, 'nodeName') || none,
    text(status, 'nominatedNodeName') || none,
    readinessGates(spec, status),
  ];
}

function summarize(pod: StoredObject, spec: Draft, status: Draft): Summary {
  const summary: Summary = { reason: firstReason(status), ready: 0, restarts: 0, lastRestart: '' };
  const sidecars = new Set(
    items(spec, 'initContainers')
      .filter(isSidecar)
      .map((found) => text(found, 'name')),
  );
  const initializing = readInitContainers(summary, spec, status, sidecars);
  if (!initializing || hasCondition(status, 'Initialized')) readContainers(summary, status, sidecars);
  const phase = text(status, 'phase');
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (text(status, 'reason') === 'NodeLost') summary.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

function firstReason(status: Draft): string {
  const gated = items(status, 'conditions').some(
    (found) => found['type'] === 'PodScheduled' && found['reason'] === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : text(status, 'reason') || text(status, 'phase');
}

/** Whether an init container still stands in the way; then the status says which one and why. */
function readInitContainers(summary: Summary, spec: Draft, status: Draft, sidecars: ReadonlySet<string>): boolean {
  const total = items(spec, 'initContainers').length;
  for (const [index, container] of items(status, 'initContainerStatuses').entries()) {
    countRestarts(summary, container);
    const terminated = maybeChild(child(container, 'state'), 'terminated');
    if (terminated !== undefined && count(terminated, 'exitCode') === 0) continue;
    if (sidecars.has(text(container, 'name')) && flag(container, 'started')) {
      if (flag(container, 'ready')) summary.ready += 1;
      continue;
    }
    const waiting = text(at(container, 'state.waiting'), 'reason');
    if (terminated !== undefined) summary.reason = `Init:${terminationReason(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') summary.reason = `Init:${waiting}`;
    else summary.reason = `Init:${index}/${total}`;
    return true;
  }
  return false;
}

function readContainers(summary: Summary, status: Draft, sidecars: ReadonlySet<string>): void {
  summary.restarts = 0;
  summary.lastRestart = '';
  for (const container of items(status, 'initContainerStatuses')) {
    if (sidecars.has(text(container, 'name'))) countRestarts(summary, container);
  }
  let running = false;
  let failure = '';
  // The first container has the last word.
  for (const container of items(status, 'containerStatuses').toReversed()) {
    countRestarts(summary, container);
    const state = child(container, 'state');
    const terminated = maybeChild(state, 'terminated');
    const waiting = text(child(state, 'waiting'), 'reason');
    if (waiting !== '') summary.reason = waiting;
    else if (terminated !== undefined) {
      summary.reason = terminationReason(terminated);
      if (count(terminated, 'exitCode') !== 0) failure = summary.reason;
    } else if (flag(container, 'ready') && maybeChild(state, 'running') !== undefined) {
      running = true;
      summary.ready += 1;
    }
  }
  if (summary.reason !== 'Completed') return;
  if (running && hasCondition(status, 'Ready')) summary.reason = 'Running';
  else if (failure !== '') summary.reason = failure;
  else if (running) summary.reason = 'NotReady';
}

function countRestarts(summary: Summary, container: Draft): void {
  summary.restarts += count(container, 'restartCount');
  const finished = text(at(container, 'lastState.terminated'), 'finishedAt');
  if (finished > summary.lastRestart) summary.lastRestart = finished;
}

function terminationReason(terminated: Draft): string {
  const signal = count(terminated, 'signal');
  const numbered = signal === 0 ? `ExitCode:${count(terminated, 'exitCode')}` : `Signal:${signal}`;
  return text(terminated, 'reason') || numbered;
}

function isSidecar(container: Draft): boolean {
  return text(container, 'restartPolicy') === 'Always';
}

function readinessGates(spec: Draft, status: Draft): string {
  const gates = items(spec, 'readinessGates');
  if (gates.length === 0) return none;
  const open = gates.filter((gate) => hasCondition(status, text(gate, 'conditionType'))).length;
  return `${open}/${gates.length}`;
}
