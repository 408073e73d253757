import { createSimulatedClock } from '@tributary/testkit';
import { expect, test } from 'vitest';
import { createWorkQueue } from '../queue/create-work-queue.ts';
import type { WorkQueue } from '../queue/work-queue.ts';
import { hireWorkers } from './hire-workers.ts';

const clock = createSimulatedClock();

type Held = {
  readonly queue: WorkQueue;
  readonly crew: Promise<void>;
  readonly began: readonly string[];
  readonly waiting: () => number;
  readonly finish: (key: string) => Promise<void>;
};

/** Workers whose work ends when the test says so, and how often they ask for more. */
function holdWork(most: number): Held {
  const queue = createWorkQueue({}, { clock, random: () => 0.5 });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  let waiting = 0;
  const next = async (): Promise<string | undefined> => {
    waiting += 1;
    return queue.next().finally(() => (waiting -= 1));
  };
  const reconcile = async (key: string): Promise<void> => {
    began.push(key);
    await new Promise<void>((resolve) => void ends.set(key, resolve));
  };
  const crew = hireWorkers({ queue: { next, done: queue.done }, most, reconcile });
  const finish = async (key: string): Promise<void> => {
    ends.get(key)?.();
    await clock.settle();
  };
  return { queue, crew, began, waiting: () => waiting, finish };
}

test('as many keys are in work at once as the limit says, and no more', async () => {
  const { queue, began, finish } = holdWork(3);
  for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key);
  await clock.settle();
  expect(began).toEqual(['a', 'b', 'c']);
  await finish('b');
  expect(began).toEqual(['a', 'b', 'c', 'd']);
});

test('only one worker waits where there is nothing to do, however high the limit', async () => {
  const { queue, waiting } = holdWork(2000);
  await clock.settle();
  expect(waiting()).toBe(1);
  queue.add('a');
  await clock.settle();
  expect(waiting()).toBe(1);
});

test('a worker that is done takes the next key; nobody is hired for it', async () => {
  const { queue, waiting, finish } = holdWork(2000);
  queue.add('a');
  await clock.settle();
  await finish('a');
  queue.add('b');
  await clock.settle();
  expect(waiting()).toBe(1);
});

test('it ends when the queue is shut down and the last one has finished', async () => {
  const { queue, crew, finish } = holdWork(2);
  queue.add('a');
  await clock.settle();
  let ended = false;
  void crew.then(() => (ended = true));
  queue.shutDown();
  await clock.settle();
  expect(ended).toBe(false);
  await finish('a');
  expect(ended).toBe(true);
});

test('what a worker throws is thrown', async () => {
  const queue = createWorkQueue({}, { clock, random: () => 0.5 });
  const crew = hireWorkers({ queue, most: 2, reconcile: async () => Promise.reject(new Error('a bug')) });
  queue.add('a');
  await expect(crew).rejects.toThrow('a bug');
});
