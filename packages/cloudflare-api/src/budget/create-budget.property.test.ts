import { createSimulatedClock } from '@tributary/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBudget } from './create-budget.ts';
import { priorities } from './priority.ts';
import type { Priority } from './priority.ts';

const arrivals = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 30_000 }),
    priority: fc.constantFrom(...priorities),
    tookMs: fc.integer({ min: 0, max: 5000 }),
    abortAfterMs: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined, freq: 5 }),
    pauseMs: fc.option(fc.integer({ min: 1, max: 8000 }), { nil: undefined, freq: 8 }),
    remaining: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined, freq: 4 }),
  }),
  { minLength: 1, maxLength: 40 },
);
const settings = fc.record({
  quota: fc.integer({ min: 1, max: 12 }),
  windowMs: fc.integer({ min: 1000, max: 10_000 }),
  maxInFlight: fc.integer({ min: 1, max: 6 }),
  patienceMs: fc.integer({ min: 0, max: 20_000 }),
});

type Arrival = typeof arrivals extends fc.Arbitrary<readonly (infer A)[]> ? A : never;
type Settings = typeof settings extends fc.Arbitrary<infer S> ? S : never;
type Admission = { readonly index: number; readonly atMs: number; readonly inFlight: number };
type History = {
  readonly admissions: readonly Admission[];
  readonly aborted: ReadonlySet<number>;
  readonly pauses: readonly { readonly fromMs: number; readonly untilMs: number }[];
  readonly waiting: number;
  readonly inFlight: number;
  readonly timers: number;
};

async function play(options: Settings, calls: readonly Arrival[]): Promise<History> {
  const clock = createSimulatedClock();
  const budget = createBudget(options, { clock });
  const admissions: Admission[] = [];
  const aborted = new Set<number>();
  const pauses: { fromMs: number; untilMs: number }[] = [];
  const run = async ({ priority, tookMs, abortAfterMs, pauseMs, remaining }: Arrival, index: number): Promise<void> => {
    const controller = new AbortController();
    const cancel = abortAfterMs === undefined ? undefined : clock.after(abortAfterMs, () => controller.abort());
    try {
      const permit = await budget.acquire(priority, [controller.signal]);
      cancel?.();
      admissions.push({ index, atMs: clock.monotonic(), inFlight: budget.snapshot().inFlight });
      await new Promise<void>((resolve) => void clock.after(tookMs, resolve));
      if (pauseMs !== undefined) pauses.push({ fromMs: clock.monotonic(), untilMs: clock.monotonic() + pauseMs });
      const limits = remaining === undefined ? [] : [{ name: 'default', remaining, resetMs: 3000 }];
      permit.done({ rate: { policies: [], limits }, ...(pauseMs === undefined ? {} : { pauseMs }) });
    } catch {
      aborted.add(index);
    }
  };
  const runs: Promise<void>[] = [];
  for (const [index, call] of calls.entries()) clock.after(call.atMs, () => void runs.push(run(call, index)));
  await clock.runUntilIdle();
  await Promise.all(runs);
  const { waiting, inFlight } = budget.snapshot();
  const left = Object.values(waiting).reduce((sum, count) => sum + count, 0);
  return { admissions, aborted, pauses, waiting: left, inFlight, timers: clock.pending() };
}

test('whatever happens, no window sees more than the quota, no pause is broken, and nobody is lost', async () => {
  await fc.assert(
    fc.asyncProperty(settings, arrivals, async (options, calls) => {
      const history = await play(options, calls);
      const times = history.admissions.map(({ atMs }) => atMs);
      for (const start of times) {
        const inWindow = times.filter((time) => time >= start && time < start + options.windowMs);
        expect(inWindow.length).toBeLessThanOrEqual(options.quota);
        for (const { fromMs, untilMs } of history.pauses) expect(start > fromMs && start < untilMs).toBe(false);
      }
      for (const { inFlight } of history.admissions) expect(inFlight).toBeLessThanOrEqual(options.maxInFlight);
      const ended = [...history.admissions.map(({ index }) => index), ...history.aborted].toSorted((a, b) => a - b);
      expect(ended).toEqual(calls.map((_, index) => index));
      expect(history).toMatchObject({ waiting: 0, inFlight: 0, timers: 0 });
    }),
    { numRuns: 150 },
  );
});

test('nobody is passed by a call of lower priority, nor by a later one of its own, while patience lasts', async () => {
  const urgency = (priority: Priority): number => priorities.indexOf(priority);
  await fc.assert(
    fc.asyncProperty(settings, arrivals, async (options, all) => {
      const calls = all.map((call) => ({ ...call, abortAfterMs: undefined }));
      const { admissions } = await play({ ...options, patienceMs: 1e9 }, calls);
      const admittedAt = new Map(admissions.map(({ index, atMs }, rank) => [index, { atMs, rank }]));
      for (const [mine, call] of calls.entries()) {
        for (const [theirs, other] of calls.entries()) {
          const own = admittedAt.get(mine)!;
          const passed = admittedAt.get(theirs)!.rank < own.rank && admittedAt.get(theirs)!.atMs > call.atMs;
          const lower = urgency(other.priority) > urgency(call.priority);
          const later =
            other.priority === call.priority && (other.atMs > call.atMs || (other.atMs === call.atMs && theirs > mine));
          expect(passed && (lower || later)).toBe(false);
        }
      }
    }),
    { numRuns: 100 },
  );
});
