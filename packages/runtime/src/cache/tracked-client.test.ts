import { describe, expect, test } from 'vitest';
import { defineKind } from '../kind.ts';
import { createTrackedWorld, draft, key, ref } from './testing/tracked-world.ts';
import { widgetKind } from './testing/widget.ts';
import { toDeletion, toWriteEffect } from './tracked-client.ts';

describe('a process reads its own writes', () => {
  test('at once when it wrote nothing', async () => {
    const { informer } = await createTrackedWorld();
    await informer.caughtUp(key);
    expect(informer.get(ref)).toBeUndefined();
  });

  const writes = [
    'create',
    'update',
    'updateStatus',
    'apply',
    'applyStatus',
    'patch',
    'patchStatus',
    'patchScale',
  ] as const;
  test.each(writes)('only once the cache shows what %s wrote', async (verb) => {
    const { api, client, clock, complete, watchFor, version } = await createTrackedWorld();
    const call = async (): Promise<unknown> => {
      if (verb === 'patchScale') return client.patchScale(widgetKind, ref, 3);
      if (verb === 'patch' || verb === 'patchStatus') return client[verb](widgetKind, ref, { type: 'merge', body: {} });
      return client[verb](widgetKind, draft, { fieldManager: 'test' });
    };
    await complete(call());
    const wait = watchFor();
    await clock.settle();
    expect([wait.over, version()]).toEqual([false, undefined]);
    api.pump();
    await clock.settle();
    expect([wait.over, version()]).toEqual([true, '101']);
  });

  test('when the watch is faster than the answer', async () => {
    const { api, client, clock, watchFor, version } = await createTrackedWorld({ answerMs: () => 100 });
    const write = client.create(widgetKind, draft);
    await clock.advance(1);
    api.pump();
    expect(version()).toBe('101');
    const during = watchFor();
    await clock.settle();
    expect(during.over).toBe(false);
    await clock.advance(100);
    await write;
    expect(during.over).toBe(true);
  });

  test('when others have moved the object on before the answer came', async () => {
    const { api, client, clock, watchFor, version } = await createTrackedWorld({ answerMs: () => 100 });
    const write = client.create(widgetKind, draft);
    await clock.advance(1);
    api.history.write('a');
    api.pump();
    await clock.advance(100);
    await write;
    const wait = watchFor();
    await clock.settle();
    expect([wait.over, version()]).toEqual([true, '102']);
  });

  test('when others have moved the object on and versions cannot be compared', async () => {
    const opaque = (revision: number): string => `v-${revision}`;
    const { api, client, clock, watchFor } = await createTrackedWorld({ answerMs: () => 100, toVersion: opaque });
    const write = client.create(widgetKind, draft);
    await clock.advance(1);
    api.history.write('a');
    api.pump();
    await clock.advance(100);
    await write;
    const wait = watchFor();
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('with versions that cannot be compared, by equality', async () => {
    const opaque = (revision: number): string => `v-${revision}`;
    const { api, client, clock, complete, watchFor, version } = await createTrackedWorld({ toVersion: opaque });
    await complete(client.create(widgetKind, draft));
    const wait = watchFor();
    api.streams()[0]?.bookmark();
    await clock.settle();
    expect(wait.over).toBe(false);
    api.pump();
    await clock.settle();
    expect([wait.over, version()]).toEqual([true, 'v-101']);
  });

  test('at once after a write that changed nothing', async () => {
    const { client, clock, complete, watchFor } = await createTrackedWorld({}, (api) => api.history.write('a'));
    await complete(client.patch(widgetKind, ref, { type: 'merge', body: { noop: true } }));
    const wait = watchFor();
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('while a write is in flight, not before its answer is shown', async () => {
    const { api, client, clock, watchFor } = await createTrackedWorld({ deedMs: () => 50, answerMs: () => 50 });
    const write = client.create(widgetKind, draft);
    const wait = watchFor();
    await clock.advance(60);
    expect(wait.over).toBe(false);
    await clock.advance(40);
    await write;
    expect(wait.over).toBe(false);
    api.pump();
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('after several writes, not before the last of them is shown', async () => {
    const { api, client, clock, complete, watchFor } = await createTrackedWorld();
    await complete(client.create(widgetKind, draft));
    const stream = api.streams()[0]!;
    const first = api.history.all().at(-1)!;
    await complete(client.update(widgetKind, draft));
    stream.send({ type: first.type, object: first.object });
    const wait = watchFor();
    await clock.settle();
    expect(wait.over).toBe(false);
    api.pump();
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('after a write that failed there is nothing to wait for', async () => {
    const { client, clock, complete, watchFor } = await createTrackedWorld();
    await expect(complete(client.delete(widgetKind, ref))).rejects.toThrow('no a');
    const wait = watchFor();
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('a dry run is no write', async () => {
    const { client, clock, complete, watchFor } = await createTrackedWorld();
    await complete(
      client.create(widgetKind, { metadata: { ...draft.metadata, resourceVersion: '500' } }, { dryRun: true }),
    );
    const wait = watchFor();
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('also of an object whose name the server chose', async () => {
    const { api, client, clock, complete, watchFor } = await createTrackedWorld();
    const made = await complete(
      client.create(widgetKind, { metadata: { namespace: 'default', generateName: 'made-' } }),
    );
    const wait = watchFor(undefined, `default/${made.metadata.name ?? ''}`);
    await clock.settle();
    expect(wait.over).toBe(false);
    api.pump();
    await clock.settle();
    expect(wait.over).toBe(true);
  });

  test('of the same kind in another version, but not of another kind', async () => {
    const { client, clock, complete, watchFor } = await createTrackedWorld();
    await complete(client.create(defineKind({ ...widgetKind, group: 'other' }), draft));
    const other = watchFor();
    await clock.settle();
    expect(other.over).toBe(true);
    await complete(client.update(defineKind({ ...widgetKind, version: 'v2' }), draft));
    const same = watchFor();
    await clock.settle();
    expect(same.over).toBe(false);
  });
});

describe('what an answer means', () => {
  const alive = { uid: 'u', resourceVersion: '7' };
  const doomed = { ...alive, deletionTimestamp: '2026-01-05T12:00:00Z' };
  const version = { effect: 'version', resourceVersion: '7' };
  const gone = { effect: 'gone', uid: 'u' };
  test.each([
    { name: 'an object is to be shown', metadata: alive, effect: version },
    { name: 'one kept by finalizers too', metadata: { ...doomed, finalizers: ['x'] }, effect: version },
    {
      name: 'one kept by its grace period too',
      metadata: { ...doomed, deletionGracePeriodSeconds: 30 },
      effect: version,
    },
    { name: 'one that nothing keeps is gone', metadata: { ...doomed, finalizers: [] }, effect: gone },
    { name: 'no grace keeps nothing', metadata: { ...doomed, deletionGracePeriodSeconds: 0 }, effect: gone },
    { name: 'an answer without a version teaches nothing', metadata: { uid: 'u' }, effect: undefined },
  ])('to a write: $name', ({ metadata, effect }) => {
    expect(toWriteEffect({ metadata })).toEqual(effect);
  });

  test.each([
    {
      name: 'an object kept by finalizers is to be shown',
      answer: { metadata: { ...doomed, finalizers: ['x'] } },
      effect: version,
    },
    {
      name: 'a pod in its grace period is to be shown',
      answer: { metadata: { ...doomed, deletionGracePeriodSeconds: 30 } },
      effect: version,
    },
    { name: 'the object as it last was is gone', answer: { metadata: alive }, effect: gone },
    { name: 'a Status names what is gone', answer: { status: 'Success', details: { uid: 'u' } }, effect: gone },
    {
      name: 'a Status with empty metadata too',
      answer: { metadata: {}, status: 'Success', details: { uid: 'u' } },
      effect: gone,
    },
    { name: 'a Status that names nothing leaves it to the precondition', answer: { status: 'Success' }, effect: gone },
  ])('to a deletion: $name', ({ answer, effect }) => {
    expect(toDeletion(answer, { preconditions: { uid: 'u' } })).toEqual(effect);
  });
});
