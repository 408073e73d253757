import {
  getCondition,
  hasFinalizer,
  isConflict,
  isNotFound,
  isOperatorError,
  KubeApiError,
  OperatorError,
  recheck,
  settled,
  toRef,
} from '@tributary/runtime';
import type { Informer, Log, Outcome, Reconcile } from '@tributary/runtime';
import type { EipObserver } from '../provider/observer.ts';
import { isVpcError } from '../provider/vpc-error.ts';
import { holderOf } from './claims.ts';
import type { EipPass, PassDeps } from './eip-pass.ts';
import { deletionStartedMs, idOf } from './eip-world.ts';
import type { EipSettings, EipWorld } from './eip-world.ts';
import { toFailureEvent, toFailureReport } from './failure-report.ts';
import { finalizer, memoryOf } from './memory.ts';
import type { Observation } from './observed-eip.ts';
import { performStep } from './perform-step.ts';
import { planEip } from './plan-eip.ts';
import type { Report } from './report.ts';
import { createTokenLog } from './token-log.ts';
import type { TokenLog } from './token-log.ts';
import { eipKind } from './resource.ts';
import type { EipObject } from './resource.ts';
import { writeStatus } from './write-object.ts';

export type ReconcileDeps = Omit<PassDeps, 'log'> & {
  readonly informer: Pick<Informer<EipObject>, 'get' | 'byIndex'>;
  readonly observer: Pick<EipObserver, 'ready' | 'get' | 'look' | 'marked' | 'findMarked'>;
  readonly settings: EipSettings;
  readonly random: () => number;
};

/** The names of the informer's indexes that a reconcile uses. */
export const byAllocationId = 'allocationID';
export const byUid = 'uid';

/** What is in motion is looked at anew; what is at rest is as the last sweep showed it. */
const freshMs = 4000;
const conflictMs = 200;
const kubeRetryMs = 15_000;
/** A pass that has not come to rest after so many rounds is left to the next one. */
const maxRounds = 12;

/** The thin shell: read, plan, perform, until there is nothing to do; then say so. */
export function createEipReconcile(deps: ReconcileDeps): Reconcile {
  const tokens = createTokenLog();
  return async (key, { signal, log }) => {
    const object = deps.informer.get(toRef(key));
    if (!object || isNoneOfOurs(object)) return settled;
    const uid = object.metadata.uid ?? '';
    const shell = { ...deps, tokens, log };
    let pass = startPass(object, deps);
    try {
      // A deletion looks for itself, and may need the provider for nothing: it does not wait for the first sweep.
      if (deletionStartedMs(object) === undefined) {
        await deps.observer.ready(signal);
        pass = startPass(object, deps);
      }
      const outcome = await runPass(pass, (next) => (pass = next), shell, signal);
      if (memoryOf(pass.object)?.intent === undefined) tokens.forget(uid);
      return outcome;
    } catch (error) {
      return recover(error, pass, shell);
    }
  };
}

/** It goes, and we have no part in it. */
function isNoneOfOurs(object: EipObject): boolean {
  return deletionStartedMs(object) !== undefined && !hasFinalizer(object, finalizer);
}

type Shell = ReconcileDeps & { readonly tokens: TokenLog; readonly log: Log };

function startPass(object: EipObject, { observer }: ReconcileDeps): EipPass {
  return {
    object,
    observation: observationOf(object, observer),
    marked: observer.marked(object.metadata.uid ?? ''),
    markedIsFresh: false,
    releaseAccepted: false,
  };
}

/** What cannot be undone is decided on nothing but what is seen in this very pass. */
function observationOf(object: EipObject, observer: ReconcileDeps['observer']): Observation {
  const id = idOf(object);
  if (id === undefined || deletionStartedMs(object) !== undefined) return { kind: 'unknown' };
  const isMoving = getCondition(object.status?.conditions, 'Progressing')?.status === 'True';
  return observer.get(id, isMoving ? freshMs : undefined);
}

async function runPass(
  start: EipPass,
  note: (pass: EipPass) => void,
  shell: Shell,
  signal: AbortSignal,
): Promise<Outcome> {
  const done = new Set<string>();
  let pass = start;
  for (let round = 0; round < maxRounds; round += 1) {
    const plan = planEip(toWorld(pass, shell));
    if ('report' in plan) return rest(plan.report, pass, shell);
    const signature = JSON.stringify(plan.steps);
    if (done.has(signature)) return rest(plan.meanwhile, pass, shell);
    done.add(signature);
    for (const step of plan.steps) {
      signal.throwIfAborted();
      try {
        pass = await performStep(step, pass, shell, signal);
      } catch (error) {
        if (step.do !== 'allocate') throw error;
        shell.tokens.failed(pass.object.metadata.uid ?? '', step.intent.token, error);
        // Something was allocated with this token: look for it right away.
        if (!isVpcError(error, 'mismatch')) throw error;
      }
      note(pass);
      if (step.do === 'remember' && step.memory.intent) shell.tokens.made(step.memory.intent.token);
      if (step.do === 'let-go') return settled;
    }
  }
  return recheck(conflictMs);
}

function toWorld(pass: EipPass, { informer, settings, random, clock, tokens }: Shell): EipWorld {
  const { object } = pass;
  const uid = object.metadata.uid ?? '';
  const id = idOf(object);
  return {
    ...pass,
    refused: tokens.refused(uid),
    holder: id === undefined ? undefined : holderOf(object, informer.byIndex(byAllocationId, id)),
    isAlive: (other) => informer.byIndex(byUid, other).length > 0,
    settings,
    nextToken: `${uid}-${Math.floor(random() * 2 ** 48)
      .toString(16)
      .padStart(12, '0')}`,
    nowMs: clock.now(),
  };
}

async function rest(
  report: Report,
  { object, observation }: EipPass,
  { client, clock, random }: Shell,
): Promise<Outcome> {
  await writeStatus(client, object, { observation, report, nowMs: clock.now() });
  return report.recheckMs === undefined ? settled : recheck(report.recheckMs * (0.9 + 0.2 * random()));
}

/** Says what went wrong where the user looks, then lets the error decide when to try again. */
async function recover(error: unknown, { object, observation }: EipPass, shell: Shell): Promise<Outcome> {
  if (isConflict(error)) return recheck(conflictMs);
  if (isNotFound(error)) return settled;
  if (isOperatorError(error) && (error.code === 'leader/lost' || error.code === 'controller/stopping')) throw error;
  const { client, clock, events, log } = shell;
  const report = toFailureReport(error, object);
  const before = getCondition(object.status?.conditions, 'Ready');
  const isNews = before?.reason !== report.ready.reason || before.message !== report.ready.message;
  try {
    await writeStatus(client, object, { observation, report, nowMs: clock.now() });
  } catch (statusError) {
    log.debug({ err: statusError }, 'the status could not be written');
  }
  if (isNews) {
    events.record(eipKind, object, { type: 'Warning', reason: toFailureEvent(error), message: report.ready.message });
  }
  throw toRetried(error);
}

/** The controller's back-off begins at half a minute, which is for the provider; the API server is asked again sooner. */
function toRetried(error: unknown): Error {
  if (error instanceof KubeApiError || (isOperatorError(error) && error.code === 'kube/unreachable')) {
    return new OperatorError(error.code, error.message, { kind: 'after', ms: kubeRetryMs }, { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}
