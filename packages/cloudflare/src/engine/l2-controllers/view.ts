import { isDeepStrictEqual } from 'node:util';
import { getCondition, isTrue } from '@tributary/runtime';
import type { Condition } from '@tributary/runtime';
import { isSettled } from '../l3-core/leavers.ts';
import { placeOf, sourceIn } from '../l3-core/slices.ts';
import type { Contribution } from '../l4-state/contract.ts';
import type { Loser } from '../l4-state/loser.ts';
import { sourceId } from '../l4-state/source.ts';
import type { SourceRef } from '../l4-state/source.ts';
import type { SyncState } from '../l4-state/sync-state.ts';
import type { Part, ReadyWords, View } from './contributor.ts';
import type { SyncStates } from './sync-states.ts';
import { withNext } from './what-next.ts';

export type Ready = Pick<Condition, 'status' | 'reason' | 'message'>;

export const defaultWords: ReadyWords = { synced: 'Synced', pending: 'Pending', failed: 'SyncFailed' };

/** What has become of an object's contributions, by what the SyncStates say. */
export function toView(
  ref: SourceRef,
  contributions: readonly Contribution[],
  syncStates: Pick<SyncStates, 'slices'>,
  words: ReadyWords,
): View {
  const looked = contributions.map((contribution) => lookAt(ref, contribution, syncStates));
  const losses = looked.flatMap(({ part }) => lossesOf(ref, part.syncState));
  const failed = looked.find(({ failure }) => failure !== undefined)?.failure;
  const isSynced = looked.every(({ part }) => part.synced);
  const state = failed ? 'Error' : isSynced ? 'Synced' : 'Pending';
  return { state, ready: toReady({ failed, isSynced, losses }, words), parts: looked.map(({ part }) => part), losses };
}

/** For an object whose wishes are not known: something that it needs is missing, or it makes no sense. */
export function viewOfProblem(state: 'Pending' | 'Error', reason: string, message: string): View {
  return { state, ready: { status: 'False', reason, message }, parts: [], losses: [] };
}

type Failure = { readonly reason: string | undefined; readonly message: string };
type Looked = { readonly part: Part; readonly failure: Failure | undefined };

function lookAt(ref: SourceRef, contribution: Contribution, syncStates: Pick<SyncStates, 'slices'>): Looked {
  const slices = syncStates.slices(contribution.syncState.name);
  const first = slices.find(({ metadata }) => metadata.name === contribution.syncState.name);
  const place = placeOf(slices, ref);
  const taken = place !== undefined && isTaken(place, ref, contribution);
  const { status } = place ?? {};
  const isCurrent = taken && (status?.observedGeneration ?? 0) >= (place.metadata.generation ?? 0);
  const part: Part = {
    contribution,
    syncState: first,
    synced: taken && isSettled(place),
    outputs: first?.status?.resultData ?? {},
    id: first?.status?.cloudflareID,
  };
  // What others want to take out of a shared object holds up what is new in it: a wait for a person, not for Cloudflare.
  const isStuck = status?.syncStatus === 'Error' || isTrue(status?.conditions, 'DeletionHeld');
  const failure = isCurrent && isStuck ? toFailure(place) : undefined;
  return { part, failure };
}

function isTaken(state: SyncState, ref: SourceRef, { config, priority }: Contribution): boolean {
  const stored = sourceIn(state.spec, ref);
  return stored?.priority === priority && !stored.orphaned && isDeepStrictEqual(stored.config, config);
}

function toFailure({ status }: SyncState): Failure {
  const reason = getCondition<Condition>(status?.conditions, 'Ready')?.reason;
  // The general word is the kind's to choose; a more special one says more than the kind can.
  const isSpecial = reason !== undefined && !['SyncFailed', 'Syncing', 'Pending', 'Synced'].includes(reason);
  const message = withNext(status?.error ?? 'the sync failed', reason);
  return { reason: isSpecial ? reason : undefined, message };
}

function lossesOf(ref: SourceRef, state: SyncState | undefined): readonly Loser[] {
  const id = sourceId(ref);
  return (state?.status?.losers ?? []).filter((loser) => sourceId(loser.ref) === id);
}

function toReady(
  facts: { readonly failed: Failure | undefined; readonly isSynced: boolean; readonly losses: readonly Loser[] },
  words: ReadyWords,
): Ready {
  const { failed, isSynced, losses } = facts;
  if (failed) return { status: 'False', reason: failed.reason ?? words.failed, message: failed.message };
  if (!isSynced) return { status: 'False', reason: words.pending, message: 'waiting for Cloudflare' };
  if (losses.length > 0) return { status: 'False', reason: 'Conflict', message: toLossText(losses) };
  return { status: 'True', reason: words.synced, message: 'in step with Cloudflare' };
}

const mostLosses = 10;

/** `app.example.com/: Ingress/default/other has it (is older)`, and so on. */
export function toLossText(losses: readonly Loser[]): string {
  const texts = losses.slice(0, mostLosses).map(({ what, reason }) => `${what}: ${reason}`);
  const more = losses.length > mostLosses ? [`and ${losses.length - mostLosses} more`] : [];
  return [...texts, ...more].join('; ');
}
