import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { createRestartBackoff, defaultBackoff } from './restart-backoff.ts';

describe('the back-off between restarts', () => {
  test('doubles from 0.8 s to 30 s', () => {
    const backoff = createRestartBackoff(defaultBackoff, { clock: createSimulatedClock(), random: () => 0 });
    const delays = Array.from({ length: 8 }, () => backoff.nextMs());
    expect(delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  test('adds by chance up to as much again', () => {
    const backoff = createRestartBackoff(defaultBackoff, { clock: createSimulatedClock(), random: () => 0.5 });
    expect([backoff.nextMs(), backoff.nextMs()]).toEqual([1200, 2400]);
  });

  test('starts small again after two minutes without failure, not counting the wait', async () => {
    const clock = createSimulatedClock();
    const backoff = createRestartBackoff(defaultBackoff, { clock, random: () => 0 });
    expect(backoff.isFresh()).toBe(true);
    backoff.nextMs();
    backoff.nextMs();
    await clock.advance(1600 + 120_000);
    expect(backoff.isFresh()).toBe(false);
    expect(backoff.nextMs()).toBe(3200);
    await clock.advance(3200 + 120_001);
    expect(backoff.isFresh()).toBe(true);
    expect(backoff.nextMs()).toBe(800);
  });
});
