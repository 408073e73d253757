import type { KubeClient, ObjectList, SelectorOptions } from '../client/kube-client.ts';
import type { Kind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import { isReadable } from './is-readable.ts';
import type { AttemptOutcome } from './judge-end.ts';
import type { SyncPass } from './object-store.ts';
import { isEarlier } from './resource-version.ts';
import { toWatchFailure } from './watch-failure.ts';
import type { WatchFailure } from './watch-failure.ts';

export type ListAttempt<T extends KubeObject> = {
  readonly client: Pick<KubeClient, 'list'>;
  readonly kind: Kind<T>;
  readonly scope: SelectorOptions;
  readonly pageSize: number;
  readonly pass: SyncPass<T>;
  /** A list that is known to be older than this is not believed. */
  readonly notBefore: string | undefined;
  /** Called before a page is asked for again. */
  readonly waitBeforeRetry: () => Promise<void>;
};

export type ListResult = {
  readonly outcome: AttemptOutcome;
  readonly objects: number;
  readonly pages: number;
  readonly resourceVersion: string | undefined;
};

/** How often a page that failed is asked for again before the whole list is given up. */
const pageRetries = 4;

/**
 * Fetches everything, page after page, into a sync pass; never throws. A page that fails on the way is asked for
 * again, so that a long list gets through on a bad network. An expired list is given up: it must start anew.
 */
export async function attemptList<T extends KubeObject>(
  attempt: ListAttempt<T>,
  signal: AbortSignal,
): Promise<ListResult> {
  let objects = 0;
  let pages = 0;
  let resourceVersion: string | undefined;
  let next: string | undefined;
  const result = (outcome: AttemptOutcome): ListResult => ({ outcome, objects, pages, resourceVersion });
  try {
    do {
      const page = await fetchPage(attempt, next, signal);
      signal.throwIfAborted();
      // All pages are of one moment, which the first one names.
      resourceVersion ??= page.metadata?.resourceVersion;
      const problem = problemOf(page, resourceVersion, attempt.notBefore);
      if (problem) return result(problem);
      for (const item of page.items) attempt.pass.put(item);
      objects += page.items.length;
      pages += 1;
      next = page.metadata.continue;
    } while (next !== undefined && next !== '');
    return result({ how: 'complete' });
  } catch (error) {
    return result({ how: 'failed', failure: toWatchFailure(error) });
  }
}

async function fetchPage<T extends KubeObject>(
  { client, kind, scope, pageSize, waitBeforeRetry }: ListAttempt<T>,
  next: string | undefined,
  signal: AbortSignal,
): Promise<ObjectList<T>> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await client.list(kind, { ...scope, limit: pageSize, continue: next, signal });
    } catch (error) {
      const worthARetry = next !== undefined && failures < pageRetries && isPassing(toWatchFailure(error));
      if (!worthARetry || signal.aborted) throw error;
    }
    await waitBeforeRetry();
  }
}

/** A failure of the road or of the moment, not of what was asked. */
function isPassing(failure: WatchFailure): boolean {
  return failure.kind === 'unreachable' || (failure.kind === 'status' && failure.status >= 500);
}

function problemOf(
  page: ObjectList,
  resourceVersion: string | undefined,
  notBefore: string | undefined,
): AttemptOutcome | undefined {
  if (!resourceVersion || !Array.isArray(page.items) || !page.items.every(isReadable)) {
    return { how: 'failed', failure: { kind: 'garbage', message: 'a list that is none' } };
  }
  return isEarlier(resourceVersion, notBefore) ? { how: 'stale' } : undefined;
}
