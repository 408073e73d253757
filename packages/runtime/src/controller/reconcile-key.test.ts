import { describe, expect, test } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import { recheck, settled } from './outcome.ts';
import type { Reconcile } from './reconcile-key.ts';
import { object, pod, startController as start } from './testing/start-controller.ts';

const failOnce = (error: unknown): Reconcile => {
  let failed = false;
  return async () => {
    if (failed) return settled;
    failed = true;
    throw error;
  };
};

describe('outcomes', () => {
  test('settled is the end of it', async () => {
    const { clock, cache, runs, told } = start(async () => settled);
    cache.put(pod, object('a'));
    await clock.runUntilIdle();
    expect(runs).toEqual(['n/a at 0']);
    expect(told).toEqual([['success', 0]]);
  });

  test('recheck runs again at its time and forgets earlier failures', async () => {
    const failures: number[] = [];
    const { clock, cache, runs, told } = start(async (_, context) => {
      failures.push(context.failures);
      if (failures.length === 1) throw new OperatorError('test/busy', 'busy', { kind: 'backoff' });
      return failures.length === 2 ? recheck(1000) : settled;
    });
    cache.put(pod, object('a'));
    await clock.runUntilIdle();
    expect(runs).toEqual(['n/a at 0', 'n/a at 5', 'n/a at 1005']);
    expect(failures).toEqual([0, 1, 0]);
    expect(told.slice(1)).toEqual([
      ['error', 0],
      ['requeue_after', 0],
      ['success', 0],
    ]);
  });

  test('what must not be retried leaves no failures behind', async () => {
    const errors = [{ kind: 'backoff' }, { kind: 'never' }] as const;
    let count = 0;
    const { clock, cache, runs, snapshot } = start(async () => {
      throw new OperatorError('test/no', 'no', errors[count++] ?? { kind: 'backoff' });
    });
    cache.put(pod, object('a'));
    await clock.runUntilIdle();
    expect([runs.length, snapshot()?.queue.remembered]).toEqual([2, 0]);
  });

  test('an error during the stop is not a failure, but can be looked up', async () => {
    const error = new Error('cut short');
    const { clock, cache, stop, ended, lines, told } = start(
      async (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(error));
        }),
    );
    cache.put(pod, object('a'));
    await clock.settle();
    stop();
    await ended;
    expect(lines).toMatchObject([{ level: 'debug', err: error }]);
    expect(told).toEqual([['error', 0]]);
  });

  const failures = [
    {
      name: 'a named error that backs off',
      error: new OperatorError('test/no', 'no', { kind: 'backoff' }),
      again: [5],
      code: 'test/no',
      level: 'warn',
    },
    {
      name: 'a named error with a time',
      error: new OperatorError('test/no', 'no', { kind: 'after', ms: 700 }),
      again: [700],
      code: 'test/no',
      level: 'warn',
    },
    {
      name: 'a named error that must not be retried',
      error: new OperatorError('test/no', 'no', { kind: 'never' }),
      again: [],
      code: 'test/no',
      level: 'error',
    },
    { name: 'a bug', error: new TypeError('oops'), again: [5], code: 'bug', level: 'error' },
  ];
  test.each(failures)('$name is logged once, counted and booked', async ({ error, again, code, level }) => {
    const { clock, cache, runs, told, lines, snapshot } = start(failOnce(error));
    cache.put(pod, object('a'));
    await clock.runUntilIdle();
    expect(runs).toEqual(['n/a at 0', ...again.map((at) => `n/a at ${at}`)]);
    expect(told.slice(0, 2)).toEqual([{ code, terminal: again.length === 0, timedOut: false }, ['error', 0]]);
    expect(lines).toMatchObject([
      { level, err: error, code, controller: 'test', key: 'n/a', reconcileId: '800000000000' },
    ]);
    expect(snapshot()?.queue.remembered).toBe(0);
  });
});
