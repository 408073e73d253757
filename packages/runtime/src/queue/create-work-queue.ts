import type { Clock } from '../clock.ts';
import { defaultBackoff, toBackoffMs } from './backoff.ts';
import type { Backoff } from './backoff.ts';
import { createLanes, isHigher } from './fair-lanes.ts';
import type { LaneItem, Lanes } from './fair-lanes.ts';
import type { QueueMetrics, QueueSnapshot } from './queue-metrics.ts';
import { createTimerHeap, notBooked } from './timer-heap.ts';
import type { Timed, TimerHeap } from './timer-heap.ts';
import type { AddOptions, Debounce, Priority, WorkQueue } from './work-queue.ts';

export type WorkQueueOptions = {
  readonly backoff?: Backoff;
  /** Holds plain adds back until a key is quiet. Adds with `afterMs` or `backoff` have a time of their own. */
  readonly debounce?: Debounce;
};

export type WorkQueueDeps = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly metrics?: QueueMetrics | undefined;
};

export type ObservableWorkQueue = WorkQueue & { readonly snapshot: () => QueueSnapshot };

/**
 * A key is in at most three places: booked (in the heap), due (in a lane, or held back while it is in work) and in
 * work. It has one booking; the earliest wins, and a run that starts takes with it all that was asked before. A key
 * in none of the places is forgotten but for its failures, which stay until `forget`.
 *
 * A key keeps the highest priority it was added with until it is handed out. Unless the caller says otherwise, a
 * retry has the priority of the run that failed, and a later look at the same key is no more than `normal`: nobody
 * has asked for it anew.
 */
export function createWorkQueue(options: WorkQueueOptions, deps: WorkQueueDeps): ObservableWorkQueue {
  const queue: Queue = {
    ...deps,
    metrics: deps.metrics ?? {},
    backoff: options.backoff ?? defaultBackoff,
    debounce: options.debounce,
    entries: new Map(),
    failures: new Map(),
    heap: createTimerHeap(),
    lanes: createLanes(),
    running: new Set(),
    waiters: [],
    armed: undefined,
    stopped: false,
  };
  return {
    add: (key, addOptions = {}) => add(queue, key, addOptions),
    next: (signal) => next(queue, signal),
    done: (key) => done(queue, key),
    forget: (key) => void queue.failures.delete(key),
    failures: (key) => queue.failures.get(key) ?? 0,
    depth: () => queue.lanes.size(),
    idle: () => queue.entries.size === 0,
    shutDown: () => shutDown(queue),
    snapshot: () => snapshot(queue),
  };
}

type Entry = Timed &
  LaneItem & {
    readonly key: string;
    /** The earliest time that somebody asked for outright. */
    timerAt: number;
    /** When the burst that is being debounced began. */
    burstSince: number | undefined;
    dueSince: number | undefined;
    inWorkSince: number | undefined;
    workPriority: Priority;
  };

type Waiter = { readonly resolve: (key: string | undefined) => void };

type Queue = Omit<WorkQueueDeps, 'metrics'> & {
  readonly metrics: QueueMetrics;
  readonly backoff: Backoff;
  readonly debounce: Debounce | undefined;
  readonly entries: Map<string, Entry>;
  readonly failures: Map<string, number>;
  readonly heap: TimerHeap<Entry>;
  readonly lanes: Lanes<Entry>;
  readonly running: Set<Entry>;
  readonly waiters: Waiter[];
  armed: { readonly at: number; readonly cancel: () => void } | undefined;
  stopped: boolean;
};

function add(queue: Queue, key: string, options: AddOptions): void {
  if (queue.stopped) return;
  const now = queue.clock.monotonic();
  const timed = options.backoff === true || options.afterMs !== undefined;
  const entry = queue.entries.get(key) ?? createEntry(queue, key);
  raisePriority(queue, entry, options.priority ?? inheritedPriority(entry, options));
  const waitMs = Math.max(options.afterMs ?? 0, options.backoff ? countFailure(queue, key) : 0);
  if (entry.dueSince !== undefined) return;

  if (timed || !queue.debounce) entry.timerAt = Math.min(entry.timerAt, now + waitMs);
  else entry.burstSince ??= now;
  book(queue, entry, now, !timed);
}

/** The next time is the earlier of what was asked outright and the end of the burst. */
function book(queue: Queue, entry: Entry, now: number, touched: boolean): void {
  const { debounce, heap } = queue;
  const wasDueAt = entry.heapIndex === notBooked ? Infinity : entry.dueAt;
  let dueAt = Math.min(entry.timerAt, wasDueAt);
  if (debounce && touched && entry.burstSince !== undefined) {
    const quietAt = Math.min(now + debounce.quietMs, entry.burstSince + debounce.maxMs);
    dueAt = Math.min(entry.timerAt, quietAt);
  }
  if (dueAt <= now) {
    comeDue(queue, entry, now);
    handOut(queue);
  } else if (dueAt !== wasDueAt) {
    heap.book(entry, dueAt);
  }
  arm(queue);
}

function countFailure(queue: Queue, key: string): number {
  const failures = queue.failures.get(key) ?? 0;
  queue.failures.set(key, failures + 1);
  queue.metrics.retried?.();
  return toBackoffMs(queue.backoff, failures, queue.random);
}

