import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  crd = await createCrd(api);
});
beforeEach(async () => {
  namespace = await createNamespace(api);
});
const path = (): string => crd.at(namespace);
const create = async (name: string, more: Loose = {}): Promise<Loose> =>
  (await api.post(path(), crd.object(name, more))).body;
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

describe('bookmarks', () => {
  // The real server sends one about two seconds before a watch with a timeout ends, if there is progress to tell.
  test('tell of progress that the selector hid, with the kind and a version and nothing else', async () => {
    const { metadata } = await create('one');
    const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
    const query = { labelSelector: 'in=yes', allowWatchBookmarks: true, timeoutSeconds: 5 };
    const watches = [
      await api.watch(path(), { ...query, resourceVersion: metadata.resourceVersion }),
      await api.watch(configMaps, { ...query, resourceVersion: metadata.resourceVersion }),
    ];
    const hidden = [await create('two'), (await api.post(configMaps, { metadata: { name: 'two' } })).body];
    const kinds = [
      { apiVersion: crd.apiVersion, kind: 'River' },
      { apiVersion: 'v1', kind: 'ConfigMap' },
    ];
    for (const [index, events] of (await Promise.all(watches.map((watch) => watch.rest()))).entries()) {
      for (const event of events) {
        expect(event).toEqual({
          type: 'BOOKMARK',
          object: { ...kinds[index], metadata: { resourceVersion: expect.stringMatching(/^\d+$/) } },
        });
      }
      expect(BigInt(events.at(-1)?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
        BigInt(hidden[index].metadata.resourceVersion),
      );
    }
  });

  test('are not sent to those who did not ask', async () => {
    const { metadata } = await create('one');
    const watch = await api.watch(path(), {
      labelSelector: 'in=yes',
      resourceVersion: metadata.resourceVersion,
      timeoutSeconds: 5,
    });
    await create('two');
    expect(await watch.rest()).toEqual([]);
  });
});

describe('a watch with sendInitialEvents', () => {
  const streaming = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };

  test('begins with all objects as ADDED and closes them with a marked bookmark', async () => {
    await create('one');
    const last = await create('two');
    const watch = await api.watch(path(), streaming);
    expect(watch.status).toBe(200);
    const events = [await watch.nextRaw(), await watch.nextRaw(), await watch.nextRaw()];
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
    expect(events.slice(0, 2).map(({ object }) => object.metadata.name)).toEqual(['one', 'two']);
    expect(events[2]?.object.metadata.annotations).toEqual(initialEventsEnd);
    expect(BigInt(events[2]?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      BigInt(last.metadata.resourceVersion),
    );
    await create('three');
    expect((await watch.next()).object.metadata.name).toBe('three');
    watch.close();
  });

  test('of nothing sends the bookmark at once', async () => {
    const watch = await api.watch(path(), streaming);
    const event = await watch.nextRaw();
    expect(event.type).toBe('BOOKMARK');
    expect(event.object.metadata.annotations).toEqual(initialEventsEnd);
    watch.close();
  });

  test('from version 0 and with a selector sends what matches', async () => {
    await create('one', { metadata: { labels: { in: 'yes' } } });
    await create('two');
    // Version 0 may be answered from a state before the writes; NotOlderThan the last write may not.
    const { metadata } = await create('three', { metadata: { labels: { in: 'yes' } } });
    const watch = await api.watch(path(), {
      ...streaming,
      labelSelector: 'in=yes',
      resourceVersion: metadata.resourceVersion,
    });
    const events = [await watch.nextRaw(), await watch.nextRaw(), await watch.nextRaw()];
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'ADDED one',
      'ADDED three',
      'BOOKMARK undefined',
    ]);
    watch.close();
  });

  test('without bookmarks sends the objects and no end', async () => {
    await create('one');
    const watch = await api.watch(path(), { ...streaming, allowWatchBookmarks: false, timeoutSeconds: 2 });
    expect((await watch.rest()).map(({ type }) => type)).toEqual(['ADDED']);
  });

  test('false from version 0 begins with what comes', async () => {
    await create('one');
    const watch = await api.watch(path(), {
      sendInitialEvents: false,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    });
    // Nothing tells when the watch has begun, so the test writes until one write is seen.
    const writing = setInterval(
      () => void api.patch(`${path()}/one`, 'merge', { metadata: { labels: { at: String(Date.now()) } } }),
      50,
    );
    const event = await watch.next();
    clearInterval(writing);
    expect(event.type).toBe('MODIFIED');
    watch.close();
  });
});

describe('a watch from the future', () => {
  test('with sendInitialEvents is refused as too large', async () => {
    const watch = await api.watch(path(), {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      resourceVersion: '1000000000000000',
    });
    const { type, object } = await watch.nextRaw();
    expect(type).toBe('ERROR');
    expect(object).toMatchObject({
      code: 504,
      reason: 'Timeout',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
    watch.close();
  });
});
