import type { Clock } from '@tributary/runtime';

export type SimulatedClock = Clock & {
  /**
   * Moves time forward and fires what comes due, in order of time and then of booking. Before each timer and at
   * the end, everything that is ready to run (promises, immediates) runs, so a chain of timer, await, timer
   * unfolds as it would in real time. An error thrown by a timer rejects the call.
   */
  readonly advance: (ms: number) => Promise<void>;
  /** Advances from timer to timer until the condition holds; rejects when it does not within `limitMs`. */
  readonly runUntil: (condition: () => boolean, limitMs?: number) => Promise<void>;
  /** Advances until no timer is booked; rejects when some are still booked after `limitMs`. */
  readonly runUntilIdle: (limitMs?: number) => Promise<void>;
  /** Lets promises and immediates run without moving time. */
  readonly settle: () => Promise<void>;
  /** Timers that are booked and not cancelled. */
  readonly pending: () => number;
  /** Moves the wall clock alone, as an administrator or NTP does: `monotonic` and timers do not notice. */
  readonly shiftWallClock: (ms: number) => void;
};

export type SimulatedClockOptions = {
  /** What `now` says at first; some Monday in 2026 when absent, so that timestamps in tests look real. */
  readonly startMs?: number;
};

type Timer = { readonly atMs: number; readonly fire: () => void; cancelled: boolean };

const defaultStartMs = Date.UTC(2026, 0, 5, 12, 0, 0);
const defaultLimitMs = 24 * 60 * 60 * 1000;
/** So many timers without time moving on is a loop that would never end. */
const mostTimersAtOneInstant = 100_000;
/** One turn runs all promises; the others are for code that yields by an immediate of its own. */
const turnsToSettle = 3;

export function createSimulatedClock(options: SimulatedClockOptions = {}): SimulatedClock {
  let elapsedMs = 0;
  let wallStartMs = options.startMs ?? defaultStartMs;
  let advancing = false;
  let firedAtThisInstant = 0;
  const timers = createTimerQueue();

  const fireNext = (timer: Timer): void => {
    firedAtThisInstant = timer.atMs > elapsedMs ? 0 : firedAtThisInstant + 1;
    if (firedAtThisInstant > mostTimersAtOneInstant) throw new Error('timers keep firing without time moving on');
    elapsedMs = Math.max(elapsedMs, timer.atMs);
    timer.fire();
  };

  /** Fires all timers up to `untilMs`; true when `done` said so first. */
  const run = async (untilMs: number, done: () => boolean): Promise<boolean> => {
    if (advancing) throw new Error('the simulated clock is already being advanced');
    advancing = true;
    try {
      for (;;) {
        await settle();
        if (done()) return true;
        const timer = timers.takeDue(untilMs);
        if (!timer) return false;
        fireNext(timer);
      }
    } finally {
      advancing = false;
    }
  };

  return {
    now: () => wallStartMs + elapsedMs,
    monotonic: () => elapsedMs,
    after: (ms, fire) => timers.book(elapsedMs + (ms > 0 ? ms : 0), fire),
    advance: async (ms) => {
      const untilMs = elapsedMs + ms;
      await run(untilMs, () => false);
      elapsedMs = Math.max(elapsedMs, untilMs);
    },
    runUntil: async (condition, limitMs = defaultLimitMs) => {
      if (await run(elapsedMs + limitMs, condition)) return;
      throw new Error(`the condition did not hold within ${limitMs} ms of simulated time`);
    },
    runUntilIdle: async (limitMs = defaultLimitMs) => {
      await run(elapsedMs + limitMs, () => timers.pending() === 0);
      if (timers.pending() > 0) throw new Error(`timers are still booked after ${limitMs} ms of simulated time`);
    },
    settle,
    pending: timers.pending,
    shiftWallClock: (ms) => void (wallStartMs += ms),
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < turnsToSettle; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

type TimerQueue = {
  readonly book: (atMs: number, fire: () => void) => () => void;
  readonly takeDue: (untilMs: number) => Timer | undefined;
  readonly pending: () => number;
};

/** Latest first, so that the next timer is taken from the end; equal times keep the order of booking. */
function createTimerQueue(): TimerQueue {
  const timers: Timer[] = [];
  let pending = 0;

  const placeFor = (atMs: number): number => {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((timers[middle]?.atMs ?? 0) > atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    book: (atMs, fire) => {
      const timer: Timer = { atMs, fire, cancelled: false };
      timers.splice(placeFor(atMs), 0, timer);
      pending += 1;
      return () => {
        if (timer.cancelled) return;
        timer.cancelled = true;
        pending -= 1;
      };
    },
    takeDue: (untilMs) => {
      for (;;) {
        const timer = timers.at(-1);
        if (!timer || (timer.atMs > untilMs && !timer.cancelled)) return undefined;
        timers.pop();
        if (timer.cancelled) continue;
        timer.cancelled = true;
        pending -= 1;
        return timer;
      }
    },
    pending: () => pending,
  };
}
