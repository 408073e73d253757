import { createSimulatedClock } from '@tributary/testkit';
import { expect, test } from 'vitest';
import { createPace, defaultLimits } from './pace.ts';

const action = 'AllocateEipAddress';

test('in no minute more calls leave than the provider allows, and all of them leave', async () => {
  const clock = createSimulatedClock();
  const pace = createPace({ ...defaultLimits, [action]: 60 }, clock);
  const left: number[] = [];
  for (let count = 0; count < 200; count += 1) void pace.turn(action).then(() => left.push(clock.monotonic()));
  await clock.runUntil(() => left.length === 200);
  const most = Math.max(...left.map((at) => left.filter((other) => other >= at && other < at + 60_000).length));
  expect(most).toBeLessThanOrEqual(60);
  expect(left.filter((at) => at === 0).length).toBe(12);
});

test('actions do not wait for each other', async () => {
  const clock = createSimulatedClock();
  const pace = createPace({ ...defaultLimits, [action]: 1 }, clock);
  void pace.turn(action);
  void pace.turn(action);
  await pace.turn('ReleaseEipAddress');
  expect(clock.monotonic()).toBe(0);
});

test('a pause holds everybody back, and no longer than it was asked for', async () => {
  const clock = createSimulatedClock();
  const pace = createPace(defaultLimits, clock);
  pace.pause(action, 5000);
  let at = -1;
  void pace.turn(action).then(() => (at = clock.monotonic()));
  await clock.runUntil(() => at >= 0);
  expect(at).toBe(5000);
});

test('who gives up leaves the line to the next', async () => {
  const clock = createSimulatedClock();
  const pace = createPace(defaultLimits, clock);
  pace.pause(action, 1000);
  const impatient = new AbortController();
  const gone = pace.turn(action, impatient.signal).catch((error: Error) => error.message);
  let served = false;
  void pace.turn(action).then(() => (served = true));
  impatient.abort(new Error('enough'));
  expect(await gone).toBe('enough');
  await clock.runUntil(() => served, 2000);
  expect(served).toBe(true);
});
