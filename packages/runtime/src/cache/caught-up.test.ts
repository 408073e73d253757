import { describe, expect, test } from 'vitest';
import { createTrackedWorld, draft, key, ref } from './testing/tracked-world.ts';
import { widgetKind } from './testing/widget.ts';

describe('after a deletion', () => {
  test.each(['status', 'bare status', 'object'] as const)(
    'answered with %s, it waits until the object is gone',
    async (answer) => {
      const world = await createTrackedWorld({ deletionAnswer: answer }, (api) => api.history.write('a'));
      const { api, client, clock, complete, watchFor, version } = world;
      await complete(client.delete(widgetKind, ref));
      const wait = watchFor();
      await clock.settle();
      expect([wait.over, version()]).toEqual([false, '101']);
      api.pump();
      await clock.settle();
      expect([wait.over, version()]).toEqual([true, undefined]);
    },
  );

  test('no number of bookmarks ends the wait while the object is still shown', async () => {
    const { api, client, clock, complete, watchFor } = await createTrackedWorld({}, ({ history }) =>
      history.write('a'),
    );
    await complete(client.delete(widgetKind, ref));
    const wait = watchFor();
    for (let count = 0; count < 5; count += 1) api.streams()[0]?.bookmark();
    await clock.settle();
    expect(wait.over).toBe(false);
  });

  test('of an object with finalizers, it waits until the object shows that it is being deleted', async () => {
    const world = await createTrackedWorld({}, (api) => api.history.write('a', { finalizers: ['x'] }));
    const { api, client, clock, complete, watchFor, informer } = world;
    await complete(client.delete(widgetKind, ref));
    const wait = watchFor();
    await clock.settle();
    expect(wait.over).toBe(false);
    api.pump();
    await clock.settle();
    expect(wait.over).toBe(true);
    expect(informer.get(ref)?.metadata.deletionTimestamp).toBeDefined();
  });

  test('taking the last finalizer away is a deletion', async () => {
    const world = await createTrackedWorld({}, (api) => {
      api.history.write('a', { finalizers: ['x'] });
      api.history.remove('a');
    });
    const { api, client, clock, complete, watchFor, version } = world;
    await complete(client.patch(widgetKind, ref, { type: 'merge', body: { metadata: { finalizers: [] } } }));
    const wait = watchFor();
    await clock.settle();
    expect([wait.over, version()]).toEqual([false, '102']);
    api.pump();
    await clock.settle();
    expect([wait.over, version()]).toEqual([true, undefined]);
  });

  test('an object made anew under the same name does not keep it waiting', async () => {
    const { api, client, clock, complete, watchFor, version } = await createTrackedWorld({}, (api) =>
      api.history.write('a'),
    );
    await complete(client.delete(widgetKind, ref));
    api.history.write('a');
    const wait = watchFor();
    api.pump();
    await clock.settle();
    expect([wait.over, version()]).toEqual([true, '103']);
  });

  test('of an object that the cache has not shown yet, it waits for its coming and its going', async () => {
    const { api, client, clock, complete, watchFor } = await createTrackedWorld();
    await complete(client.create(widgetKind, draft));
    await complete(client.delete(widgetKind, ref));
    const wait = watchFor();
    const [created] = api.history.all();
    await clock.settle();
    expect(wait.over).toBe(false);
    api.streams()[0]?.send({ type: 'ADDED', object: created?.object });
    await clock.settle();
    expect(wait.over).toBe(false);
    api.pump();
    await clock.settle();
    expect(wait.over).toBe(true);
  });
});

describe('after the deletion of an object that the cache never showed', () => {
  /** Another process made `a` anew; our deletion hit the new one while the cache still shows the old one. */
  const createLagging = async () => {
    const world = await createTrackedWorld({}, (api) => api.history.write('a'));
    world.api.history.remove('a');
    world.api.history.write('a');
    await world.complete(world.client.delete(widgetKind, ref));
    return { ...world, wait: world.watchFor() };
  };

  test('the object that it does show is not taken for the state after the deletion', async () => {
    const { api, clock, wait, version } = await createLagging();
    await clock.settle();
    expect([wait.over, version()]).toEqual([false, '101']);
    api.pump();
    await clock.settle();
    expect([wait.over, version()]).toEqual([true, undefined]);
  });

  test('the second bookmark ends the wait when its life fell between two lists', async () => {
    const { api, clock, wait } = await createLagging();
    const bookmark = (resourceVersion: string): void =>
      api.streams()[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion } } });
    bookmark('104');
    await clock.settle();
    expect(wait.over).toBe(false);
    bookmark('105');
    await clock.settle();
    expect(wait.over).toBe(true);
  });
});

