import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import type { SimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { KubeApiError } from '../client/kube-api-error.ts';
import { createController } from '../controller/create-controller.ts';
import { settled } from '../controller/outcome.ts';
import { watch } from '../controller/watch.ts';
import { defineKind } from '../kind.ts';
import type { Kind } from '../kind.ts';
import { silentLog } from '../log.ts';
import { createManager } from '../manager/create-manager.ts';
import type { Runnable } from '../manager/runnable.ts';
import { createObjectCache } from './object-cache.ts';
import type { ObjectCacheOptions, SharedCache } from './object-cache.ts';
import { createScriptedApi } from './testing/scripted-api.ts';
import { widgetKind } from './testing/widget.ts';

const cluster = { group: 'x', version: 'v1', scope: 'Cluster' } as const;
const missing = defineKind({ ...cluster, kind: 'Missing', plural: 'missings' });
const gadget = defineKind({ ...cluster, kind: 'Gadget', plural: 'gadgets' });

let clock: SimulatedClock;
let cache: SharedCache;
let stopping: AbortController;
/** Kinds that the server does not know, for now. */
let unknown: Set<string>;

beforeEach(() => {
  clock = createSimulatedClock();
  stopping = new AbortController();
  unknown = new Set(['Missing']);
  cache = createObjectCache({ client: refusingUnknown(), clock, random: () => 0 });
});
afterEach(() => stopping.abort());

describe('one who waits for its own', () => {
  test('is not held up by a later informer that the server refuses', async () => {
    const own = cache.informer(widgetKind);
    cache.start(stopping.signal);
    await clock.advance(10);
    cache.informer(missing);
    const wait = settledBy(cache.waitForSync(undefined, [own]));
    await clock.advance(10);
    expect([wait.done(), cache.hasSynced()]).toEqual([true, false]);
  });

  test('is not held up by one that is made while it waits', async () => {
    unknown.add('Gadget');
    const own = cache.informer(gadget);
    cache.start(stopping.signal);
    const wait = settledBy(cache.waitForSync(undefined, [own]));
    cache.informer(missing);
    await clock.advance(10);
    expect(wait.done()).toBe(false);
    unknown.delete('Gadget');
    await clock.advance(60_000);
    expect(wait.done()).toBe(true);
  });

  test.each([
    ['one of its own that is made later', true],
    ['one that stood at the start', false],
  ])('waits for %s, however long it is refused', async (_, later) => {
    if (!later) cache.informer(missing);
    cache.start(stopping.signal);
    await clock.advance(10);
    const own = later ? [cache.informer(missing)] : [];
    const wait = settledBy(cache.waitForSync(undefined, own));
    await clock.advance(600_000);
    expect(wait.done()).toBe(false);
    unknown.clear();
    await clock.advance(60_000);
    expect(wait.done()).toBe(true);
  });

  test('waits for a later one of others that nothing is wrong with', async () => {
    cache.start(stopping.signal);
    await clock.advance(10);
    const other = cache.informer(gadget);
    const wait = settledBy(cache.waitForSync(undefined, []));
    await clock.settle();
    expect([wait.done(), other.hasSynced()]).toEqual([false, false]);
    await clock.advance(10);
    expect([wait.done(), other.hasSynced()]).toEqual([true, true]);
  });
});

describe('a kind that was asked for later and is not there', () => {
  test('does not keep a controller from its work when its term begins', async () => {
    const { controller, runs } = watching(widgetKind);
    cache.start(stopping.signal);
    await clock.advance(10);
    cache.informer(missing);
    await clock.advance(10);
    const ended = controller.run(stopping.signal);
    await clock.advance(10);
    expect(runs).toEqual(['default/a']);
    stopping.abort();
    await ended;
  });

  test('ends the controller that asked for it, by name', async () => {
    const { controller } = watching(missing);
    cache.start(stopping.signal);
    const ended = controller.run(stopping.signal).catch((error: unknown) => error);
    await clock.advance(120_000);
    expect(await ended).toMatchObject({ code: 'controller/cache-sync-timeout' });
  });

  test('does not keep a process from running for the lease', async () => {
    let leads = false;
    const asking: Runnable = { name: 'asking', runs: 'always', run: async () => void cache.informer(missing) };
    const leading: Runnable = { name: 'leading', runs: 'leader', run: async () => void (leads = true) };
    cache.informer(widgetKind);
    const manager = createManager(
      { runnables: [asking, leading], healthAddress: '0' },
      { caches: [cache], clock, log: silentLog },
    );
    const ended = manager.run(stopping.signal);
    await clock.advance(10);
    expect(leads).toBe(true);
    stopping.abort();
    await ended;
  });
});

function watching(kind: Kind): { readonly controller: Runnable; readonly runs: readonly string[] } {
  const runs: string[] = [];
  const controller = createController(
    {
      name: 'test',
      watches: [watch(kind)],
      reconcile: async (key) => {
        runs.push(key);
        return settled;
      },
    },
    { cache, clock, random: () => 0, log: silentLog },
  );
  return { controller, runs };
}

/** One object of every kind but those that are unknown. */
function refusingUnknown(): ObjectCacheOptions['client'] {
  const { client, history } = createScriptedApi({ clock });
  history.write('a');
  const refuse = (kind: string): void => {
    if (unknown.has(kind)) throw new KubeApiError('kube/not-found', `no ${kind}`, { kind: 'never' }, notFound);
  };
  return {
    list: async (kind, options) => {
      refuse(kind.kind);
      return client.list(kind, options);
    },
    watch: async (kind, options, onEvent) => {
      refuse(kind.kind);
      return client.watch(kind, options, onEvent);
    },
  };
}

const notFound = { status: 404, reason: 'NotFound', body: {} };

function settledBy(promise: Promise<void>): { readonly done: () => boolean } {
  let done = false;
  void promise.then(
    () => (done = true),
    () => undefined,
  );
  return { done: () => done };
}
