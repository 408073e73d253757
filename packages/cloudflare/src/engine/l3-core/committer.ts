import { OperatorError } from '@tributary/runtime';
import type { Connection } from '@tributary/runtime';
import type { Contribution } from '../l4-state/contract.ts';
import { sliceBytes } from '../l4-state/slice-bytes.ts';
import { sourceId } from '../l4-state/source.ts';
import type { Source, SourceRef } from '../l4-state/source.ts';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { SyncState } from '../l4-state/sync-state.ts';
import { isApplied } from './apply-edits.ts';
import type { Edit } from './apply-edits.ts';
import { createCommit } from './commit.ts';
import { createMailboxes } from './mailboxes.ts';
import { atSlice, baseNameOf, placeOf, roomFor } from './slices.ts';

/**
 * Layer 3, the only writer of SyncState specs. Edits of one SyncState that come together go in one write; across
 * replicas a write is conflict-free or done again on what the other one wrote.
 */
export type Committer = {
  /** Resolves when the stored SyncState, or a slice of it, holds this source with this config. */
  readonly register: (contribution: Contribution, owner: SourceOwner, signal?: AbortSignal) => Promise<void>;
  /** Whether the cache shows it registered. */
  readonly isRegistered: (contribution: Contribution, owner: SourceOwner) => boolean;
  /** Resolves when the stored SyncState does not hold this source, or is gone. */
  readonly unregister: (syncStateName: string, ref: SourceRef, signal?: AbortSignal) => Promise<void>;
  /** Resolves when the stored SyncState says that the remote side stays when this source goes, or is gone. */
  readonly orphan: (syncStateName: string, ref: SourceRef, signal?: AbortSignal) => Promise<void>;
  /** Whoever still waits is told; nothing is written any more. */
  readonly stop: () => void;
};

/** The object behind a source. */
export type SourceOwner = { readonly ref: SourceRef; readonly createdAt: string };

export type CommitterOptions = {
  /** While edits keep coming, at most one write of a SyncState in this time. The first goes at once. */
  readonly minIntervalMs?: number;
  /** How large a SyncState may grow before new sources go into its next slice. */
  readonly maxBytes?: number;
};

type PutEdit = Extract<Edit, { readonly do: 'put' }>;
type CommitterDeps = Pick<Connection, 'client' | 'cache' | 'clock' | 'random'>;

const baseIndex = 'slices-by-base-name';

export function createCommitter(options: CommitterOptions, deps: CommitterDeps): Committer {
  const { minIntervalMs = 1000, maxBytes = sliceBytes } = options;
  const informer = deps.cache.informer(syncStateKind);
  informer.addIndex(baseIndex, (state) => [baseNameOf(state)]);
  const stopping = new AbortController();
  const commit = createCommit({ maxBytes }, { ...deps, informer, signal: stopping.signal });
  const mailboxes = createMailboxes<Edit>({ minIntervalMs }, deps.clock, async (name, edits) => {
    const overflow = await commit(name, edits);
    await Promise.all(overflow.map(async (edit) => mailboxes.post(edit.head.name, edit)));
  });
  const settle = async (name: string, edit: Edit, signal: AbortSignal | undefined): Promise<void> => {
    if (isDone(informer.get({ name }), edit)) return;
    await unlessAborted(mailboxes.post(name, edit), signal);
  };
  const toEdit = ({ syncState: head, config, priority }: Contribution, owner: SourceOwner): PutEdit => {
    const source: Source = { ...owner, config, priority };
    const slices = informer.byIndex(baseIndex, head.name);
    const place = placeOf(slices, owner.ref);
    const placed = place ? atSlice(head, place.spec.slice ?? 0) : roomFor(head, slices, maxBytes);
    return { do: 'put', head: placed, source };
  };
  return {
    register: async (contribution, owner, signal) => {
      const edit = toEdit(contribution, owner);
      checkSize(edit.source, maxBytes);
      await settle(edit.head.name, edit, signal);
    },
    isRegistered: (contribution, owner) => {
      const edit = toEdit(contribution, owner);
      return isDone(informer.get({ name: edit.head.name }), edit);
    },
    unregister: async (name, ref, signal) => settle(name, { do: 'drop', ref }, signal),
    orphan: async (name, ref, signal) => settle(name, { do: 'orphan', ref }, signal),
    stop: () => {
      const reason = new OperatorError('syncstate/stopping', 'layer 3 is stopping', { kind: 'backoff' });
      stopping.abort(reason);
      mailboxes.close(reason);
    },
  };
}

/** Before it is posted: those that go with it in one write must not suffer from it. */
function checkSize(source: Source, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(source));
  if (bytes <= maxBytes) return;
  throw new OperatorError(
    'syncstate/source-too-large',
    `what ${sourceId(source.ref)} asks for takes ${bytes} bytes, more than the ${maxBytes} that one object holds`,
    { kind: 'never' },
  );
}

/** Whether the cache shows already what the edit asks for. A SyncState on its way out holds nothing. */
function isDone(current: SyncState | undefined, edit: Edit): boolean {
  if (!current || current.metadata.deletionTimestamp) return edit.do !== 'put';
  return isApplied(current.spec, edit);
}

/** What is posted is done in any case; only the wait for it ends early. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