describe('an informer that has trouble', () => {
  test('a list that skips the version is as good as the version', async () => {
    const { api, client, clock, complete, watchFor, version } = await createTrackedWorld();
    api.streams()[0]?.stall();
    await complete(client.create(widgetKind, draft));
    api.history.write('a');
    api.history.compact();
    const wait = watchFor();
    await clock.advance(140_000);
    expect(wait.over).toBe(false);
    await clock.advance(20_000);
    expect([wait.over, version()]).toEqual([true, '102']);
  });

  test('a list that began after the answer is as good as the version even if that cannot be compared', async () => {
    const opaque = (revision: number): string => `v-${revision}`;
    const { api, client, clock, complete, watchFor, version } = await createTrackedWorld({ toVersion: opaque });
    await complete(client.create(widgetKind, draft));
    api.history.write('a');
    const wait = watchFor();
    api.streams()[0]?.garbage();
    await clock.advance(2000);
    expect([wait.over, version()]).toEqual([true, 'v-102']);
  });

  test('a list that skips the whole life of an object ends the wait', async () => {
    const { api, client, clock, complete, watchFor } = await createTrackedWorld();
    api.streams()[0]?.stall();
    await complete(client.create(widgetKind, draft));
    await complete(client.delete(widgetKind, ref));
    api.history.compact();
    const wait = watchFor();
    await clock.advance(160_000);
    expect(wait.over).toBe(true);
  });

  test('a bookmark beyond the version ends the wait for an object that the scope does not show', async () => {
    const { api, client, clock, complete, watchFor } = await createTrackedWorld();
    await complete(client.create(widgetKind, draft));
    const wait = watchFor();
    api.streams()[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '100' } } });
    await clock.settle();
    expect(wait.over).toBe(false);
    api.streams()[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '101' } } });
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('a broken watch keeps it waiting, and the wait can be given up', async () => {
    const { api, client, clock, complete, watchFor } = await createTrackedWorld();
    api.failWatches(...Array.from({ length: 100 }, () => 'unreachable' as const));
    api.streams()[0]?.reset();
    await complete(client.create(widgetKind, draft));
    const giving = new AbortController();
    const patient = watchFor();
    const impatient = watchFor(giving.signal);
    await clock.advance(600_000);
    expect([patient.over, impatient.over]).toEqual([false, false]);
    giving.abort(new Error('enough'));
    await clock.settle();
    expect(impatient).toEqual({ over: true, error: new Error('enough') });
    expect(patient.over).toBe(false);
    api.heal();
    await clock.advance(60_000);
    expect(patient).toEqual({ over: true, error: undefined });
  });

  test('a cache that is stopped lets nobody wait, neither now nor later', async () => {
    const { cache, client, complete, watchFor, clock, stopping } = await createTrackedWorld();
    await complete(client.create(widgetKind, draft));
    const now = watchFor();
    await clock.settle();
    stopping.abort();
    await cache.stopped();
    const later = watchFor();
    await clock.settle();
    expect(now).toMatchObject({ over: true, error: { code: 'cache/stopped' } });
    expect(later).toMatchObject({ over: true, error: { code: 'cache/stopped' } });
  });

  test('an informer of another namespace is not kept waiting', async () => {
    const { cache, client, clock, complete } = await createTrackedWorld();
    const elsewhere = cache.informer(widgetKind, { namespace: 'elsewhere' });
    await clock.advance(1);
    await complete(client.create(widgetKind, draft));
    await elsewhere.caughtUp(key);
    expect(elsewhere.size()).toBe(0);
  });
});
