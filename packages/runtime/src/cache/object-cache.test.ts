import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { defineKind } from '../kind.ts';
import { createObjectCache } from './object-cache.ts';
import type { ObjectCacheOptions } from './object-cache.ts';
import { createScriptedApi } from './testing/scripted-api.ts';
import type { ScriptedApiOptions } from './testing/scripted-api.ts';
import { tellChange, widgetKind } from './testing/widget.ts';

const gadgetKind = defineKind({ group: '', version: 'v1', kind: 'Gadget', plural: 'gadgets', scope: 'Cluster' });

function createWorld(options: Partial<ObjectCacheOptions> = {}, apiOptions: Partial<ScriptedApiOptions> = {}) {
  const clock = createSimulatedClock();
  const api = createScriptedApi({ clock, ...apiOptions });
  const cache = createObjectCache({ client: api.client, clock, random: () => 0, freeze: true, ...options });
  return { clock, api, cache, stopping: new AbortController() };
}

describe('the object cache', () => {
  test('gives the same informer for the same kind and scope, and another for another scope', () => {
    const { cache } = createWorld();
    const all = cache.informer(widgetKind);
    expect(cache.informer(widgetKind, {})).toBe(all);
    expect(cache.informer(widgetKind, { namespace: undefined, labelSelector: '' })).toBe(all);
    const scopes = [{ namespace: 'a' }, { labelSelector: 'a' }, { fieldSelector: 'a' }];
    expect(new Set([all, ...scopes.map((scope) => cache.informer(widgetKind, scope))]).size).toBe(4);
    expect(cache.informer(widgetKind, { namespace: 'a' })).toBe(cache.informer(widgetKind, { namespace: 'a' }));
    expect(cache.informer(gadgetKind)).not.toBe(all);
  });

  test('two listeners of one informer cost one watch', async () => {
    const { cache, api, clock, stopping } = createWorld();
    const seen: string[] = [];
    cache.informer(widgetKind).onChange((change) => seen.push(`one ${tellChange(change)}`));
    cache.informer(widgetKind).onChange((change) => seen.push(`two ${tellChange(change)}`));
    cache.start(stopping.signal);
    await clock.advance(1);
    api.history.write('a');
    api.pump();
    expect(seen).toEqual(['one added a ->101', 'two added a ->101']);
    expect(api.requests).toEqual(['watch-list']);
    stopping.abort();
    await cache.stopped();
  });

  test('asks for the scope of each informer', async () => {
    const { cache, api, clock, stopping } = createWorld();
    cache.informer(widgetKind, { namespace: 'n', labelSelector: 'l=1', fieldSelector: 'f=1' });
    cache.start(stopping.signal);
    await clock.advance(1);
    expect(api.streams()[0]?.options).toMatchObject({ namespace: 'n', labelSelector: 'l=1', fieldSelector: 'f=1' });
    stopping.abort();
  });

  test('does nothing before start, and starts a later informer at once', async () => {
    const { cache, api, clock, stopping } = createWorld();
    cache.informer(widgetKind);
    await clock.advance(1000);
    expect(api.requests).toEqual([]);
    cache.start(stopping.signal);
    await clock.advance(1);
    cache.informer(gadgetKind);
    await clock.advance(1);
    expect(api.requests).toEqual(['watch-list', 'watch-list']);
    stopping.abort();
  });

  test('cannot be started twice', () => {
    const { cache, stopping } = createWorld();
    cache.start(stopping.signal);
    expect(() => cache.start(stopping.signal)).toThrow('started before');
    stopping.abort();
  });

  test('has synced when every informer has, and an informer that comes later takes that back until it has too', async () => {
    const { cache, api, clock, stopping } = createWorld();
    cache.informer(widgetKind);
    expect(cache.hasSynced()).toBe(false);
    expect(cache.unhealthy()).toEqual(['widgets.example.com/v1']);
    const synced = cache.waitForSync();
    cache.start(stopping.signal);
    await clock.advance(1);
    await synced;
    expect([cache.hasSynced(), cache.unhealthy()]).toEqual([true, []]);
    api.failWatches({ code: 403, reason: 'Forbidden', message: 'gadgets is forbidden' });
    cache.informer(gadgetKind);
    let done = false;
    const later = cache.waitForSync().then(() => (done = true));
    await clock.advance(1);
    expect([cache.hasSynced(), done]).toEqual([false, false]);
    expect(cache.problems()).toEqual([
      {
        kind: 'gadgets.core/v1',
        scope: {},
        synced: false,
        problem: { reason: 'forbidden', message: 'gadgets is forbidden' },
      },
    ]);
    await clock.advance(5000);
    await later;
    expect([cache.hasSynced(), cache.unhealthy()]).toEqual([true, []]);
    stopping.abort();
  });

  test('a cache without informers has synced', async () => {
    const { cache } = createWorld();
    await cache.waitForSync();
    expect(cache.hasSynced()).toBe(true);
  });

  test('waiting for sync can be given up, and leaves nothing on the signal', async () => {
    const { cache } = createWorld();
    cache.informer(widgetKind);
    const waiting = new AbortController();
    const wait = cache.waitForSync(waiting.signal);
    waiting.abort(new Error('enough'));
    await expect(wait).rejects.toThrow('enough');
    await expect(cache.waitForSync(waiting.signal)).rejects.toThrow('enough');
  });

  test('waiting for sync ends with an error when the cache is stopped', async () => {
    const { cache, stopping, clock, api } = createWorld();
    api.failWatches('unreachable');
    cache.informer(widgetKind);
    cache.start(stopping.signal);
    const wait = cache.waitForSync();
    await clock.advance(1);
    stopping.abort();
    await expect(wait).rejects.toMatchObject({ code: 'cache/stopped' });
    await expect(cache.waitForSync()).rejects.toMatchObject({ code: 'cache/stopped' });
  });

  test('a broken watch is unhealthy until it is resumed', async () => {
    const { cache, api, clock, stopping } = createWorld();
    const informer = cache.informer(widgetKind);
    cache.start(stopping.signal);
    await clock.advance(1);
    api.failWatches('unreachable');
    api.streams()[0]?.reset();
    await clock.advance(1002);
    expect([informer.watchAlive(), cache.unhealthy()]).toEqual([false, ['widgets.example.com/v1']]);
    expect(cache.problems()[0]).toMatchObject({ synced: true, problem: { reason: 'unreachable' } });
    await clock.advance(5000);
    expect([informer.watchAlive(), cache.unhealthy()]).toEqual([true, []]);
    stopping.abort();
  });

  test('stopping ends everything: no timer, no listener on the signal, no request ever again', async () => {
    const { cache, api, clock, stopping } = createWorld();
    const { signal } = stopping;
    let listeners = 0;
    const counted = new Proxy(signal, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'addEventListener') listeners += 1;
        if (name === 'removeEventListener') listeners -= 1;
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    cache.informer(widgetKind);
    cache.start(counted);
    await clock.advance(1);
    const atFirst = listeners;
    for (let turn = 0; turn < 50; turn += 1) {
      api.streams()[0]?.reset();
      await clock.advance(65_000);
    }
    expect(api.requests.length).toBeGreaterThan(40);
    expect(listeners).toBe(atFirst);
    const requests = api.requests.length;
    stopping.abort();
    await cache.stopped();
    expect(clock.pending()).toBe(0);
    cache.informer(gadgetKind);
    await clock.advance(3_600_000);
    expect(api.requests).toHaveLength(requests);
  });

  test('a listener that throws is reported with its kind, and the others and the loop go on', async () => {
    const failures: string[] = [];
    const { cache, api, clock, stopping } = createWorld({
      onListenerError: (error, kind) => failures.push(`${kind}: ${(error as Error).message}`),
      observer: { listenerFailed: (kind) => failures.push(`counted ${kind}`) },
    });
    const informer = cache.informer(widgetKind);
    const seen: string[] = [];
    informer.onChange(() => {
      throw new Error('boom');
    });
    informer.onChange((change) => seen.push(tellChange(change)));
    cache.start(stopping.signal);
    await clock.advance(1);
    api.history.write('a');
    api.history.write('a');
    api.pump();
    expect(seen).toEqual(['added a ->101', 'updated a 101>102']);
    expect(failures.slice(0, 2)).toEqual(['counted widgets.example.com/v1', 'widgets.example.com/v1: boom']);
    expect(failures).toHaveLength(4);
    stopping.abort();
  });

  test('a transform is given the kind', async () => {
    const { cache, api, clock, stopping } = createWorld({
      transform: ({ metadata }, kind) => ({ metadata, of: kind.plural }),
    });
    const informer = cache.informer(widgetKind);
    api.history.write('a', { spec: 'large' });
    cache.start(stopping.signal);
    await clock.advance(1);
    expect(informer.list()[0]).toMatchObject({ of: 'widgets' });
    expect(informer.list()[0]).not.toHaveProperty('spec');
    stopping.abort();
  });

  test('what is counted: events by type, lists and watches', async () => {
    const counted: string[] = [];
    const { cache, api, clock, stopping } = createWorld({
      observer: {
        event: (kind, type) => counted.push(`${kind} ${type}`),
        watchStarted: (kind) => counted.push(`${kind} watch`),
        listed: (kind, { via, objects, durationMs }) => counted.push(`${kind} ${via} ${objects} ${durationMs}`),
      },
    });
    cache.informer(widgetKind);
    api.history.write('a');
    cache.start(stopping.signal);
    await clock.advance(1);
    api.history.write('a');
    api.history.remove('a');
    api.pump();
    api.streams()[0]?.error({ code: 500 });
    expect(counted.map((line) => line.replace('widgets.example.com/v1 ', ''))).toEqual([
      'watch',
      'ADDED',
      'BOOKMARK',
      'watch-list 1 1',
      'MODIFIED',
      'DELETED',
      'ERROR',
    ]);
    stopping.abort();
  });
});