function inheritedPriority(entry: Entry, { backoff, afterMs }: AddOptions): Priority {
  if (!isInWork(entry) || (!backoff && afterMs === undefined)) return 'normal';
  return backoff || entry.workPriority === 'low' ? entry.workPriority : 'normal';
}

function isInWork(entry: Entry): boolean {
  return entry.inWorkSince !== undefined;
}

function isWanted(entry: Entry): boolean {
  return entry.dueSince !== undefined || entry.heapIndex !== notBooked;
}

function createEntry(queue: Queue, key: string): Entry {
  const entry: Entry = {
    key,
    priority: 'low',
    before: undefined,
    behind: undefined,
    dueAt: 0,
    heapIndex: notBooked,
    bookedAs: 0,
    timerAt: Infinity,
    burstSince: undefined,
    dueSince: undefined,
    inWorkSince: undefined,
    workPriority: 'low',
  };
  queue.entries.set(key, entry);
  return entry;
}

function raisePriority(queue: Queue, entry: Entry, priority: Priority): void {
  if (!isWanted(entry)) entry.priority = priority;
  if (!isHigher(priority, entry.priority)) return;
  if (entry.dueSince !== undefined && !isInWork(entry)) queue.lanes.promote(entry, priority);
  else entry.priority = priority;
}

function comeDue(queue: Queue, entry: Entry, now: number): void {
  queue.heap.remove(entry);
  entry.timerAt = Infinity;
  entry.burstSince = undefined;
  entry.dueSince = now;
  queue.metrics.added?.(entry.priority);
  // In work: the same key never runs twice at once, `done` puts it in line.
  if (!isInWork(entry)) queue.lanes.push(entry);
}

/** One timer for all bookings. When the first moves back the timer fires early, finds nothing and is set again. */
function arm(queue: Queue): void {
  const first = queue.heap.first();
  if (!first) {
    queue.armed?.cancel();
    queue.armed = undefined;
    return;
  }
  if (queue.armed && queue.armed.at <= first.dueAt) return;
  queue.armed?.cancel();
  const cancel = queue.clock.after(first.dueAt - queue.clock.monotonic(), () => {
    queue.armed = undefined;
    const now = queue.clock.monotonic();
    for (let due = queue.heap.first(); due && due.dueAt <= now; due = queue.heap.first()) comeDue(queue, due, now);
    handOut(queue);
    arm(queue);
  });
  queue.armed = { at: first.dueAt, cancel };
}

function handOut(queue: Queue): void {
  while (queue.waiters.length > 0 && queue.lanes.size() > 0) queue.waiters.shift()?.resolve(take(queue));
}

function take(queue: Queue): string | undefined {
  const entry = queue.lanes.take();
  if (!entry) return undefined;
  const now = queue.clock.monotonic();
  queue.metrics.waited?.(now - (entry.dueSince ?? now));
  entry.dueSince = undefined;
  entry.inWorkSince = now;
  entry.workPriority = entry.priority;
  queue.running.add(entry);
  return entry.key;
}

async function next(queue: Queue, signal?: AbortSignal): Promise<string | undefined> {
  signal?.throwIfAborted();
  if (queue.stopped) return undefined;
  if (queue.lanes.size() > 0) return take(queue);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      queue.waiters.splice(queue.waiters.indexOf(waiter), 1);
      reject(signal?.reason as Error);
    };
    const waiter: Waiter = {
      resolve: (key) => {
        signal?.removeEventListener('abort', onAbort);
        resolve(key);
      },
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    queue.waiters.push(waiter);
  });
}

function done(queue: Queue, key: string): void {
  const entry = queue.entries.get(key);
  if (entry?.inWorkSince === undefined) throw new Error(`the key ${key} is not in work`);
  queue.metrics.worked?.(queue.clock.monotonic() - entry.inWorkSince);
  entry.inWorkSince = undefined;
  queue.running.delete(entry);
  if (entry.dueSince !== undefined) {
    queue.lanes.push(entry);
    handOut(queue);
  } else if (!isWanted(entry)) {
    queue.entries.delete(key);
  }
}

function shutDown(queue: Queue): void {
  queue.stopped = true;
  queue.heap.clear();
  queue.lanes.clear();
  queue.failures.clear();
  arm(queue);
  for (const [key, entry] of queue.entries) {
    entry.dueSince = undefined;
    if (!isInWork(entry)) queue.entries.delete(key);
  }
  for (const waiter of queue.waiters.splice(0)) waiter.resolve(undefined);
}

function snapshot(queue: Queue): QueueSnapshot {
  const now = queue.clock.monotonic();
  const ages = [...queue.running].map((entry) => now - (entry.inWorkSince ?? now));
  const onlyFailures = [...queue.failures.keys()].filter((key) => !queue.entries.has(key));
  const { lanes } = queue;
  return {
    depth: { high: lanes.sizeOf('high'), normal: lanes.sizeOf('normal'), low: lanes.sizeOf('low') },
    booked: queue.heap.size(),
    inWork: queue.running.size,
    unfinishedMs: ages.reduce((sum, age) => sum + age, 0),
    longestRunningMs: Math.max(0, ...ages),
    remembered: queue.entries.size + onlyFailures.length,
  };
}
