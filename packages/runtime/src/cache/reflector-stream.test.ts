import { describe, expect, test } from 'vitest';
import type { KubeClient } from '../client/kube-client.ts';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { createObjectStore } from './object-store.ts';
import { createReflector } from './reflector.ts';
import { widgetKind } from './testing/widget.ts';
import { createWatchedStore } from './testing/watched-store.ts';

describe('a watch', () => {
  test('resumes from the last bookmark', async () => {
    const { api, clock, start, stop } = createWatchedStore();
    start();
    await clock.advance(1);
    api.history.skip(50);
    api.pump();
    api.streams()[0]?.bookmark();
    api.streams()[0]?.bookmark();
    api.streams()[0]?.reset();
    await clock.advance(1100);
    expect(api.requests).toEqual(['watch-list', 'watch 150']);
    await stop();
  });

  test('is not set back by a bookmark that is older than the last event', async () => {
    const { api, clock, start, stop } = createWatchedStore();
    start();
    await clock.advance(1);
    api.history.write('a');
    api.pump();
    api.streams()[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '99' } } });
    api.streams()[0]?.reset();
    await clock.advance(1100);
    expect(api.requests).toEqual(['watch-list', 'watch 101']);
    await stop();
  });

  test('does not bring back the dead when the server repeats itself', async () => {
    const { api, clock, changes, start, stop, held, served } = createWatchedStore();
    start();
    await clock.advance(1);
    api.history.write('a');
    api.history.write('a');
    api.history.remove('a');
    api.pump();
    api.streams()[0]?.repeat(3);
    expect(changes).toEqual(['added a ->101', 'updated a 101>102', 'deleted a 102>103']);
    expect(held()).toEqual(served());
    await stop();
  });

  test('that the server ends after its time is followed by another without a gap', async () => {
    const { api, clock, told, changes, start, stop, reflector } = createWatchedStore();
    start();
    await clock.advance(299_000);
    expect(api.requests).toEqual(['watch-list']);
    await clock.advance(1002);
    expect(api.requests).toEqual(['watch-list', 'watch 100']);
    expect(told).toEqual(['listed 0 by watch-list', 'closed']);
    expect(reflector.watchAlive()).toBe(true);
    api.history.write('a');
    api.pump();
    expect(changes).toEqual(['added a ->101']);
    await stop();
  });

  test('that closes at once each time is not asked for more than once in the floor time or back-off', async () => {
    const { api, clock, start, stop } = createWatchedStore();
    start();
    await clock.advance(1);
    for (let second = 0; second < 60_000; second += 100) {
      api.streams()[0]?.close();
      await clock.advance(100);
    }
    expect(api.requests.length).toBeLessThan(10);
    await stop();
  });

  test('is asked for with a random time between 300 and 600 s', async () => {
    const clock = createSimulatedClock();
    const seconds: (number | undefined)[] = [];
    const rolls = [0, 0.5, 0.999];
    const client: Pick<KubeClient, 'list' | 'watch'> = {
      list: async () => ({ metadata: { resourceVersion: '5' }, items: [] }),
      watch: async (_, options) => {
        seconds.push(options.timeoutSeconds);
        await new Promise((resolve) => clock.after(5000, () => resolve(undefined)));
      },
    };
    const store = createObjectStore({ kind: widgetKind, onListenerError: () => undefined });
    const reflector = createReflector(
      { kind: widgetKind, watchList: false },
      { client, clock, random: () => rolls[seconds.length % 3]!, store, onError: () => undefined },
    );
    const stopping = new AbortController();
    const run = reflector.run(stopping.signal);
    await clock.advance(14_000);
    stopping.abort();
    await clock.advance(5000);
    await run;
    expect(seconds).toEqual([300, 450, 600]);
  });

  test('that outlives its time by the idle limit is ended by us, whatever the client does', async () => {
    const clock = createSimulatedClock();
    let watches = 0;
    let aborted = 0;
    const client: Pick<KubeClient, 'list' | 'watch'> = {
      list: async () => ({ metadata: { resourceVersion: '5' }, items: [] }),
      watch: async (_, { signal }) => {
        watches += 1;
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted += 1;
            reject(signal.reason as Error);
          });
        });
      },
    };
    const store = createObjectStore({ kind: widgetKind, onListenerError: () => undefined });
    const told: string[] = [];
    const reflector = createReflector(
      { kind: widgetKind, watchList: false },
      {
        client,
        clock,
        random: () => 0,
        store,
        onError: () => undefined,
        observer: { restarted: (_, reason) => told.push(reason) },
      },
    );
    const stopping = new AbortController();
    const run = reflector.run(stopping.signal);
    await clock.advance(449_000);
    expect([watches, aborted]).toEqual([1, 0]);
    await clock.advance(3000);
    expect([watches, aborted]).toEqual([2, 1]);
    expect(told).toEqual(['overdue']);
    stopping.abort();
    await run;
  });
});

