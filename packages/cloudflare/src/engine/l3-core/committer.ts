import { isAlreadyExists, isConflict, isNotFound, sleep, toTimestamp } from '@tributary/runtime';
import type { Connection, Informer } from '@tributary/runtime';
import type { Contribution } from '../l4-state/contract.ts';
import type { Source, SourceRef } from '../l4-state/source.ts';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { SyncState, SyncStateSpec } from '../l4-state/sync-state.ts';
import { applyEdits } from './apply-edits.ts';
import type { Edit } from './apply-edits.ts';
import { createMailboxes } from './mailboxes.ts';

/**
 * Layer 3, the only writer of SyncState specs. Edits of one SyncState that come together go in one write; across
 * replicas a write is conflict-free or done again on what the other one wrote.
 */
export type Committer = {
  /** Resolves when the stored SyncState holds this source with this config. */
  readonly register: (contribution: Contribution, owner: SourceOwner) => Promise<void>;
  /** Resolves when the stored SyncState does not hold this source, or is gone. */
  readonly unregister: (syncStateName: string, ref: SourceRef) => Promise<void>;
};

/** The object behind a source. */
export type SourceOwner = { readonly ref: SourceRef; readonly createdAt: string };

export type CommitterOptions = {
  /** While edits keep coming, at most one write of a SyncState in this time. The first goes at once. */
  readonly minIntervalMs?: number;
};

type CommitterDeps = Pick<Connection, 'client' | 'cache' | 'clock' | 'random'>;

export function createCommitter({ minIntervalMs = 1000 }: CommitterOptions, deps: CommitterDeps): Committer {
  const informer = deps.cache.informer(syncStateKind);
  const mailboxes = createMailboxes<Edit>({ minIntervalMs }, deps.clock, async (name, edits) => {
    await commit(name, edits, informer, deps);
  });
  return {
    register: async ({ syncState: head, config, priority }, { ref, createdAt }) => {
      const source: Source = { ref, config, priority, createdAt };
      const edit: Edit = { do: 'put', head, source };
      if (isDone(informer.get({ name: head.name }), edit)) return;
      await mailboxes.post(head.name, edit);
    },
    unregister: async (name, ref) => {
      const edit: Edit = { do: 'drop', ref };
      if (isDone(informer.get({ name }), edit)) return;
      await mailboxes.post(name, edit);
    },
  };
}

/** Whether the cache shows already what the edit asks for. A SyncState on its way out holds nothing. */
function isDone(current: SyncState | undefined, edit: Edit): boolean {
  if (!current || current.metadata.deletionTimestamp) return edit.do === 'drop';
  return applyEdits(current.spec, [edit], '') === current.spec;
}

const firstPauseMs = 20;
const longestPauseMs = 1000;

async function commit(
  name: string,
  edits: readonly Edit[],
  informer: Informer<SyncState>,
  deps: CommitterDeps,
): Promise<void> {
  await informer.caughtUp(name);
  let current = informer.get({ name });
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    current = await afterItsEnd(current, informer);
    const next = applyEdits(current?.spec, edits, toTimestamp(deps.clock.now()));
    if (!next || next === current?.spec) return;
    if (await write(name, current, next, edits, deps)) return;
    // Jitter lets one of several writers through; whoever comes second finds most of its edits made already.
    await sleep(deps.clock, pauseMs * (0.5 + deps.random()));
    current = await readLive(name, deps);
  }
}

/** False: somebody else was faster. */
async function write(
  name: string,
  current: SyncState | undefined,
  spec: SyncStateSpec,
  edits: readonly Edit[],
  { client }: CommitterDeps,
): Promise<boolean> {
  try {
    if (current) {
      const { resourceVersion } = current.metadata;
      await client.patch(syncStateKind, { name }, { type: 'merge', body: { metadata: { resourceVersion }, spec } });
    } else {
      await client.create(syncStateKind, { metadata: newMetadata(name, edits), spec });
    }
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) return false;
    throw error;
  }
}

/** One write creates the SyncState with its finalizer and its first sources: nobody ever sees it empty. */
function newMetadata(name: string, edits: readonly Edit[]): SyncState['metadata'] {
  const head = edits.flatMap((edit) => (edit.do === 'put' ? [edit.head] : []))[0];
  return { name, ...(head && { labels: head.labels, finalizers: [head.finalizer] }) };
}

async function readLive(name: string, { client }: CommitterDeps): Promise<SyncState | undefined> {
  try {
    return await client.get(syncStateKind, { name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A SyncState that is being deleted takes no sources: wait until it is gone, then a new one is made. */
async function afterItsEnd(
  current: SyncState | undefined,
  informer: Informer<SyncState>,
): Promise<SyncState | undefined> {
  if (!current?.metadata.deletionTimestamp) return current;
  const { name = '', uid } = current.metadata;
  return new Promise((resolve) => {
    const end = informer.onChange((change) => {
      if (change.object.metadata.name !== name) return;
      const seen = informer.get({ name });
      if (seen?.metadata.uid === uid) return;
      // The listener is called for cached objects before `onChange` returns, so the end comes a moment later.
      queueMicrotask(() => end());
      resolve(seen);
    });
  });
}
