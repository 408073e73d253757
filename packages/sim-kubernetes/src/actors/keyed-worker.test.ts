import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { describe, expect, test } from 'vitest';
import { badRequest } from '../registry/api-error.ts';
import { createKeyedWorker } from './keyed-worker.ts';

describe('the loop of an actor', () => {
  test('a key that comes in many times before it is due is worked on once', async () => {
    const clock = createSimulatedClock();
    const seen: string[] = [];
    const worker = createKeyedWorker(clock, async (key) => void seen.push(key));
    for (const key of ['a', 'b', 'a', 'a']) worker.add(key);
    await clock.advance(0);
    expect(seen).toEqual(['a', 'b']);
    expect(clock.pending()).toBe(0);
  });

  test('a key that comes in while it is worked on is worked on again, and never twice at a time', async () => {
    const clock = createSimulatedClock();
    let [now, most, runs] = [0, 0, 0];
    const worker = createKeyedWorker(clock, async () => {
      now += 1;
      runs += 1;
      most = Math.max(most, now);
      if (runs === 1) worker.add('a');
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return undefined;
    });
    worker.add('a');
    await clock.runUntilIdle();
    expect({ runs, most }).toEqual({ runs: 2, most: 1 });
  });

  test('an earlier date wins over a later one, and not the other way round', async () => {
    const clock = createSimulatedClock();
    const times: number[] = [];
    const worker = createKeyedWorker(clock, async () => void times.push(clock.monotonic()));
    worker.add('a', 100);
    worker.add('a', 10);
    worker.add('a', 50);
    await clock.runUntilIdle();
    expect(times).toEqual([10]);
  });

  test('work that fails is tried again later and later, and only faults of ours are told', async () => {
    const clock = createSimulatedClock();
    const [times, told]: [number[], unknown[]] = [[], []];
    const worker = createKeyedWorker(
      clock,
      async () => {
        times.push(clock.monotonic());
        if (times.length === 1) throw badRequest('no');
        if (times.length < 4) throw new Error('fault');
        return undefined;
      },
      (error) => told.push(error),
    );
    worker.add('a');
    await clock.runUntilIdle();
    expect(times).toEqual([0, 50, 150, 350]);
    expect(told).toHaveLength(2);
  });

  test('after it was stopped nothing is booked and nothing runs', async () => {
    const clock = createSimulatedClock();
    let runs = 0;
    const worker = createKeyedWorker(clock, async () => {
      runs += 1;
      return 10;
    });
    worker.add('a');
    await clock.advance(25);
    worker.stop();
    expect(clock.pending()).toBe(0);
    worker.add('a');
    await clock.advance(100);
    expect(runs).toBe(3);
  });
});
