import { createSimulatedClock } from '@tributary/testkit';
import { expect, test } from 'vitest';
import { createPatience } from './patience.ts';

test('a wait counts from when it was first asked for, and is over when it is over', async () => {
  const clock = createSimulatedClock();
  const { left, clear } = createPatience(clock);
  expect(left('a', () => 100)).toBe(100);
  await clock.advance(60);
  expect(left('a', () => 999)).toBe(40);
  await clock.advance(60);
  expect(left('a', () => 999)).toBe(0);
  clear('a');
  expect(left('a', () => 100)).toBe(100);
});

test('progress begins the wait anew, but not for ever', async () => {
  const clock = createSimulatedClock();
  const { left } = createPatience(clock);
  const waits: number[] = [];
  for (let step = 0; step < 8; step += 1) {
    waits.push(left('a', () => 100, `version ${step}`));
    await clock.advance(60);
  }
  expect(waits).toEqual([100, 100, 100, 100, 100, 40, 0, 0]);
});
