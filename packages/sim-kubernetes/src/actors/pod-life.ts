// How a pod on a scripted node goes on: a pure decision from what is stored and what the kubelet remembers.
import type { StoredObject } from '../registry/json.ts';
import { child, count, flag, items, maybeChild, text } from '../kinds/draft-fields.ts';
import type { PodScript } from './pod-script.ts';
import type { PodStage } from './pod-status.ts';

export type Timing = {
  /** From one stage of the start of a pod to the next. */
  readonly createMs: number;
  /** From the deletion to the end of the containers; never longer than the grace period. */
  readonly stopMs: number;
};

/** Times that statuses hold too coarsely; all in the milliseconds of the clock. */
export type PodMemory = { readonly startMs: number; readonly runMs?: number; readonly crashMs?: number };

export type PodStep =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'write'; readonly stage: PodStage; readonly memory: PodMemory }
  | { readonly do: 'remove' };

const nothing: PodStep = { do: 'nothing' };

export function nextPodStep(
  pod: StoredObject,
  memory: PodMemory,
  script: PodScript,
  timing: Timing,
  now: { readonly ms: number; readonly text: string },
): PodStep {
  const phase = text(child(pod, 'status'), 'phase');
  const over = phase === 'Succeeded' || phase === 'Failed';
  if (pod.metadata.deletionTimestamp !== undefined) return stopping(pod, memory, timing, now.ms, over);
  if (over) return nothing;
  return phase === 'Running' ? running(pod, memory, script, now) : starting(pod, memory, script, timing, now);
}

function stopping(pod: StoredObject, memory: PodMemory, timing: Timing, nowMs: number, over: boolean): PodStep {
  const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const askedMs = Date.parse(pod.metadata.deletionTimestamp ?? '') - graceMs;
  const leftMs = askedMs + Math.min(timing.stopMs, graceMs) - nowMs;
  if (leftMs > 0) return { do: 'wait', ms: leftMs };
  return over ? { do: 'remove' } : { do: 'write', stage: { kind: 'ended', exitCode: 0 }, memory };
}

function starting(
  pod: StoredObject,
  memory: PodMemory,
  script: PodScript,
  { createMs }: Timing,
  now: { readonly ms: number; readonly text: string },
): PodStep {
  const initial = items(child(pod, 'spec'), 'initContainers').length;
  const elapsed = Math.floor((now.ms - memory.startMs) / Math.max(createMs, 1));
  const waitMs = memory.startMs + (elapsed + 1) * createMs - now.ms;
  const started = child(pod, 'status')['startTime'] !== undefined;
  const stage = startStage(elapsed, initial, script, now.text);
  if (started && isWritten(pod, stage)) return stage.kind === 'pull-error' ? nothing : { do: 'wait', ms: waitMs };
  return { do: 'write', stage, memory: stage.kind === 'running' ? { ...memory, runMs: now.ms } : memory };
}

/** First the sandbox is made, then one init container after the other runs, then the containers come. */
function startStage(elapsed: number, initial: number, script: PodScript, nowText: string): PodStage {
  if (elapsed === 0) return { kind: 'creating' };
  if (elapsed <= initial) return { kind: 'init', index: elapsed - 1 };
  if (script.outcome === 'pull-error') return { kind: 'pull-error' };
  return { kind: 'running', ready: script.outcome !== 'unready', restarts: 0, startedAt: nowText };
}

function isWritten(pod: StoredObject, stage: PodStage): boolean {
  const status = child(pod, 'status');
  const [first] = items(status, 'containerStatuses');
  const waiting = text(child(child(first, 'state'), 'waiting'), 'reason');
  if (stage.kind === 'creating') return waiting === 'ContainerCreating';
  if (stage.kind === 'pull-error') return waiting === 'ImagePullBackOff';
  if (stage.kind !== 'init') return false;
  const current = items(status, 'initContainerStatuses')[stage.index];
  return waiting === 'PodInitializing' && maybeChild(child(current, 'state'), 'running') !== undefined;
}

const longestBackoffMs = 300_000;

function running(
  pod: StoredObject,
  memory: PodMemory,
  script: PodScript,
  now: { readonly ms: number; readonly text: string },
): PodStep {
  const [first] = items(child(pod, 'status'), 'containerStatuses');
  const restarts = count(first, 'restartCount');
  if (text(child(child(first, 'state'), 'waiting'), 'reason') === 'CrashLoopBackOff') {
    const backoffMs = restarts === 0 ? 0 : Math.min(10_000 * 2 ** (restarts - 1), longestBackoffMs);
    const leftMs = (memory.crashMs ?? now.ms) + backoffMs - now.ms;
    if (leftMs > 0) return { do: 'wait', ms: leftMs };
    const stage: PodStage = { kind: 'running', ready: true, restarts: restarts + 1, startedAt: now.text };
    return { do: 'write', stage, memory: { ...memory, runMs: now.ms } };
  }
  if (script.outcome !== 'succeed' && script.outcome !== 'fail') return readiness(memory, script, first ?? {});
  const leftMs = (memory.runMs ?? now.ms) + script.afterMs - now.ms;
  if (leftMs > 0) return { do: 'wait', ms: leftMs };
  const exitCode = script.outcome === 'fail' ? 1 : 0;
  const stage: PodStage = isRestarted(pod, exitCode)
    ? { kind: 'backoff', restarts, exitCode }
    : { kind: 'ended', exitCode };
  return { do: 'write', stage, memory: { ...memory, crashMs: now.ms } };
}

/** The script of a running pod may change whether it is ready. */
function readiness(memory: PodMemory, script: PodScript, first: ReturnType<typeof child>): PodStep {
  const wanted = script.outcome !== 'unready';
  if (flag(first, 'ready') === wanted) return nothing;
  const startedAt = text(child(child(first, 'state'), 'running'), 'startedAt');
  const stage: PodStage = { kind: 'running', ready: wanted, restarts: count(first, 'restartCount'), startedAt };
  return { do: 'write', stage, memory };
}

function isRestarted(pod: StoredObject, exitCode: number): boolean {
  const policy = text(child(pod, 'spec'), 'restartPolicy');
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
