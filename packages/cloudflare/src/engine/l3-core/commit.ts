import { isAlreadyExists, isConflict, isNotFound, mergePatchBetween, sleep, toTimestamp } from '@tributary/runtime';
import type { Connection, Informer } from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { SyncState, SyncStateSpec } from '../l4-state/sync-state.ts';
import { applyEdits } from './apply-edits.ts';
import type { Edit } from './apply-edits.ts';
import { leaversOf, leftByAnnotation } from '../l4-state/left-by.ts';
import { leftByAfter } from './leavers.ts';
import { bytesOf, hasSource, nextSlice } from './slices.ts';

type PutEdit = Extract<Edit, { readonly do: 'put' }>;

type CommitDeps = Pick<Connection, 'client' | 'clock' | 'random'> & {
  readonly informer: Informer<SyncState>;
  readonly signal: AbortSignal;
};

const firstPauseMs = 20;
const longestPauseMs = 1000;

/** Writes edits of one SyncState in one piece; returns those that found no room, for its next slice. */
export function createCommit(
  { maxBytes }: { readonly maxBytes: number },
  deps: CommitDeps,
): (name: string, edits: readonly Edit[]) => Promise<readonly PutEdit[]> {
  const { informer, clock, random, signal } = deps;
  return async (name, given) => {
    await informer.caughtUp(name, signal);
    let current = informer.get({ name });
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      current = await afterItsEnd(current, informer, signal);
      const { edits, next, overflow } = fit(current, given, toTimestamp(clock.now()), maxBytes);
      if (!next || next === current?.spec) return overflow;
      if (await write(name, current, next, edits, deps)) return overflow;
      // Jitter lets one of several writers through; whoever comes second finds most of its edits made already.
      await sleep(clock, pauseMs * (0.5 + random()), signal);
      current = await readLive(name, deps);
    }
  };
}

type Fit = {
  readonly edits: readonly Edit[];
  readonly next: SyncStateSpec | undefined;
  readonly overflow: readonly PutEdit[];
};

/** Where all together is too large, those new sources that have no room go elsewhere. Sources that are here stay. */
function fit(current: SyncState | undefined, edits: readonly Edit[], now: string, maxBytes: number): Fit {
  const next = applyEdits(current?.spec, edits, now);
  if (!next || next === current?.spec || bytesOf(next) <= maxBytes) return { edits, next, overflow: [] };
  const isNew = (edit: Edit): edit is PutEdit => edit.do === 'put' && !(current && hasSource(current, edit.source.ref));
  const kept: Edit[] = edits.filter((edit) => !isNew(edit));
  let bytes = bytesOf(applyEdits(current?.spec, kept, now) ?? next);
  if (kept.length === 0 && !current) bytes = 0;
  const overflow: PutEdit[] = [];
  for (const edit of edits.filter(isNew)) {
    const size = Buffer.byteLength(JSON.stringify(edit.source));
    if (bytes + size <= maxBytes) {
      bytes += size;
      kept.push(edit);
    } else {
      overflow.push({ ...edit, head: nextSlice(edit.head) });
    }
  }
  return { edits: kept, next: applyEdits(current?.spec, kept, now), overflow };
}

/** False: somebody else was faster. */
async function write(
  name: string,
  current: SyncState | undefined,
  spec: SyncStateSpec,
  edits: readonly Edit[],
  { client }: CommitDeps,
): Promise<boolean> {
  try {
    if (current) await client.patch(syncStateKind, { name }, { type: 'merge', body: toPatch(current, spec) });
    else await client.create(syncStateKind, { metadata: newMetadata(name, edits), spec });
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) return false;
    throw error;
  }
}

function toPatch(current: SyncState, spec: SyncStateSpec): object {
  const { resourceVersion } = current.metadata;
  const leftBy = leftByAfter(current, spec);
  const annotations = (leftBy ?? '') === leaversOf(current).join(',') ? {} : { [leftByAnnotation]: leftBy };
  return { metadata: { resourceVersion, annotations }, spec: mergePatchBetween(current.spec, spec) };
}

/** One write creates the SyncState with its finalizer and its first sources: nobody ever sees it empty. */
function newMetadata(name: string, edits: readonly Edit[]): SyncState['metadata'] {
  const head = edits.flatMap((edit) => (edit.do === 'put' ? [edit.head] : []))[0];
  return { name, ...(head && { labels: head.labels, finalizers: [head.finalizer] }) };
}

async function readLive(name: string, { client, signal }: CommitDeps): Promise<SyncState | undefined> {
  try {
    return await client.get(syncStateKind, { name }, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A SyncState that is being deleted takes no sources: wait until it is gone, then a new one is made. */
async function afterItsEnd(
  current: SyncState | undefined,
  informer: Informer<SyncState>,
  signal: AbortSignal,
): Promise<SyncState | undefined> {
  if (!current?.metadata.deletionTimestamp) return current;
  const { name = '', uid } = current.metadata;
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      // The listener is called for cached objects before `onChange` returns, so the end comes a moment later.
      queueMicrotask(() => end());
      settle();
    };
    const onAbort = (): void => finish(() => reject(signal.reason as Error));
    signal.addEventListener('abort', onAbort, { once: true });
    const look = (): void => {
      const seen = informer.get({ name });
      if (seen?.metadata.uid !== uid) finish(() => resolve(seen));
    };
    const end = informer.onChange(({ object }) => {
      if (object.metadata.name === name) look();
    });
    // It may have gone, and its news with it, before there was anybody to hear them.
    look();
  });
}
