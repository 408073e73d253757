import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMaps, startTestApi } from './testing/test-api.ts';
import type { TestApi, WatchEvents } from './testing/test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(async () => api.stop());

const create = async (name: string, labels: object = {}): Promise<string> =>
  (await api.call('POST', configMaps, { metadata: { name, labels } })).body.metadata.resourceVersion;
const label = async (name: string, app: string): Promise<string> =>
  (await api.call('PATCH', `${configMaps}/${name}`, { metadata: { labels: { app } } })).body.metadata.resourceVersion;
const seen = ({ events }: WatchEvents): unknown[] =>
  events.map(({ type, object }) => [type, object.metadata?.name ?? object.reason, object.metadata?.resourceVersion]);

describe('a watch', () => {
  test('from a revision tells what happened after it, and goes on', async () => {
    const first = await create('a');
    const second = await create('b');
    const watch = api.watch(`${configMaps}?watch=1&resourceVersion=${first}`);
    await api.clock.settle();
    const third = await label('a', 'x');
    await api.call('DELETE', `${configMaps}/b`);
    await api.clock.settle();
    expect(seen(watch)).toEqual([
      ['ADDED', 'b', second],
      ['MODIFIED', 'a', third],
      ['DELETED', 'b', String(api.store.revision())],
    ]);
    watch.stop();
  });

  test.each(['', '&resourceVersion=0'])('without a revision (%s) begins with what is there', async (version) => {
    const revision = await create('a');
    const watch = api.watch(`${configMaps}?watch=1${version}`);
    await api.clock.settle();
    expect(seen(watch)).toEqual([['ADDED', 'a', revision]]);
    watch.stop();
  });

  test('from a revision that is forgotten is told so by an ERROR event, and ends', async () => {
    await create('a');
    api.compact();
    const watch = api.watch(`${configMaps}?watch=1&resourceVersion=1`);
    await watch.done;
    expect(watch.heads).toMatchObject([{ status: 200 }]);
    expect(watch.events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
    expect(watch.events[0]?.object.message).toBe(`too old resource version: 1 (${api.store.revision()})`);
  });

  test('from a revision to come waits for what is after it', async () => {
    const watch = api.watch(`${configMaps}?watch=1&resourceVersion=${api.store.revision() + 1}`);
    await api.clock.settle();
    await create('a');
    const second = await create('b');
    await api.clock.settle();
    expect(seen(watch)).toEqual([['ADDED', 'b', second]]);
    watch.stop();
  });

  test('of one namespace does not hear of another', async () => {
    const watch = api.watch('/api/v1/namespaces/kube-system/configmaps?watch=1');
    await create('a');
    await api.clock.settle();
    expect(watch.events).toEqual([]);
    watch.stop();
  });

  test('ends when its time is over', async () => {
    const watch = api.watch(`${configMaps}?watch=1&timeoutSeconds=5`);
    await api.clock.advance(4999);
    expect(api.clock.pending()).toBeGreaterThan(0);
    await api.clock.advance(1);
    await watch.done;
    expect(watch.events).toEqual([]);
  });

  test('leaves no timer and no listener behind when its reader goes', async () => {
    const before = api.clock.pending();
    const watch = api.watch(`${configMaps}?watch=1&allowWatchBookmarks=true`);
    await api.clock.settle();
    expect(api.clock.pending()).toBe(before + 2);
    watch.stop();
    await api.clock.settle();
    expect(api.clock.pending()).toBe(before);
  });
});

describe('a watch with a selector', () => {
  test('sees an object come and go with its labels', async () => {
    await create('a', { app: 'x' });
    const watch = api.watch(`${configMaps}?watch=1&labelSelector=app%3Dy&resourceVersion=${api.store.revision()}`);
    await api.clock.settle();
    const came = await label('a', 'y');
    const went = await label('a', 'x');
    await label('a', 'z');
    await api.clock.settle();
    expect(seen(watch)).toEqual([
      ['ADDED', 'a', came],
      ['DELETED', 'a', went],
    ]);
    // What leaves the selection is shown as it last was in it.
    expect(watch.events[1]?.object.metadata.labels).toEqual({ app: 'y' });
    watch.stop();
  });

  test('of a single name is told of that object alone', async () => {
    const watch = api.watch(`${configMaps}?watch=1&fieldSelector=metadata.name%3Db`);
    await create('a');
    const revision = await create('b');
    await api.clock.settle();
    expect(seen(watch)).toEqual([['ADDED', 'b', revision]]);
    watch.stop();
  });
});

describe('bookmarks', () => {
  test('come every minute and at the end', async () => {
    const watch = api.watch(
      `${configMaps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=${api.store.revision()}`,
    );
    await api.clock.advance(60_000);
    await create('a');
    await api.clock.advance(30_000);
    await watch.done;
    expect(watch.events.map(({ type }) => type)).toEqual(['BOOKMARK', 'ADDED', 'BOOKMARK']);
    expect(watch.events[2]?.object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(api.store.revision()) },
    });
  });

  test('end the initial events of a watch that asked for them', async () => {
    const revision = await create('a');
    const watch = api.watch(
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await api.clock.settle();
    expect(watch.events).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
      {
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: revision, annotations: { 'k8s.io/initial-events-end': 'true' } } },
      },
    ]);
    watch.stop();
  });

  test('do not come unasked', async () => {
    const watch = api.watch(`${configMaps}?watch=1`);
    await api.clock.advance(120_000);
    expect(watch.events).toEqual([]);
    watch.stop();
  });
});

test('watchers that are told the same share the bytes of it', async () => {
  const chunks: Uint8Array[] = [];
  const transport = api.transport();
  const gone = new AbortController();
  const path = `${configMaps}?watch=1&resourceVersion=${api.store.revision()}`;
  for (let count = 0; count < 3; count++) {
    const handler = { onHead: () => undefined, onChunk: (chunk: Uint8Array) => void chunks.push(chunk) };
    transport.stream({ method: 'GET', path, signal: gone.signal }, handler).catch(() => undefined);
  }
  await api.clock.settle();
  await create('a');
  await api.clock.settle();
  expect(chunks.length).toBe(3);
  expect(chunks[1]).toBe(chunks[0]);
  expect(chunks[2]).toBe(chunks[0]);
  gone.abort(new Error('enough'));
});

test('a reader that is too slow is cut off', async () => {
  const { handler } = api;
  const request = {
    method: 'GET',
    path: configMaps,
    query: new URLSearchParams('watch=1'),
    headers: { authorization: `Bearer ${api.token}` },
    body: new Uint8Array(),
    signal: new AbortController().signal,
  };
  const response = await handler(request);
  if (response.kind !== 'stream') throw new Error('a watch is a stream');
  const written: unknown[] = [];
  let ended = 0;
  response.open({
    write: (chunk) => {
      written.push(chunk);
      return false;
    },
    end: () => void ended++,
    reset: () => undefined,
  });
  await create('a');
  await create('b');
  expect([written.length, ended]).toEqual([1, 1]);
});
