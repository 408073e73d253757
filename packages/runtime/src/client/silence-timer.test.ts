import { expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { startSilenceTimer } from './silence-timer.ts';

type Step = { readonly atMs: number; readonly limitMs: number } | { readonly stopAtMs: number };

async function firedAt(firstLimitMs: number, steps: readonly Step[]): Promise<readonly number[]> {
  const clock = createSimulatedClock();
  const fired: number[] = [];
  const timer = startSilenceTimer(clock, firstLimitMs, () => fired.push(clock.monotonic()));
  for (const step of steps) {
    await clock.advance(('stopAtMs' in step ? step.stopAtMs : step.atMs) - clock.monotonic());
    if ('stopAtMs' in step) timer.stop();
    else timer.heard(step.limitMs);
  }
  await clock.runUntilIdle();
  return fired;
}

const cases: readonly (readonly [string, number, readonly Step[], readonly number[]])[] = [
  ['silence from the start fires at the limit', 100, [], [100]],
  [
    'what is heard starts the time anew',
    100,
    [
      { atMs: 90, limitMs: 100 },
      { atMs: 180, limitMs: 100 },
    ],
    [280],
  ],
  ['a longer limit holds from when it is given', 100, [{ atMs: 50, limitMs: 500 }], [550]],
  ['a shorter limit holds from when it is given', 1000, [{ atMs: 50, limitMs: 100 }], [150]],
  [
    'shorter, then longer again',
    1000,
    [
      { atMs: 50, limitMs: 100 },
      { atMs: 60, limitMs: 900 },
    ],
    [960],
  ],
  ['a timer that is stopped never fires', 100, [{ atMs: 50, limitMs: 100 }, { stopAtMs: 60 }], []],
];

for (const [name, limitMs, steps, expected] of cases) {
  test(`silence: ${name}`, async () => expect(await firedAt(limitMs, steps)).toEqual(expected));
}

test('silence: what is heard books no timer, the one that runs looks again when it is due', async () => {
  const clock = createSimulatedClock();
  let booked = 0;
  const counting = {
    ...clock,
    after: (ms: number, fire: () => void) => {
      booked += 1;
      return clock.after(ms, fire);
    },
  };
  const timer = startSilenceTimer(counting, 100, () => undefined);
  for (let count = 0; count < 1000; count += 1) {
    timer.heard(100);
    await clock.advance(1);
  }
  expect(booked).toBeLessThanOrEqual(11);
  timer.stop();
  expect(clock.pending()).toBe(0);
});
