import { describe, expect, test } from 'vitest';
import { settled } from './outcome.ts';
import { createHandDrivenCache } from './testing/hand-driven-cache.ts';
import { createDeaf, object, pod, startController as start, untilAborted } from './testing/start-controller.ts';
import { watch } from './watch.ts';

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

  test('on every replica, caches that do not complete are told again and again, and waited for', async () => {
    const { clock, cache, lines, runs } = start(async () => settled, { runs: 'always' }, { synced: false });
    cache.put(pod, object('a'), { initial: true });
    await clock.advance(300_000);
    expect(lines.map((line) => JSON.stringify(line)).filter((line) => line.includes('not complete'))).toHaveLength(2);
    cache.completeSync();
    await clock.settle();
    expect(runs).toEqual(['n/a at 300000']);
    await clock.advance(300_000);
    expect(clock.pending()).toBe(0);
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
