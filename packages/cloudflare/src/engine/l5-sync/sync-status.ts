import { isDeepStrictEqual } from 'node:util';
import { setCondition, toTimestamp } from '@tributary/runtime';
import type { NextCondition } from '@tributary/runtime';
import type { Loser } from '../l4-state/loser.ts';
import type { SyncStateStatus } from '../l4-state/sync-state.ts';
import type { Intent } from './plan.ts';
import type { Outputs } from './target.ts';

/** What has become of a SyncState: everything that its next status is made of. */
export type Progress =
  | ({ readonly kind: 'synced'; readonly losers: readonly Loser[] } & SyncedFacts)
  /** Before a write that takes long or that must be remembered. */
  | { readonly kind: 'syncing'; readonly intent?: Intent; readonly recorded?: unknown }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly message: string;
      readonly refused?: { readonly hash: string; readonly observed: string };
    }
  | { readonly kind: 'held'; readonly message: string }
  /** Nothing to do for this generation. */
  | { readonly kind: 'seen'; readonly losers?: readonly Loser[] };

export type SyncedFacts = {
  readonly hash: string;
  readonly id: string;
  readonly outputs: Outputs;
  readonly recorded: unknown;
  readonly created: boolean;
  /** Only where many sources make one object. */
  readonly aggregated: unknown;
  readonly duplicates: readonly string[];
  /** When to look again although nothing has changed; in ms since 1970. */
  readonly lookAgainAt?: number | undefined;
  /** Something was written to the provider just now. */
  readonly wrote: boolean;
  /** What there is to say about the room that is left for sources. */
  readonly nearLimit?: string | undefined;
  /** The provider took it and shows something else: known, told, and not tried again. */
  readonly unapplied?: Refused | undefined;
};

type Refused = { readonly message: string; readonly refused: { readonly hash: string; readonly observed: string } };

export type StatusContext = { readonly now: number; readonly generation: number | undefined };

/** The next status; the very same one where nothing would change, so that nothing is written. */
export function nextStatus(
  status: SyncStateStatus | undefined,
  progress: Progress,
  context: StatusContext,
): SyncStateStatus {
  const old = status ?? {};
  const next = asStored(toStatus(old, progress, context));
  const same = isDeepStrictEqual(next, old);
  if (progress.kind === 'synced') {
    return same && !progress.wrote ? old : { ...next, lastSyncTime: toTimestamp(context.now) };
  }
  return same ? old : next;
}

function toStatus(old: SyncStateStatus, progress: Progress, context: StatusContext): SyncStateStatus {
  const { generation } = context;
  const seen = generation === undefined ? {} : { observedGeneration: generation };
  switch (progress.kind) {
    case 'synced':
      return { ...old, ...seen, ...syncedFields(old, progress, context) };
    case 'syncing':
      return {
        ...old,
        syncStatus: 'Syncing',
        ...(progress.intent && { intent: { ...progress.intent } }),
        ...(progress.recorded !== undefined && { recorded: progress.recorded as SyncStateStatus['recorded'] }),
        conditions: ready(old, 'False', 'Syncing', 'being written to Cloudflare', context),
      };
    case 'failed':
      return {
        ...old,
        ...seen,
        syncStatus: 'Error',
        error: progress.message,
        lastError: progress.message,
        refused: progress.refused,
        conditions: ready(old, 'False', progress.reason, progress.message, context),
      };
    case 'held':
      return { ...old, ...seen, ...heldFields(old, progress.message, context) };
    case 'seen':
      return { ...old, ...seen, ...(progress.losers && { losers: listOf(progress.losers) }) };
    default:
      return progress satisfies never;
  }
}

/** Conditions that are there only as long as there is something to say. */
const passing: ReadonlySet<string> = new Set(['DeletionHeld', 'Duplicate', 'NearLimit']);

function syncedFields(
  old: SyncStateStatus,
  facts: Extract<Progress, { kind: 'synced' }>,
  context: StatusContext,
): SyncStateStatus {
  const { version, data } = facts.outputs;
  const { unapplied } = facts;
  const conditions = (
    unapplied
      ? ready(old, 'False', 'NotApplied', unapplied.message, context)
      : ready(old, 'True', 'Synced', 'Cloudflare has what is wanted', context)
  ).filter(({ type }) => !passing.has(type));
  return {
    syncStatus: unapplied ? 'Error' : 'Synced',
    configHash: facts.hash,
    cloudflareID: facts.id,
    created: facts.created,
    configVersion: version ?? old.configVersion,
    resultData: data && { ...data },
    aggregatedConfig: facts.aggregated as SyncStateStatus['aggregatedConfig'],
    recorded: facts.recorded as SyncStateStatus['recorded'],
    losers: listOf(facts.losers),
    error: unapplied?.message,
    lastError: unapplied?.message,
    refused: unapplied?.refused,
    intent: undefined,
    lookAgainAt: facts.lookAgainAt === undefined ? undefined : toTimestamp(facts.lookAgainAt),
    conditions: remarksOn(facts).reduce((all, remark) => set(all, remark, context), conditions),
  };
}

function remarksOn({ duplicates, nearLimit }: SyncedFacts): readonly NextCondition[] {
  const several = `also marked as ours, and left alone: ${duplicates.join(', ')}`;
  return [
    ...(duplicates.length > 0
      ? [{ type: 'Duplicate', status: 'True', reason: 'SeveralAreMarked', message: several } as const]
      : []),
    ...(nearLimit === undefined
      ? []
      : [{ type: 'NearLimit', status: 'True', reason: 'ManySources', message: nearLimit } as const]),
  ];
}

function heldFields(old: SyncStateStatus, message: string, context: StatusContext): SyncStateStatus {
  const held: NextCondition = { type: 'DeletionHeld', status: 'True', reason: 'TooManyDeletions', message };
  return {
    syncStatus: 'Pending',
    error: message,
    lastError: message,
    conditions: set(ready(old, 'False', 'Held', message, context), held, context),
  };
}

type Conditions = NonNullable<SyncStateStatus['conditions']>;

function ready(
  { conditions }: SyncStateStatus,
  status: 'True' | 'False',
  reason: string,
  message: string,
  context: StatusContext,
): Conditions {
  return set(conditions, { type: 'Ready', status, reason, message }, context);
}

function set(
  conditions: SyncStateStatus['conditions'],
  next: NextCondition,
  { now, generation }: StatusContext,
): Conditions {
  return [...setCondition(conditions, next, { now, observedGeneration: generation })];
}

function listOf(losers: readonly Loser[]): SyncStateStatus['losers'] {
  return losers.length > 0 ? losers.map((loser) => ({ ...loser })) : undefined;
}

/** As the server will give it back: absent fields gone, also deep inside of what a target gave us. */
function asStored(status: SyncStateStatus): SyncStateStatus {
  return JSON.parse(JSON.stringify(status)) as SyncStateStatus;
}

/** What a further slice of a SyncState shows: the whole is told by the first one. */
export function sliceStatus(
  status: SyncStateStatus | undefined,
  whole: SyncStateStatus,
  { generation }: { readonly generation?: number },
): SyncStateStatus {
  const next = asStored({
    ...status,
    syncStatus: whole.syncStatus,
    configHash: whole.configHash,
    error: whole.error,
    lastError: whole.lastError,
    cloudflareID: whole.cloudflareID,
    resultData: whole.resultData,
    losers: whole.losers,
    ...(generation !== undefined && { observedGeneration: generation }),
  });
  return status && isDeepStrictEqual(next, status) ? status : next;
}
