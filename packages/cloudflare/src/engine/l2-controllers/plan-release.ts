import { getCondition, recheck, settled } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { isInStep } from '../l3-core/leavers.ts';
import { baseNameOf, sourceIn } from '../l3-core/slices.ts';
import type { SourceRef } from '../l4-state/source.ts';
import type { SyncState } from '../l4-state/sync-state.ts';
import { removeChildren } from './children.ts';
import { planStatus } from './plan-status.ts';
import { sourceRefOf } from './plan-object.ts';
import type { PlanContext } from './plan-object.ts';
import type { Plan, Step } from './step.ts';
import type { SyncStates } from './sync-states.ts';

const deletionPolicyAnnotation = 'cloudflare-operator.io/deletion-policy';
const abandonAnnotation = 'cloudflare-operator.io/abandon';

/**
 * How an object that is being deleted, or is not ours any more, gets out of everything. It asks no reference: what it
 * takes part in is known from the SyncStates. It is let go when the remote side is confirmed, or is to stay.
 */
export function planRelease(object: KubeObject, context: PlanContext): Plan {
  const { contributor, refs } = context;
  const ref = sourceRefOf(contributor.kind, object);
  const out = takeOut(object, ref, context);
  const children = context.children(ref);
  const hold = object.metadata.deletionTimestamp ? contributor.holdDeletion?.(object, refs) : undefined;
  const steps = [...out.steps, ...removeChildren(children)];
  // Read, so that their changes wake this object: it is no source of theirs any more.
  for (const { metadata } of out.waitingFor) refs.syncState(metadata.name ?? '');
  const reasons = [
    ...out.waitingFor.map(reasonOf),
    ...children.map(({ kind, object: child }) => `${kind.kind} ${child.metadata.name ?? ''} is being deleted`),
    ...(hold === undefined ? [] : [hold]),
  ];
  if (steps.length > 0 || reasons.length > 0) return waiting(object, steps, reasons, hasFailed(out), context);
  return { steps: letGo(object, context), outcome: settled };
}

/** Nobody is left to ask: what the object contributed is taken out, unless it said on its way that it shall stay. */
export function planAbsent(ref: SourceRef, { syncStates, cachesComplete }: PlanContext): Plan {
  if (!cachesComplete) return { steps: [], outcome: recheck(1000) };
  const held = syncStates.of(ref).filter((state) => !state.metadata.deletionTimestamp && !isOrphaned(state, ref));
  return { steps: held.map(toUnregister), outcome: settled };
}

type Departure = { readonly steps: readonly Step[]; readonly waitingFor: readonly SyncState[] };

function takeOut(object: KubeObject, ref: SourceRef, { contributor, syncStates }: PlanContext): Departure {
  const held = syncStates.of(ref);
  const left = syncStates.leftBy(ref).filter((state) => !isDone(state, syncStates));
  const open = held.filter(({ metadata }) => !metadata.deletionTimestamp);
  if (policyOf(object, contributor.deletionPolicy?.(object)) === 'Delete') {
    return { steps: open.map(toUnregister), waitingFor: [...held, ...left] };
  }
  const emptied = left.filter(({ spec, metadata }) => !spec.sources?.length && !metadata.deletionTimestamp);
  const flagless = open.filter((state) => !isOrphaned(state, ref));
  return { steps: [...flagless, ...emptied].map(toOrphan), waitingFor: [] };
}

/** The remote side goes on without this object. Where nobody is left, not even in another slice, it has to end first. */
function isDone(state: SyncState, { slices }: SyncStates): boolean {
  return (
    (isInStep(state) || isMissing(state)) &&
    slices(baseNameOf(state)).some(({ spec }) => (spec.sources ?? []).length > 0)
  );
}

/** What all of them share is not there, nor is anything that this object had in it. */
function isMissing({ metadata, status }: SyncState): boolean {
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isSeen && getCondition<Condition>(status?.conditions, 'Ready')?.reason === 'NotFound';
}

function isOrphaned({ spec }: SyncState, ref: SourceRef): boolean {
  return sourceIn(spec, ref)?.orphaned ?? false;
}

function policyOf({ metadata }: KubeObject, own: 'Delete' | 'Orphan' | undefined): 'Delete' | 'Orphan' {
  const { [abandonAnnotation]: abandon, [deletionPolicyAnnotation]: policy } = metadata.annotations ?? {};
  return abandon === 'true' || policy === 'Orphan' || own === 'Orphan' ? 'Orphan' : 'Delete';
}

function toUnregister({ metadata }: SyncState): Step {
  return { do: 'unregister', syncState: metadata.name ?? '' };
}

function toOrphan({ metadata }: SyncState): Step {
  return { do: 'orphan', syncState: metadata.name ?? '' };
}

function hasFailed({ waitingFor }: Departure): boolean {
  return waitingFor.some(({ status }) => status?.syncStatus === 'Error');
}

function reasonOf({ metadata, status }: SyncState): string {
  const held = getCondition<Condition>(status?.conditions, 'DeletionHeld')?.message;
  const why = held ?? (status?.syncStatus === 'Error' ? (status.error ?? 'failed') : undefined);
  return `CloudflareSyncState ${metadata.name ?? ''} is not done${why === undefined ? '' : `: ${why}`}`;
}

/** Told when it takes long or something is wrong: an ordinary deletion costs no write of the status. */
function waiting(
  object: KubeObject,
  steps: readonly Step[],
  reasons: readonly string[],
  failed: boolean,
  context: PlanContext,
): Plan {
  if (steps.length > 0) return { steps, outcome: settled };
  const leftMs = failed ? 0 : context.pendingLeftMs();
  if (leftMs > 0) return { steps: [], outcome: recheck(leftMs) };
  const { ready: words, whileDeleting: fields = {}, emptyStatus: required } = context.contributor;
  if (words === false) return { steps: [], outcome: settled };
  const ready = { status: 'False', reason: 'Deleting', message: reasons.join('; ') } as const;
  return { steps: planStatus({ object, fields, required, ready, now: context.now }), outcome: settled };
}

/** Ours and those that earlier operators have left, in one write. */
function letGo(object: KubeObject, { contributor, refs }: PlanContext): readonly Step[] {
  const { metadata } = object;
  const { finalizer, formerFinalizers = [], formerSecrets } = contributor;
  const ours = new Set([...(finalizer === undefined ? [] : [finalizer]), ...formerFinalizers]);
  const before = metadata.finalizers ?? [];
  const finalizers = before.filter((each) => !ours.has(each));
  if (finalizers.length === before.length) return [];
  const secrets = formerSecrets?.(object, refs.operatorNamespace) ?? [];
  return [
    ...secrets.map((secret): Step => ({ do: 'release-secret', ...secret })),
    { do: 'set-finalizers', finalizers },
  ];
}
