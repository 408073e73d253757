import { describe, expect, test } from 'vitest';
import { createSynced, createWatchedStore } from './testing/watched-store.ts';

describe('syncing', () => {
  test('goes by watch-list, on whose stream the watch goes on', async () => {
    const { api, clock, changes, told, start, reflector, stop } = createWatchedStore();
    api.history.write('a');
    start();
    expect(reflector.position.hasSynced()).toBe(false);
    expect(reflector.watchAlive()).toBe(false);
    await clock.advance(1);
    expect(reflector.position.hasSynced()).toBe(true);
    expect(reflector.watchAlive()).toBe(true);
    api.history.write('a');
    api.pump();
    expect(changes).toEqual(['added a ->101 initial', 'updated a 101>102']);
    expect(api.requests).toEqual(['watch-list']);
    expect(told).toEqual(['listed 1 by watch-list']);
    expect(api.streams()[0]?.options).toMatchObject({
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      timeoutSeconds: 300,
      idleTimeoutMs: 150_000,
    });
    expect(api.streams()[0]?.options.resourceVersion).toBeUndefined();
    await stop();
  });

  test('falls back to pages of 500 where watch-list is refused, and remembers that', async () => {
    const { api, clock, told, stop, held, served } = await createSynced({ watchList: 'refused' });
    expect(api.lists.map(({ limit }) => limit)).toEqual([500]);
    api.streams()[0]?.garbage();
    await clock.advance(2000);
    expect(told).toEqual(['garbage: a line that is no event', 'garbage', 'listed 2 by list']);
    expect(api.requests).toEqual(['list', 'watch 102']);
    expect(held()).toEqual(served());
    await stop();
  });

  test('falls back where watch-list is ignored and nothing ends the initial events', async () => {
    const { api, clock, told, start, stop } = createWatchedStore({ watchList: 'ignored' });
    api.history.write('a');
    start();
    await clock.advance(10_000);
    expect(told).toEqual([]);
    await clock.advance(10_002);
    expect(told).toEqual(['watch-list-ignored', 'listed 1 by list']);
    expect(api.requests).toEqual(['watch-list', 'list', 'watch 101']);
    await stop();
  });

  test('takes a bookmark that does not end the initial events as a sign that watch-list is ignored', async () => {
    const { api, clock, told, start, stop } = createWatchedStore({ watchList: 'ignored' });
    start();
    await clock.advance(1);
    api.streams()[0]?.bookmark();
    await clock.advance(1);
    expect(told).toEqual(['watch-list-ignored', 'listed 0 by list']);
    await stop();
  });

  test('patience with slow initial events has no end as long as they come', async () => {
    const { api, clock, told, start, stop } = createWatchedStore({ watchList: 'ignored' });
    start();
    await clock.advance(1);
    for (let at = 0; at < 6; at += 1) {
      api.history.write(`late-${at}`);
      api.pump();
      await clock.advance(9_000);
    }
    expect(told).toEqual([]);
    await stop();
  });

  test('goes page by page, and the objects are there before the last page came', async () => {
    const world = createWatchedStore({}, { watchList: false, pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) world.api.history.write(name);
    world.start();
    await world.clock.advance(2);
    expect(world.store.size()).toBe(4);
    expect(world.reflector.position.hasSynced()).toBe(false);
    await world.clock.advance(1);
    expect(world.api.requests).toEqual(['list', 'list more', 'list more', 'watch 105']);
    expect(world.held()).toEqual(world.served());
    await world.stop();
  });

  test('asks for a page again that failed on the way', async () => {
    const world = createWatchedStore({}, { watchList: false, pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd']) world.api.history.write(name);
    world.start();
    await world.clock.advance(1);
    world.api.failLists('unreachable', { code: 500 });
    await world.clock.advance(5000);
    expect(world.api.requests.slice(0, 5)).toEqual(['list', 'list more', 'list more', 'list more', 'watch 104']);
    expect(world.told).toEqual(['listed 4 by list']);
    await world.stop();
  });

  test('starts the list over when it expires between pages', async () => {
    const world = createWatchedStore({}, { watchList: false, pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd']) world.api.history.write(name);
    world.start();
    await world.clock.advance(1);
    world.api.history.remove('a');
    world.api.history.compact();
    await world.clock.advance(5000);
    expect(world.told).toEqual(['expired', 'listed 3 by list']);
    expect(world.held()).toEqual(world.served());
    expect(world.changes.at(-1)).toBe('deleted a 101>101 initial');
    await world.stop();
  });

  test('does not believe a list that is older than what was seen, but gives in when the server insists', async () => {
    const world = await createSynced({ watchList: 'refused' });
    world.api.history.skip(1000);
    world.api.streams()[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '99999' } } });
    world.api.streams()[0]?.garbage();
    await world.clock.advance(120_000);
    expect(world.told.filter((line) => line === 'stale-list')).toHaveLength(5);
    expect(world.told.at(-1)).toBe('listed 2 by list');
    await world.stop();
  });

  test('waits for a kind that is not there and picks it up when it comes', async () => {
    const { api, clock, told, start, reflector, stop } = createWatchedStore();
    const notFound = { code: 404, reason: 'NotFound', message: 'the server could not find the requested resource' };
    api.failWatches(notFound, notFound);
    api.failLists(notFound, notFound);
    start();
    await clock.advance(9_999);
    expect(told).toEqual(['unknown-kind']);
    expect(reflector.problem()).toEqual({ reason: 'unknown-kind', message: notFound.message });
    await clock.advance(40_000);
    expect(told).toEqual(['unknown-kind', 'unknown-kind', 'unknown-kind', 'unknown-kind', 'listed 0 by watch-list']);
    expect(reflector.problem()).toBeUndefined();
    await stop();
  });

  test('takes changes and deletions among the initial events, but no position before their end', async () => {
    const { api, clock, changes, start, stop, held, served } = createWatchedStore({ watchList: 'ignored' });
    api.history.write('a');
    api.history.write('b');
    start();
    await clock.advance(1);
    api.history.write('b');
    api.history.remove('a');
    api.pump();
    api.streams()[0]?.reset();
    await clock.advance(1000);
    expect(api.requests).toEqual(['watch-list', 'list', 'watch 104']);
    expect(changes).toEqual([
      'added a ->101 initial',
      'added b ->102 initial',
      'updated b 102>103 initial',
      'deleted a 101>104 initial',
    ]);
    expect(held()).toEqual(served());
    await stop();
  });

  test('a stream of initial events that breaks is followed by a list by pages, and that by watch-list again', async () => {
    const { api, clock, start, stop } = createWatchedStore();
    api.failWatches('unreachable');
    api.failLists({ code: 500 });
    start();
    await clock.advance(10_000);
    expect(api.requests).toEqual(['watch-list', 'list', 'watch-list']);
    await stop();
  });
});
