import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { createWorkQueue } from './create-work-queue.ts';
import type { ObservableWorkQueue } from './create-work-queue.ts';

function start() {
  const clock = createSimulatedClock();
  const queue = createWorkQueue({ debounce: { quietMs: 500, maxMs: 2000 } }, { clock, random: () => 0.5 });
  return { clock, queue };
}

/** Takes what is due now. */
async function takeAll(queue: ObservableWorkQueue): Promise<readonly (string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  while (queue.depth() > 0) keys.push(await queue.next());
  return keys;
}

describe('debounce', () => {
  const cases = [
    { name: 'one edit waits for the quiet time', touches: [0], firesAt: [500] },
    { name: 'a burst of ten becomes one', touches: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90], firesAt: [590] },
    {
      name: 'edits without pause still sync at the limit',
      touches: [0, 400, 800, 1200, 1600, 2000],
      firesAt: [2000, 2500],
    },
    { name: 'two edits far apart are two', touches: [0, 501], firesAt: [500, 1001] },
    { name: 'an edit at the very end of the quiet time is a new burst', touches: [0, 500], firesAt: [500, 1000] },
    {
      name: 'a burst begins anew after the limit',
      touches: [0, 450, 900, 1350, 1800, 2100, 2500],
      firesAt: [2000, 3000],
    },
  ];
  test.each(cases)('$name', async ({ touches, firesAt }) => {
    const { clock, queue } = start();
    const fired: number[] = [];
    for (let ms = 0; ms <= 4000; ms += 1) {
      if (ms > 0) await clock.advance(1);
      for (const key of await takeAll(queue)) {
        fired.push(ms);
        queue.done(key ?? '');
      }
      if (touches.includes(ms)) queue.add('a');
    }
    expect(fired).toEqual(firesAt);
    expect(queue.idle()).toBe(true);
  });

  test('leaves keys alone that have a time of their own', async () => {
    const { clock, queue } = start();
    queue.add('retry', { backoff: true });
    queue.add('recheck', { afterMs: 20 });
    await clock.advance(20);
    expect(await takeAll(queue)).toEqual(['retry', 'recheck']);
  });

  test('an edit neither delays nor repeats a booking that comes first', async () => {
    const { clock, queue } = start();
    queue.add('a', { afterMs: 100 });
    queue.add('a');
    await clock.advance(100);
    expect(await takeAll(queue)).toEqual(['a']);
    queue.done('a');
    expect(queue.idle()).toBe(true);
  });

  test('holds edits that come while the key is in work', async () => {
    const { clock, queue } = start();
    queue.add('a', { afterMs: 0 });
    await takeAll(queue);
    queue.add('a');
    queue.done('a');
    await clock.advance(499);
    expect(queue.depth()).toBe(0);
    await clock.advance(1);
    expect(queue.depth()).toBe(1);
  });
});
