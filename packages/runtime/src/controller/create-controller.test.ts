import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { defineKind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import { OperatorError } from '../operator-error.ts';
import type { ControllerSnapshot } from './controller-metrics.ts';
import { createController } from './create-controller.ts';
import type { ControllerOptions } from './create-controller.ts';
import { recheck, settled } from './outcome.ts';
import type { Reconcile } from './reconcile-key.ts';
import { createHandDrivenCache } from './testing/hand-driven-cache.ts';
import { createRecordingLog } from './testing/recording-log.ts';
import { watch } from './watch.ts';

const pod = defineKind({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
const object = (name: string): KubeObject => ({ metadata: { namespace: 'n', name } });

function start(reconcile: Reconcile, options: Partial<ControllerOptions> = {}, { synced = true } = {}) {
  const clock = createSimulatedClock();
  const cache = createHandDrivenCache();
  const { log, lines } = createRecordingLog();
  const runs: string[] = [];
  const told: unknown[] = [];
  let snapshot: (() => ControllerSnapshot) | undefined;
  const controller = createController(
    {
      name: 'test',
      watches: [watch(pod)],
      reconcile: async (key, context) => {
        runs.push(`${key} at ${clock.monotonic()}`);
        return reconcile(key, context);
      },
      ...options,
    },
    {
      cache,
      clock,
      log,
      random: () => 0.5,
      metrics: {
        reconciled: (result, ms) => told.push([result, ms]),
        failed: (failure) => told.push(failure),
        started: (read) => (snapshot = read),
      },
    },
  );
  const abort = new AbortController();
  const ended = controller.run(abort.signal);
  if (synced) cache.completeSync();
  return {
    clock,
    cache,
    lines,
    runs,
    told,
    controller,
    ended,
    stop: () => abort.abort(),
    snapshot: () => snapshot?.(),
  };
}

/** Resolves when it is told to, whatever its signal says. */
function createDeaf() {
  const doors: (() => void)[] = [];
  const reconcile: Reconcile = async () => {
    await new Promise<void>((resolve) => {
      doors.push(resolve);
    });
    return settled;
  };
  return { reconcile, open: () => doors.shift()?.() };
}

const untilAborted: Reconcile = async (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const failOnce = (error: unknown): Reconcile => {
  let failed = false;
  return async () => {
    if (failed) return settled;
    failed = true;
    throw error;
  };
};

describe('start', () => {
  test('nothing is reconciled before all caches are complete', async () => {
    const other = createHandDrivenCache();
    const { clock, cache, runs } = start(
      async () => settled,
      { watches: [watch(pod), watch(pod, { cache: other, toKeys: () => ['from-other'] })] },
      { synced: false },
    );
    cache.put(pod, object('a'), { initial: true });
    cache.completeSync();
    await clock.settle();
    expect(runs).toEqual([]);
    other.completeSync();
    await clock.settle();
    expect(runs).toEqual(['n/a at 0']);
  });

  test('caches that do not complete end the controller with their names', async () => {
    const { clock, ended } = start(async () => settled, {}, { synced: false });
    const failure = ended.catch((error: unknown) => error);
    await clock.advance(120_000);
    expect(await failure).toMatchObject({
      code: 'controller/cache-sync-timeout',
      message: 'controller test: caches not complete in 120000 ms: pods.core/v1',
    });
  });

  test('a stop while the caches fill is not a failure', async () => {
    const { clock, cache, stop, ended } = start(async () => settled, {}, { synced: false });
    stop();
    await ended;
    expect([cache.listeners(), clock.pending()]).toEqual([0, 0]);
  });

  test('what is cached already is reconciled too', async () => {
    const { clock, cache, runs, controller, stop, ended } = start(async () => settled);
    cache.put(pod, object('a'));
    await clock.settle();
    stop();
    await ended;
    void controller.run(new AbortController().signal);
    await clock.settle();
    expect(runs).toEqual(['n/a at 0', 'n/a at 0']);
  });

  test.each([
    { name: 'a controller runs on the leader alone', options: {}, runs: 'leader' },
    { name: 'a controller runs on every replica if it says so', options: { runs: 'always' as const }, runs: 'always' },
  ])('$name', ({ options, runs }) => expect(start(async () => settled, options).controller.runs).toBe(runs));
});

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

describe('limits', () => {
  test('as many keys as allowed run at once, and the gauges say so', async () => {
    const { reconcile, open } = createDeaf();
    const { clock, cache, runs, snapshot } = start(reconcile, { concurrency: 2 });
    for (const name of ['a', 'b', 'c']) cache.put(pod, object(name));
    await clock.settle();
    expect(runs.length).toBe(2);
    expect(snapshot()).toMatchObject({ activeWorkers: 2, maxConcurrent: 2, queue: { depth: { high: 1 }, inWork: 2 } });
    open();
    await clock.settle();
    expect(runs.length).toBe(3);
  });

  test('a reconcile over its time limit is aborted and its key backs off', async () => {
    const { clock, cache, runs, told, lines } = start(untilAborted, { timeoutMs: 1000 });
    cache.put(pod, object('a'));
    await clock.advance(1005);
    expect(runs).toEqual(['n/a at 0', 'n/a at 1005']);
    expect(told).toEqual([{ code: 'controller/timeout', terminal: false, timedOut: true }, ['error', 1000]]);
    expect(lines.map(({ message }) => message)).toEqual([
      'reconcile is over its time limit; its key waits until it ends',
      'reconcile failed',
    ]);
  });

  test('a reconcile that ignores its signal holds its key until it ends, and then its key backs off', async () => {
    const { reconcile, open } = createDeaf();
    const { clock, cache, runs, told } = start(reconcile, { timeoutMs: 1000, concurrency: 2 });
    cache.put(pod, object('a'));
    await clock.advance(500);
    cache.put(pod, object('a'));
    await clock.advance(5000);
    expect(runs).toEqual(['n/a at 0']);
    open();
    await clock.settle();
    expect(told).toEqual([{ code: 'controller/timeout', terminal: false, timedOut: true }, ['error', 5500]]);
    expect(runs).toEqual(['n/a at 0', 'n/a at 5500']);
  });

  test('a reconcile waits until the cache shows the last write of its own process', async () => {
    const { clock, cache, runs } = start(async () => settled);
    const catchUp = cache.fallBehind();
    cache.put(pod, object('a'));
    await clock.advance(300);
    expect(runs).toEqual([]);
    catchUp();
    await clock.settle();
    expect(runs).toEqual(['n/a at 300']);
  });

  test('a cache that stays behind makes the key back off; it is never acted on', async () => {
    const { clock, cache, runs, told } = start(async () => settled);
    cache.fallBehind();
    cache.put(pod, object('a'));
    await clock.advance(10_000);
    expect(runs).toEqual([]);
    expect(told).toEqual([{ code: 'controller/cache-behind', terminal: false, timedOut: false }, ['error', 10_000]]);
  });

  test('workers let timers and sockets have their turn while keys keep coming', async () => {
    let turns = 0;
    const { clock, cache, runs } = start(async () => settled);
    for (let count = 0; count < 1000; count += 1) cache.put(pod, object(`pod-${count}`));
    for (let idle = false; !idle; idle = runs.length === 1000) {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      turns += 1;
    }
    await clock.settle();
    expect(turns).toBeGreaterThan(20);
  });
});

describe('stop', () => {
  test('no new key begins, the running get their signal and are waited for', async () => {
    const { clock, cache, runs, stop, ended, lines } = start(untilAborted, { concurrency: 1 });
    cache.put(pod, object('a'));
    cache.put(pod, object('b'));
    await clock.settle();
    stop();
    await ended;
    cache.put(pod, object('c'));
    await clock.settle();
    expect(runs).toEqual(['n/a at 0']);
    expect(lines.map(({ level }) => level)).toEqual(['debug']);
    expect([cache.listeners(), clock.pending()]).toEqual([0, 0]);
  });

  test('what still runs after the grace time is named', async () => {
    const { reconcile } = createDeaf();
    const { clock, cache, stop, ended } = start(reconcile, { stopGraceMs: 3000 });
    cache.put(pod, object('a'));
    await clock.settle();
    stop();
    const failure = ended.catch((error: unknown) => error);
    await clock.advance(3000);
    expect(await failure).toMatchObject({
      code: 'controller/stop-timeout',
      message: 'controller test: still reconciling 3000 ms after the stop: n/a',
    });
  });
});
