import { describe, expect, test } from 'vitest';
import type { ScriptedStream } from './testing/scripted-stream.ts';
import { createSynced } from './testing/watched-store.ts';

describe('each way to fail', () => {
  type Fault = {
    readonly name: string;
    readonly spoil: (stream: ScriptedStream) => void;
    readonly reason: string;
    readonly request: string;
    readonly withinMs: number;
  };
  const cases: readonly Fault[] = [
    { name: 'clean end', spoil: (stream) => stream.close(), reason: 'closed', request: 'watch 102', withinMs: 1001 },
    { name: 'reset', spoil: (stream) => stream.reset(), reason: 'unreachable', request: 'watch 102', withinMs: 1001 },
    {
      name: 'half-open connection',
      spoil: (stream) => stream.stall(),
      reason: 'unreachable',
      request: 'watch 102',
      withinMs: 150_001,
    },
    {
      name: 'ERROR event 410',
      spoil: (stream) => stream.error({ code: 410, reason: 'Expired' }),
      reason: 'expired',
      request: 'watch-list',
      withinMs: 1001,
    },
    {
      name: 'ERROR event 500 on a stream that stays open',
      spoil: (stream) => stream.error({ code: 500, reason: 'InternalError' }),
      reason: 'server-error',
      request: 'watch 102',
      withinMs: 801,
    },
    {
      name: 'ERROR event without a code',
      spoil: (stream) => stream.error({ message: 'what?' }),
      reason: 'garbage',
      request: 'watch-list',
      withinMs: 1001,
    },
    {
      name: 'garbage line',
      spoil: (stream) => stream.garbage(),
      reason: 'garbage',
      request: 'watch-list',
      withinMs: 1001,
    },
    {
      name: 'event of an unknown type',
      spoil: (stream) => stream.send({ type: 'EXPLODED', object: {} }),
      reason: 'garbage',
      request: 'watch-list',
      withinMs: 1001,
    },
    {
      name: 'event without a name',
      spoil: (stream) => stream.send({ type: 'ADDED', object: { metadata: { resourceVersion: '103' } } }),
      reason: 'garbage',
      request: 'watch-list',
      withinMs: 1001,
    },
    {
      name: 'event with an empty name',
      spoil: (stream) => stream.send({ type: 'ADDED', object: { metadata: { name: '', resourceVersion: '103' } } }),
      reason: 'garbage',
      request: 'watch-list',
      withinMs: 1001,
    },
    {
      name: 'event without metadata',
      spoil: (stream) => stream.send({ type: 'MODIFIED', object: {} }),
      reason: 'garbage',
      request: 'watch-list',
      withinMs: 1001,
    },
    {
      name: 'bookmark without a version',
      spoil: (stream) => stream.send({ type: 'BOOKMARK', object: { metadata: {} } }),
      reason: 'garbage',
      request: 'watch-list',
      withinMs: 1001,
    },
  ];

  test.each(cases)('$name: what happened meanwhile arrives', async ({ spoil, reason, request, withinMs }) => {
    const world = await createSynced();
    spoil(world.api.streams()[0]!);
    world.api.history.write('a');
    world.api.history.remove('b');
    await world.clock.advance(withinMs);
    expect(world.told.filter((line) => !line.startsWith('garbage:'))[0]).toBe(reason);
    expect(world.api.requests[0]).toBe(request);
    expect(world.held()).toEqual(world.served());
    expect(world.changes.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['updated a', 'deleted b']);
    expect(world.reflector.watchAlive()).toBe(true);
    await world.stop();
  });

  test('HTTP 410 on resuming lists again and tells what was deleted meanwhile', async () => {
    const world = await createSynced();
    world.api.streams()[0]?.reset();
    world.api.history.remove('a');
    world.api.history.write('c');
    world.api.history.compact();
    await world.clock.advance(5000);
    expect(world.api.requests).toEqual(['watch 102', 'watch-list']);
    expect(world.changes).toEqual(['added c ->104 initial', 'deleted a 101>101 initial']);
    await world.stop();
  });

  test('an object that was deleted and made anew meanwhile is told as both', async () => {
    const world = await createSynced();
    world.api.history.remove('a');
    world.api.history.write('a');
    world.api.streams()[0]?.garbage();
    await world.clock.advance(5000);
    expect(world.changes).toEqual(['deleted a 101>101 initial', 'added a ->104 initial']);
    await world.stop();
  });

  test('429 with Retry-After is obeyed', async () => {
    const world = await createSynced();
    world.api.failWatches({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 20 } });
    world.api.streams()[0]?.close();
    await world.clock.advance(20_500);
    expect(world.told).toEqual(['closed', 'throttled']);
    expect(world.api.requests).toEqual(['watch 102']);
    await world.clock.advance(1000);
    expect(world.api.requests).toEqual(['watch 102', 'watch 102']);
    await world.stop();
  });

  test('a server that stays down is asked ever more slowly, and 2 minutes of health make that good', async () => {
    const world = await createSynced();
    world.api.failWatches(...Array.from({ length: 8 }, () => ({ code: 500 })));
    world.api.streams()[0]?.close();
    const times: number[] = [];
    let seen = 0;
    await world.clock.runUntil(() => {
      if (world.api.requests.length > seen) times.push(world.clock.monotonic());
      seen = world.api.requests.length;
      return seen === 9;
    });
    const gaps = times.slice(1).map((time, at) => time - times[at]! - 1);
    expect(gaps).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    await world.clock.advance(180_000);
    world.api.failWatches({ code: 500 });
    world.api.streams()[0]?.close();
    await world.clock.advance(810);
    expect(world.api.requests.slice(-2)).toEqual(['watch 102', 'watch 102']);
    await world.stop();
  });

  test('a version that the server does not know yet leads to a list, whatever versions that has', async () => {
    const world = await createSynced({ watchList: 'refused' });
    world.api.streams()[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '99999' } } });
    world.api.streams()[0]?.close();
    await world.clock.advance(10_000);
    expect(world.told).toEqual(['closed', 'too-new', 'listed 2 by list']);
    await world.stop();
  });

  test.each([
    { code: 401, reason: 'unauthorized' },
    { code: 403, reason: 'forbidden' },
  ])('$code is visible as $reason until it is made good', async ({ code, reason }) => {
    const world = await createSynced();
    world.api.failWatches({ code, message: 'no' });
    world.api.streams()[0]?.close();
    await world.clock.advance(1000);
    expect(world.reflector.watchAlive()).toBe(false);
    expect(world.reflector.problem()).toEqual({ reason, message: 'no' });
    await world.clock.advance(3000);
    expect(world.reflector.watchAlive()).toBe(true);
    await world.stop();
  });
});
