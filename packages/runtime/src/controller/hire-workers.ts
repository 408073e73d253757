import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkQueue } from '../queue/work-queue.ts';

/** After so many keys a worker lets timers and sockets have their turn, or a lease would not be renewed in time. */
const keysPerTurn = 32;

export type Hiring = {
  readonly queue: Pick<WorkQueue, 'next' | 'done'>;
  /** How many keys are worked on at once at the most. */
  readonly most: number;
  readonly reconcile: (key: string) => Promise<void>;
};

/**
 * Works on keys until the queue is shut down. There is always one worker more than there is work, up to the limit: a
 * high limit costs nothing until it is needed.
 */
export async function hireWorkers({ queue, most, reconcile }: Hiring): Promise<void> {
  const crew = Promise.withResolvers<void>();
  let hired = 0;
  let idle = 0;
  const work = async (): Promise<void> => {
    let sinceTurn = 0;
    for (let key = await queue.next(); key !== undefined; key = await queue.next()) {
      idle -= 1;
      if (idle === 0 && hired < most) hire();
      try {
        await reconcile(key);
      } finally {
        queue.done(key);
        idle += 1;
      }
      sinceTurn = (sinceTurn + 1) % keysPerTurn;
      if (sinceTurn === 0) await nextTurn();
    }
  };
  const leave = (): void => {
    hired -= 1;
    if (hired === 0) crew.resolve();
  };
  const hire = (): void => {
    hired += 1;
    idle += 1;
    work().then(leave, crew.reject);
  };
  hire();
  await crew.promise;
}
