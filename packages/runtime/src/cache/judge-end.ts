import type { WatchFailure } from './watch-failure.ts';

/** How one list or watch came to its end. */
export type AttemptEnd = {
  /** A watch-list whose initial events are complete is a watch. */
  readonly phase: 'list' | 'watch-list' | 'watch';
  readonly lastedMs: number;
  /** Events received, or pages. */
  readonly events: number;
  readonly outcome: AttemptOutcome;
};

export type AttemptOutcome =
  /** The list is complete. */
  | { readonly how: 'complete' }
  /** The server closed the stream in good order. */
  | { readonly how: 'closed' }
  | { readonly how: 'failed'; readonly failure: WatchFailure }
  /** A stream that should have ended long ago. */
  | { readonly how: 'overdue' }
  /** The server streams, but knows nothing of the end of initial events. */
  | { readonly how: 'ignored' }
  /** The list is older than what was seen before. */
  | { readonly how: 'stale' };

export type RestartReason =
  | 'complete'
  | 'closed'
  | 'closed-early'
  | 'expired'
  | 'forbidden'
  | 'garbage'
  | 'overdue'
  | 'refused'
  | 'server-error'
  | 'stale-list'
  | 'throttled'
  | 'too-new'
  | 'unauthorized'
  | 'unknown-kind'
  | 'unreachable'
  | 'watch-list-ignored'
  | 'watch-list-refused';

/** How to go on. */
export type Verdict = {
  readonly reason: RestartReason;
  /** `resume`: watch on from the last version; `relist`: fetch everything; `forget`: and expect older versions. */
  readonly next: 'resume' | 'relist' | 'forget';
  /** `floor`: so that watches do not follow each other without pause; `prompt`: that, but back-off if it happens again. */
  readonly wait: 'none' | 'floor' | 'prompt' | 'backoff' | 'slow' | { readonly atLeastMs: number };
  /** What becomes of watch-list: `avoid` for the next sync only, `never` from now on. */
  readonly watchList: 'keep' | 'avoid' | 'never';
  /** Changes are being missed until the next attempt succeeds. */
  readonly broken: boolean;
};

/** A stream that lived so long or brought an event was a working one. */
const shortestLifeMs = 1000;

/** The whole policy of the reflector in one pure function: what happened decides what comes next. */
export function judgeEnd(end: AttemptEnd): Verdict {
  const { outcome } = end;
  switch (outcome.how) {
    case 'complete':
      return { reason: 'complete', next: 'resume', wait: 'none', watchList: 'keep', broken: false };
    case 'closed':
      return judgeClosed(end);
    case 'overdue':
      return failure(end, { reason: 'overdue', next: 'resume', wait: 'prompt' });
    case 'ignored':
      return { reason: 'watch-list-ignored', next: 'relist', wait: 'none', watchList: 'never', broken: true };
    case 'stale':
      return failure(end, { reason: 'stale-list', next: 'relist', wait: 'backoff' });
    case 'failed':
      return judgeFailure(end, outcome.failure);
    default:
      return outcome satisfies never;
  }
}

function judgeClosed(end: AttemptEnd): Verdict {
  if (end.phase === 'watch' && worked(end)) {
    return { reason: 'closed', next: 'resume', wait: 'floor', watchList: 'keep', broken: false };
  }
  return failure(end, { reason: 'closed-early', next: 'resume', wait: 'backoff' });
}

function judgeFailure(end: AttemptEnd, cause: WatchFailure): Verdict {
  switch (cause.kind) {
    case 'unreachable':
      return failure(end, { reason: 'unreachable', next: 'resume', wait: worked(end) ? 'prompt' : 'backoff' });
    case 'garbage':
      // A line that could not be read may have been any event, so nothing short of everything is enough.
      return failure(end, { reason: 'garbage', next: 'relist', wait: 'prompt' });
    case 'status':
      return judgeStatus(end, cause);
    default:
      return cause satisfies never;
  }
}

function judgeStatus(end: AttemptEnd, cause: Extract<WatchFailure, { kind: 'status' }>): Verdict {
  const { status, reason, retryAfterMs } = cause;
  if (status === 410 || reason === 'Expired' || reason === 'Gone') {
    return failure(end, { reason: 'expired', next: 'relist', wait: 'prompt' });
  }
  if (cause.tooNew) return failure(end, { reason: 'too-new', next: 'forget', wait: 'backoff' });
  if (retryAfterMs !== undefined) {
    return failure(end, { reason: 'throttled', next: 'resume', wait: { atLeastMs: retryAfterMs } });
  }
  if (status === 429) return failure(end, { reason: 'throttled', next: 'resume', wait: 'backoff' });
  if (status === 401) return failure(end, { reason: 'unauthorized', next: 'resume', wait: 'backoff' });
  if (status === 403) return failure(end, { reason: 'forbidden', next: 'resume', wait: 'backoff' });
  // The kind is not there (yet): no hurry, and what was cached is kept until a list says what is gone.
  if (status === 404) return failure(end, { reason: 'unknown-kind', next: 'relist', wait: 'slow' });
  if (status >= 500) return failure(end, { reason: 'server-error', next: 'resume', wait: 'backoff' });
  if (end.phase === 'watch-list' && !cause.inStream) {
    return { reason: 'watch-list-refused', next: 'relist', wait: 'none', watchList: 'never', broken: true };
  }
  return failure(end, { reason: 'refused', next: 'relist', wait: 'backoff' });
}

/** A sync that broke as a stream is tried next by pages, each of which is a request that can be repeated. */
function failure(end: AttemptEnd, verdict: Pick<Verdict, 'reason' | 'next' | 'wait'>): Verdict {
  return { ...verdict, watchList: end.phase === 'watch-list' ? 'avoid' : 'keep', broken: true };
}

function worked(end: AttemptEnd): boolean {
  return end.events > 0 || end.lastedMs >= shortestLifeMs;
}
