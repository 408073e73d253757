import { describe, expect, test } from 'vitest';
import { judgeEnd } from './judge-end.ts';
import type { AttemptEnd, AttemptOutcome, Verdict } from './judge-end.ts';
import type { WatchFailure } from './watch-failure.ts';

type Row = {
  readonly name: string;
  readonly end: Partial<AttemptEnd> & { readonly outcome: AttemptOutcome };
  readonly verdict: Partial<Verdict>;
};

const failed = (failure: WatchFailure): AttemptOutcome => ({ how: 'failed', failure });
const status = (code: number, more: Partial<Extract<WatchFailure, { kind: 'status' }>> = {}): AttemptOutcome =>
  failed({
    kind: 'status',
    status: code,
    reason: '',
    message: '',
    retryAfterMs: undefined,
    tooNew: false,
    inStream: false,
    ...more,
  });
const unreachable = failed({ kind: 'unreachable', message: '' });
const garbage = failed({ kind: 'garbage', message: '' });

const rows: readonly Row[] = [
  {
    name: 'a complete list is followed by a watch at once',
    end: { phase: 'list', outcome: { how: 'complete' } },
    verdict: { reason: 'complete', next: 'resume', wait: 'none', broken: false },
  },
  {
    name: 'a watch that the server closes is resumed and nothing is broken',
    end: { lastedMs: 400_000, outcome: { how: 'closed' } },
    verdict: { reason: 'closed', next: 'resume', wait: 'floor', broken: false },
  },
  {
    name: 'a short watch that brought something is resumed likewise',
    end: { lastedMs: 10, events: 1, outcome: { how: 'closed' } },
    verdict: { reason: 'closed', next: 'resume', wait: 'floor', broken: false },
  },
  {
    name: 'a watch that is closed at once without an event is a failure',
    end: { lastedMs: 10, outcome: { how: 'closed' } },
    verdict: { reason: 'closed-early', next: 'resume', wait: 'backoff', broken: true },
  },
  {
    name: 'a watch-list that is closed before its end is tried by pages',
    end: { phase: 'watch-list', lastedMs: 9_000, events: 5, outcome: { how: 'closed' } },
    verdict: { reason: 'closed-early', next: 'resume', wait: 'backoff', watchList: 'avoid', broken: true },
  },
  {
    name: 'a watch that does not end is given up and resumed',
    end: { outcome: { how: 'overdue' } },
    verdict: { reason: 'overdue', next: 'resume', wait: 'prompt', broken: true },
  },
  {
    name: 'a server that ignores watch-list is listed at once and never asked for it again',
    end: { phase: 'watch-list', outcome: { how: 'ignored' } },
    verdict: { reason: 'watch-list-ignored', next: 'relist', wait: 'none', watchList: 'never' },
  },
  ...[400, 405, 415, 422].map((code) => ({
    name: `a server that refuses watch-list with ${code} is listed at once and never asked for it again`,
    end: { phase: 'watch-list' as const, outcome: status(code) },
    verdict: {
      reason: 'watch-list-refused' as const,
      next: 'relist' as const,
      wait: 'none' as const,
      watchList: 'never' as const,
    },
  })),
  {
    name: 'an ERROR event with 400 in a watch-list is no refusal of it',
    end: { phase: 'watch-list', outcome: status(400, { inStream: true }) },
    verdict: { reason: 'refused', next: 'relist', wait: 'backoff', watchList: 'avoid' },
  },
  {
    name: 'a watch that is refused with 400 starts over, since its version may be the reason',
    end: { outcome: status(400) },
    verdict: { reason: 'refused', next: 'relist', wait: 'backoff', watchList: 'keep' },
  },
  {
    name: 'an expired version means to list again',
    end: { outcome: status(410) },
    verdict: { reason: 'expired', next: 'relist', wait: 'prompt', broken: true },
  },
  {
    name: 'an expired version in an ERROR event means the same',
    end: { outcome: status(410, { inStream: true, reason: 'Gone' }) },
    verdict: { reason: 'expired', next: 'relist', wait: 'prompt' },
  },
  {
    name: 'the reason Expired counts whatever the code',
    end: { outcome: status(500, { reason: 'Expired' }) },
    verdict: { reason: 'expired', next: 'relist' },
  },
  {
    name: 'a list that expires between pages starts over',
    end: { phase: 'list', outcome: status(410) },
    verdict: { reason: 'expired', next: 'relist', wait: 'prompt', watchList: 'keep' },
  },
  {
    name: 'a version that the server has not reached yet is forgotten',
    end: { outcome: status(504, { tooNew: true }) },
    verdict: { reason: 'too-new', next: 'forget', wait: 'backoff' },
  },
  {
    name: 'a server that says when to come back is obeyed (429)',
    end: { outcome: status(429, { retryAfterMs: 7_000 }) },
    verdict: { reason: 'throttled', next: 'resume', wait: { atLeastMs: 7_000 } },
  },
  {
    name: 'a server that says when to come back is obeyed (503)',
    end: { outcome: status(503, { retryAfterMs: 3_000 }) },
    verdict: { reason: 'throttled', next: 'resume', wait: { atLeastMs: 3_000 } },
  },
  {
    name: 'too many requests without a time means back-off',
    end: { outcome: status(429) },
    verdict: { reason: 'throttled', next: 'resume', wait: 'backoff' },
  },
  {
    name: 'a failing server means back-off, and the watch is resumed',
    end: { outcome: status(500) },
    verdict: { reason: 'server-error', next: 'resume', wait: 'backoff', broken: true },
  },
  {
    name: 'an ERROR event other than 410 means the same',
    end: { events: 4, outcome: status(500, { inStream: true }) },
    verdict: { reason: 'server-error', next: 'resume', wait: 'backoff', broken: true },
  },
  {
    name: 'a kind that is not there is looked for slowly',
    end: { phase: 'watch-list', outcome: status(404) },
    verdict: { reason: 'unknown-kind', next: 'relist', wait: 'slow' },
  },
  {
    name: 'missing rights are told apart: 403',
    end: { outcome: status(403) },
    verdict: { reason: 'forbidden', next: 'resume', wait: 'backoff', broken: true },
  },
  {
    name: 'missing rights are told apart: 401',
    end: { outcome: status(401) },
    verdict: { reason: 'unauthorized', next: 'resume', wait: 'backoff', broken: true },
  },
  {
    name: 'a connection that breaks after it worked is resumed promptly',
    end: { lastedMs: 10, events: 1, outcome: unreachable },
    verdict: { reason: 'unreachable', next: 'resume', wait: 'prompt', broken: true },
  },
  {
    name: 'a server that cannot be reached means back-off',
    end: { lastedMs: 10, outcome: unreachable },
    verdict: { reason: 'unreachable', next: 'resume', wait: 'backoff', broken: true },
  },
  {
    name: 'a line that cannot be read may have been any event, so everything is fetched',
    end: { outcome: garbage },
    verdict: { reason: 'garbage', next: 'relist', wait: 'prompt', broken: true },
  },
  {
    name: 'a list that is older than what was seen is asked for again',
    end: { phase: 'list', outcome: { how: 'stale' } },
    verdict: { reason: 'stale-list', next: 'relist', wait: 'backoff' },
  },
];

describe('how the reflector goes on', () => {
  test.each(rows)('$name', ({ end, verdict }) => {
    expect(judgeEnd({ phase: 'watch', lastedMs: 0, events: 0, ...end })).toMatchObject(verdict);
  });
});
