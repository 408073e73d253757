import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { createWorkQueue } from './create-work-queue.ts';
import type { ObservableWorkQueue, WorkQueueOptions } from './create-work-queue.ts';
import type { QueueMetrics } from './queue-metrics.ts';

function start(options: WorkQueueOptions = {}, metrics?: QueueMetrics) {
  const clock = createSimulatedClock();
  const queue = createWorkQueue(options, { clock, random: () => 0.5, metrics });
  return { clock, queue };
}

/** Takes what is due now. */
async function takeAll(queue: ObservableWorkQueue): Promise<readonly (string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  while (queue.depth() > 0) keys.push(await queue.next());
  return keys;
}

describe('a key', () => {
  test('that is added many times before it is taken runs once', async () => {
    const { queue } = start();
    for (let count = 0; count < 5; count += 1) queue.add('a');
    expect(await takeAll(queue)).toEqual(['a']);
  });

  test('that is added while in work runs again after it is done, not before', async () => {
    const { queue } = start();
    queue.add('a');
    await takeAll(queue);
    queue.add('a');
    queue.add('a');
    expect(queue.depth()).toBe(0);
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a']);
    queue.done('a');
    expect(queue.idle()).toBe(true);
  });

  test('that is not in work cannot be given back', async () => {
    const { queue } = start();
    queue.add('a');
    expect(() => queue.done('a')).toThrow('the key a is not in work');
    await takeAll(queue);
    queue.done('a');
    expect(() => queue.done('a')).toThrow('the key a is not in work');
  });

  test('goes to the worker that has waited longest', async () => {
    const { clock, queue } = start();
    const got: string[] = [];
    for (const worker of ['one', 'two']) void queue.next().then((key) => got.push(`${worker} ${key}`));
    queue.add('a');
    queue.add('b');
    await clock.settle();
    expect(got).toEqual(['one a', 'two b']);
  });
});

describe('a booking', () => {
  test('comes due after its time and not before', async () => {
    const { clock, queue } = start();
    queue.add('a', { afterMs: 100 });
    await clock.advance(99);
    expect(queue.depth()).toBe(0);
    await clock.advance(1);
    expect(queue.depth()).toBe(1);
  });

  test('is moved by an earlier time and kept by a later one', async () => {
    const { clock, queue } = start();
    queue.add('a', { afterMs: 100 });
    queue.add('a', { afterMs: 500 });
    queue.add('a', { afterMs: 50 });
    await clock.advance(50);
    expect(await takeAll(queue)).toEqual(['a']);
    queue.done('a');
    await clock.advance(1000);
    expect(queue.idle()).toBe(true);
  });

  test('that comes due while the key is in work waits for it to be done', async () => {
    const { clock, queue } = start();
    queue.add('a');
    await takeAll(queue);
    queue.add('a', { afterMs: 10 });
    await clock.advance(20);
    expect(queue.depth()).toBe(0);
    queue.done('a');
    expect(queue.depth()).toBe(1);
  });

  test('outlives done when it is not yet due', async () => {
    const { clock, queue } = start();
    queue.add('a');
    await takeAll(queue);
    queue.add('a', { afterMs: 10 });
    queue.done('a');
    expect(queue.idle()).toBe(false);
    await clock.advance(10);
    expect(await takeAll(queue)).toEqual(['a']);
  });
});

describe('back-off', () => {
  test('doubles with every failure and starts small again after forget', async () => {
    const { clock, queue } = start();
    const waits: number[] = [];
    const fail = async (): Promise<void> => {
      const from = clock.monotonic();
      queue.add('a', { backoff: true });
      await clock.runUntil(() => queue.depth() > 0);
      waits.push(clock.monotonic() - from);
      await takeAll(queue);
      queue.done('a');
    };
    for (let count = 0; count < 4; count += 1) await fail();
    expect(queue.failures('a')).toBe(4);
    queue.forget('a');
    await fail();
    expect(waits).toEqual([5, 10, 20, 40, 5]);
  });

  test('with a time beside it waits for the later of the two', async () => {
    const { clock, queue } = start();
    queue.add('a', { backoff: true, afterMs: 80 });
    await clock.advance(79);
    expect(queue.depth()).toBe(0);
    await clock.advance(1);
    expect(queue.depth()).toBe(1);
  });

  test('does not hold back a change that comes meanwhile', async () => {
    const { queue } = start({ backoff: { baseMs: 60_000, maxMs: 60_000 } });
    queue.add('a', { backoff: true });
    queue.add('a');
    expect(queue.depth()).toBe(1);
  });
});

