import { sleep } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from './simulated-clock.ts';

describe('the simulated clock', () => {
  test('stands still until it is advanced', async () => {
    const clock = createSimulatedClock({ startMs: 1_000 });
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
    await clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1_250, 250]);
  });

  test('fires timers in order of time, and equal times in order of booking', async () => {
    const clock = createSimulatedClock();
    const fired: string[] = [];
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b1', 20],
      ['b2', 20],
    ] as const) {
      clock.after(ms, () => fired.push(`${name}@${clock.monotonic()}`));
    }
    await clock.advance(20);
    expect(fired).toEqual(['a@10', 'b1@20', 'b2@20']);
    await clock.advance(10);
    expect(fired).toEqual(['a@10', 'b1@20', 'b2@20', 'c@30']);
  });

  test('a timer does not fire a moment early', async () => {
    const clock = createSimulatedClock();
    let fired = false;
    clock.after(100, () => (fired = true));
    await clock.advance(99.9);
    expect(fired).toBe(false);
    await clock.advance(0.1);
    expect(fired).toBe(true);
  });

  test('a cancelled timer never fires and is no longer pending, however often it is cancelled', async () => {
    const clock = createSimulatedClock();
    let fired = false;
    const cancel = clock.after(10, () => (fired = true));
    clock.after(10, () => undefined);
    expect(clock.pending()).toBe(2);
    cancel();
    cancel();
    expect(clock.pending()).toBe(1);
    await clock.advance(20);
    expect(fired).toBe(false);
    expect(clock.pending()).toBe(0);
  });

  test('cancelling after the timer fired changes nothing', async () => {
    const clock = createSimulatedClock();
    const cancel = clock.after(1, () => undefined);
    await clock.advance(1);
    cancel();
    expect(clock.pending()).toBe(0);
  });

  test('what a timer sets off, with promises and immediates in between, happens within one advance', async () => {
    const clock = createSimulatedClock();
    const times: number[] = [];
    const work = (async () => {
      for (let step = 0; step < 5; step += 1) {
        await sleep(clock, 10);
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.resolve();
        times.push(clock.monotonic());
      }
    })();
    await clock.advance(50);
    await work;
    expect(times).toEqual([10, 20, 30, 40, 50]);
  });

  test('a timer booked for now or for the past fires with the next advance', async () => {
    const clock = createSimulatedClock();
    const fired: number[] = [];
    clock.after(0, () => fired.push(0));
    clock.after(-5, () => fired.push(-5));
    expect(fired).toEqual([]);
    await clock.advance(0);
    expect(fired).toEqual([0, -5]);
  });

  test('shifting the wall clock moves neither the monotonic clock nor the timers', async () => {
    const clock = createSimulatedClock({ startMs: 0 });
    let firedAt = -1;
    clock.after(100, () => (firedAt = clock.monotonic()));
    clock.shiftWallClock(3_600_000);
    expect([clock.now(), clock.monotonic()]).toEqual([3_600_000, 0]);
    await clock.advance(99);
    expect(firedAt).toBe(-1);
    await clock.advance(1);
    expect(firedAt).toBe(100);
  });

  test('runUntil stops at the first moment the condition holds', async () => {
    const clock = createSimulatedClock();
    let count = 0;
    const tick = (): void => {
      count += 1;
      clock.after(10, tick);
    };
    clock.after(10, tick);
    await clock.runUntil(() => count === 3);
    expect(clock.monotonic()).toBe(30);
  });

  test('runUntil and runUntilIdle reject when the limit is over', async () => {
    const clock = createSimulatedClock();
    const tick = (): void => void clock.after(10, tick);
    tick();
    await expect(clock.runUntil(() => false, 100)).rejects.toThrow('did not hold within 100 ms');
    await expect(clock.runUntilIdle(100)).rejects.toThrow('still booked after 100 ms');
  });

  test('runUntilIdle ends when the last timer has fired', async () => {
    const clock = createSimulatedClock();
    clock.after(10, () => clock.after(10, () => undefined));
    await clock.runUntilIdle();
    expect([clock.monotonic(), clock.pending()]).toEqual([20, 0]);
  });

  test('an error thrown by a timer rejects the advance and the clock goes on working', async () => {
    const clock = createSimulatedClock();
    clock.after(1, () => {
      throw new Error('boom');
    });
    await expect(clock.advance(5)).rejects.toThrow('boom');
    await clock.advance(5);
    expect(clock.monotonic()).toBe(6);
  });

  test('advancing twice at the same time is an error', async () => {
    const clock = createSimulatedClock();
    const first = clock.advance(1);
    await expect(clock.advance(1)).rejects.toThrow('already being advanced');
    await first;
  });

  test('a timer that rebooks itself for now is found out instead of hanging', async () => {
    const clock = createSimulatedClock();
    const again = (): void => {
      for (let copy = 0; copy < 2; copy += 1) clock.after(0, copy === 0 ? again : () => undefined);
    };
    again();
    await expect(clock.advance(1)).rejects.toThrow('without time moving on');
  }, 20_000);
});