test('the version of a list is that of its first page', async () => {
  const clock = createSimulatedClock();
  const from: (string | undefined)[] = [];
  const client: Pick<KubeClient, 'list' | 'watch'> = {
    list: async (_, options) =>
      options?.continue
        ? { metadata: { resourceVersion: '9' }, items: [] }
        : { metadata: { resourceVersion: '5', continue: 'more' }, items: [] },
    watch: async (_, { resourceVersion }) => {
      from.push(resourceVersion);
      await new Promise((resolve) => clock.after(5000, () => resolve(undefined)));
    },
  };
  const store = createObjectStore({ kind: widgetKind, onListenerError: () => undefined });
  const deps = { client, clock, random: () => 0, store, onError: () => undefined };
  const stopping = new AbortController();
  const run = createReflector({ kind: widgetKind, watchList: false }, deps).run(stopping.signal);
  await clock.advance(10);
  stopping.abort();
  await clock.advance(5000);
  await run;
  expect(from).toEqual(['5']);
});

describe('stopping', () => {
  test('nothing is taken from a client that goes on after it was told to stop', async () => {
    const clock = createSimulatedClock();
    const client: Pick<KubeClient, 'list' | 'watch'> = {
      list: async () => ({ metadata: { resourceVersion: '5' }, items: [] }),
      watch: async (_, __, onEvent) => {
        await new Promise((resolve) => clock.after(5000, () => resolve(undefined)));
        const metadata = { name: 'late', resourceVersion: '7' };
        onEvent({ type: 'ADDED', object: { metadata } as never });
      },
    };
    const store = createObjectStore({ kind: widgetKind, onListenerError: () => undefined });
    const deps = { client, clock, random: () => 0, store, onError: () => undefined };
    const stopping = new AbortController();
    const run = createReflector({ kind: widgetKind, watchList: false }, deps).run(stopping.signal);
    await clock.advance(10);
    stopping.abort();
    await clock.advance(5000);
    await run;
    expect(store.size()).toBe(0);
  });

  test('ends the stream, leaves no timer, reconnects never and applies nothing any more', async () => {
    const { api, clock, start, stop, changes } = createWatchedStore();
    start();
    await clock.advance(1);
    const stream = api.streams()[0]!;
    await stop();
    expect(clock.pending()).toBe(0);
    stream.send({ type: 'ADDED', object: { metadata: { name: 'late', resourceVersion: '900' } } });
    await clock.advance(3_600_000);
    expect(api.requests).toEqual(['watch-list']);
    expect(changes).toEqual([]);
  });

  test('during a back-off ends it at once', async () => {
    const { api, clock, start, stop } = createWatchedStore();
    api.failWatches({ code: 500 });
    start();
    await clock.advance(10);
    await stop();
    expect(clock.pending()).toBe(0);
    await clock.advance(3_600_000);
    expect(api.requests).toEqual(['watch-list']);
  });

  test('during a list deletes nothing', async () => {
    const world = createWatchedStore({}, { watchList: false, pageSize: 1 });
    world.api.history.write('a');
    world.api.history.write('b');
    world.start();
    await world.clock.advance(1);
    await world.stop();
    expect(world.changes).toEqual(['added a ->101 initial']);
    expect(world.reflector.position.hasSynced()).toBe(false);
    expect(world.clock.pending()).toBe(0);
  });
});

test('an observer that throws does not end the loop', async () => {
  const clock = createSimulatedClock();
  let lists = 0;
  const errors: unknown[] = [];
  const client: Pick<KubeClient, 'list' | 'watch'> = {
    list: async () => {
      lists += 1;
      throw new Error('down');
    },
    watch: async () => undefined,
  };
  const reflector = createReflector(
    { kind: widgetKind, watchList: false },
    {
      client,
      clock,
      random: () => 0,
      store: createObjectStore({ kind: widgetKind, onListenerError: () => undefined }),
      onError: (error) => errors.push(error),
      observer: {
        restarted: () => {
          throw new Error('observer');
        },
      },
    },
  );
  const stopping = new AbortController();
  const run = reflector.run(stopping.signal);
  await clock.advance(3000);
  stopping.abort();
  await run;
  expect(lists).toBeGreaterThan(1);
  expect(errors[0]).toEqual(new Error('observer'));
});