describe('priority', () => {
  test('of a waiting key is the highest it was added with', async () => {
    const { queue } = start();
    queue.add('a', { priority: 'low' });
    queue.add('b', { priority: 'normal' });
    queue.add('a', { priority: 'high' });
    queue.add('a', { priority: 'low' });
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });

  test('ends with the run it led to', async () => {
    const { queue } = start();
    queue.add('a', { priority: 'high' });
    await takeAll(queue);
    queue.add('a', { priority: 'low' });
    queue.add('b', { priority: 'normal' });
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['b', 'a']);
  });

  test('of a retry is that of the run that failed', async () => {
    const { clock, queue } = start();
    queue.add('list', { priority: 'low' });
    queue.add('person', { priority: 'high' });
    await takeAll(queue);
    for (const key of ['list', 'person']) {
      queue.add(key, { backoff: true });
      queue.done(key);
    }
    queue.add('other', { afterMs: 5 });
    await clock.advance(5);
    expect(await takeAll(queue)).toEqual(['person', 'other', 'list']);
  });

  test('of a later look is at most normal, and low if the run was', async () => {
    const { clock, queue } = start();
    queue.add('list', { priority: 'low' });
    queue.add('person', { priority: 'high' });
    await takeAll(queue);
    for (const key of ['list', 'person']) {
      queue.add(key, { afterMs: 5 });
      queue.done(key);
    }
    await clock.advance(5);
    expect(queue.snapshot().depth).toEqual({ high: 0, normal: 1, low: 1 });
  });

  test('given while a key is booked counts when it comes due', async () => {
    const { clock, queue } = start();
    queue.add('a', { afterMs: 10, priority: 'low' });
    queue.add('b', { afterMs: 5, priority: 'normal' });
    queue.add('a', { afterMs: 20, priority: 'high' });
    await clock.advance(10);
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });
});

describe('stopping', () => {
  test('an abandoned wait rejects with the reason and takes no key', async () => {
    const { queue } = start();
    const abort = new AbortController();
    const abandoned = queue.next(abort.signal);
    abort.abort(new Error('enough'));
    await expect(abandoned).rejects.toThrow('enough');
    await expect(queue.next(abort.signal)).rejects.toThrow('enough');
    queue.add('a');
    expect(await takeAll(queue)).toEqual(['a']);
  });

  test('shutDown frees the waiting, hands out nothing more and lets the running finish', async () => {
    const { clock, queue } = start();
    for (const key of ['running', 'again', 'waiting']) queue.add(key);
    expect(await queue.next()).toBe('running');
    expect(await queue.next()).toBe('again');
    queue.add('again');
    queue.add('booked', { afterMs: 100 });
    queue.add('failed', { backoff: true });
    queue.shutDown();
    queue.add('late');
    expect(await queue.next()).toBeUndefined();
    expect(queue.idle()).toBe(false);
    queue.done('running');
    queue.done('again');
    expect([queue.idle(), queue.snapshot().remembered, clock.pending()]).toEqual([true, 0, 0]);
    const empty = start().queue;
    const waiting = empty.next();
    empty.shutDown();
    expect(await waiting).toBeUndefined();
  });
});

test('the hooks and the snapshot tell what happens', async () => {
  const told: unknown[] = [];
  const { clock, queue } = start(
    {},
    {
      added: (priority) => told.push(['added', priority]),
      retried: () => told.push(['retried']),
      waited: (ms) => told.push(['waited', ms]),
      worked: (ms) => told.push(['worked', ms]),
    },
  );
  queue.add('a', { priority: 'low' });
  queue.add('a', { priority: 'low' });
  await clock.advance(30);
  await queue.next();
  await clock.advance(10);
  queue.add('b');
  await queue.next();
  await clock.advance(5);
  queue.add('c', { backoff: true });
  queue.add('d', { priority: 'high' });
  expect(queue.snapshot()).toEqual({
    depth: { high: 1, normal: 0, low: 0 },
    booked: 1,
    inWork: 2,
    unfinishedMs: 20,
    longestRunningMs: 15,
    remembered: 4,
  });
  queue.done('a');
  expect(told).toEqual([
    ['added', 'low'],
    ['waited', 30],
    ['added', 'normal'],
    ['waited', 0],
    ['retried'],
    ['added', 'high'],
    ['worked', 15],
  ]);
});

test('fifty thousand keys leave nothing behind and share one timer', async () => {
  const { clock, queue } = start({ debounce: { quietMs: 500, maxMs: 2000 } });
  const keys = Array.from({ length: 50_000 }, (_, index) => `namespace/name-${index}`);
  for (const key of keys) queue.add(key, { priority: 'low' });
  for (const key of keys) queue.add(key);
  keys.forEach((key, index) => queue.add(key, { afterMs: 1000 - (index % 1000) }));
  expect([clock.pending(), queue.snapshot().booked]).toEqual([1, 50_000]);
  await clock.advance(1000);
  const taken = new Set(await takeAll(queue));
  expect(taken.size).toBe(50_000);
  for (const key of keys) {
    queue.add(key, { backoff: true });
    queue.done(key);
  }
  await clock.advance(5);
  for (const key of await takeAll(queue)) {
    queue.done(key ?? '');
    queue.forget(key ?? '');
  }
  expect([queue.idle(), queue.snapshot().remembered, clock.pending()]).toEqual([true, 0, 0]);
});
