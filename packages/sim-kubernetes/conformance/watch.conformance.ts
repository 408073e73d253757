import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';
import type { WatchEvent } from './kit/watch-stream.ts';

const { api, server } = useServer();
let namespace = '';
let crd: ScratchCrd;
beforeEach(async () => {
  namespace = await createNamespace(api);
});
beforeAll(async () => {
  crd = await createCrd(api, {
    spec: { type: 'object', properties: { color: { type: 'string' } } },
    version: { selectableFields: [{ jsonPath: '.spec.color' }] },
  });
});
const path = (): string => crd.at(namespace);
const create = async (name: string, more: Loose = {}): Promise<Loose> =>
  (await api.post(path(), crd.object(name, more))).body;
const label = (name: string, labels: Loose): Promise<Loose> =>
  api.patch(`${path()}/${name}`, 'merge', { metadata: { labels } });
const brief = (events: readonly WatchEvent[]): string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`);

describe('a watch', () => {
  test('from a resourceVersion sends what came after it, in order, one JSON document a line', async () => {
    const start = (await create('one')).metadata.resourceVersion;
    await create('two');
    await label('one', { a: 'b' });
    await api.del(`${path()}/two`);
    const watch = await api.watch(path(), { resourceVersion: start });
    expect(watch.status).toBe(200);
    expect(watch.headers['content-type']).toBe('application/json');
    expect(watch.headers['transfer-encoding']).toBe('chunked');
    const events = await watch.take(3);
    expect(brief(events)).toEqual(['ADDED two', 'MODIFIED one', 'DELETED two']);
    expect(events[0]?.object).toMatchObject({ apiVersion: crd.apiVersion, kind: 'River' });
    const versions = events.map(({ object }) => BigInt(object.metadata.resourceVersion));
    expect(versions.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(versions);
    await create('three');
    expect(brief([await watch.next()])).toEqual(['ADDED three']);
    watch.close();
  });

  test('sends DELETED with the last state and the version of the deletion', async () => {
    const created = await create('one', { spec: { color: 'red' } });
    const watch = await api.watch(path(), { resourceVersion: created.metadata.resourceVersion });
    await api.del(`${path()}/one`);
    const { type, object } = await watch.next();
    expect(type).toBe('DELETED');
    expect(object.spec).toEqual({ color: 'red' });
    expect(BigInt(object.metadata.resourceVersion)).toBeGreaterThan(BigInt(created.metadata.resourceVersion));
    expect(object.metadata).not.toHaveProperty('deletionTimestamp');
    watch.close();
  });

  test('of an object with finalizers sends MODIFIED for the mark and DELETED at the end', async () => {
    const { metadata } = await create('held', { metadata: { finalizers: ['example.com/hold'] } });
    const watch = await api.watch(path(), { resourceVersion: metadata.resourceVersion });
    await api.del(`${path()}/held`);
    const marked = await watch.next();
    expect(marked.type).toBe('MODIFIED');
    expect(marked.object.metadata.deletionTimestamp).toBeDefined();
    await api.patch(`${path()}/held`, 'merge', { metadata: { finalizers: null } });
    const deleted = await watch.next();
    expect(deleted.type).toBe('DELETED');
    // What the watch shows is the state before the last write, at the version of that write.
    expect(deleted.object.metadata.finalizers).toEqual(['example.com/hold']);
    watch.close();
  });

  test.each([undefined, '0'])('from resourceVersion %s begins with what is there as ADDED', async (resourceVersion) => {
    await create('one');
    await create('two');
    const watch = await api.watch(path(), { resourceVersion });
    expect(brief(await watch.take(2)).toSorted()).toEqual(['ADDED one', 'ADDED two']);
    await create('three');
    expect(brief([await watch.next()])).toEqual(['ADDED three']);
    watch.close();
  });

  test('of a namespace sees no other one, of the cluster sees all', async () => {
    const { metadata } = await create('one');
    const other = await createNamespace(api);
    const here = await api.watch(path(), { resourceVersion: metadata.resourceVersion });
    const everywhere = await api.watch(crd.at(), { resourceVersion: metadata.resourceVersion });
    await api.post(crd.at(other), crd.object('elsewhere'));
    await create('two');
    expect(brief(await everywhere.take(2))).toEqual(['ADDED elsewhere', 'ADDED two']);
    expect(brief([await here.next()])).toEqual(['ADDED two']);
    here.close();
    everywhere.close();
  });

  test('of one name by field selector sees that object only', async () => {
    const { metadata } = await create('one');
    const watch = await api.watch(path(), {
      fieldSelector: 'metadata.name=wanted',
      resourceVersion: metadata.resourceVersion,
    });
    await create('unwanted');
    await create('wanted');
    expect(brief([await watch.next()])).toEqual(['ADDED wanted']);
    watch.close();
  });

  test('can be asked by the old path with /watch/ too', async () => {
    const { metadata } = await create('one');
    const old = path().replace('/v1/', '/v1/watch/');
    const watch = await api.watch(`${old}/one`, { watch: undefined, resourceVersion: metadata.resourceVersion });
    expect(watch.status).toBe(200);
    await label('one', { a: 'b' });
    expect(brief([await watch.next()])).toEqual(['MODIFIED one']);
    watch.close();
  });

  test('ends after timeoutSeconds without an error', async () => {
    const { metadata } = await create('one');
    const watch = await api.watch(path(), { resourceVersion: metadata.resourceVersion, timeoutSeconds: 1 });
    expect(await watch.rest()).toEqual([]);
  });
});

describe('a watch with a selector', () => {
  test('shows entering as ADDED, leaving as DELETED and staying as MODIFIED', async () => {
    const { metadata } = await create('one');
    const watch = await api.watch(path(), { labelSelector: 'in=yes', resourceVersion: metadata.resourceVersion });
    await label('one', { in: 'yes' });
    await label('one', { in: 'yes', more: 'x' });
    const left = (await label('one', { in: 'no' })).body;
    await label('one', { in: 'no', more: 'y' });
    await label('one', { in: 'yes' });
    const events = await watch.take(4);
    expect(brief(events)).toEqual(['ADDED one', 'MODIFIED one', 'DELETED one', 'ADDED one']);
    // The object that left is shown as it was while it matched, at the version of its leaving.
    expect(events[2]?.object.metadata.labels).toEqual({ in: 'yes', more: 'x' });
    expect(events[2]?.object.metadata.resourceVersion).toBe(left.metadata.resourceVersion);
    watch.close();
  });

  test('does not show the deletion of what did not match', async () => {
    const { metadata } = await create('outside');
    await create('inside', { metadata: { labels: { in: 'yes' } } });
    const watch = await api.watch(path(), { labelSelector: 'in=yes', resourceVersion: metadata.resourceVersion });
    await api.del(`${path()}/outside`);
    await api.del(`${path()}/inside`);
    expect(brief(await watch.take(2))).toEqual(['ADDED inside', 'DELETED inside']);
    watch.close();
  });

  test('on a selectable field shows the same transitions', async () => {
    const { metadata } = await create('one', { spec: { color: 'blue' } });
    const watch = await api.watch(path(), {
      fieldSelector: 'spec.color=red',
      resourceVersion: metadata.resourceVersion,
    });
    await api.patch(`${path()}/one`, 'merge', { spec: { color: 'red' } });
    await api.patch(`${path()}/one`, 'merge', { spec: { color: 'green' } });
    const events = await watch.take(2);
    expect(brief(events)).toEqual(['ADDED one', 'DELETED one']);
    expect(events[1]?.object.spec).toEqual({ color: 'red' });
    watch.close();
  });
});

describe('a watch that cannot begin', () => {
  test('where the resource is unknown answers 404', async () => {
    const watch = await api.watch(`/apis/${crd.group}/v1/namespaces/${namespace}/lakes`);
    expect(watch.status).toBe(404);
    watch.close();
  });

  // The real server forgets by the size of its window, or has never known what was before a resource was served;
  // the embedded one is told to forget. Version 1 is too old for both.
  test('from before the history gets the error event 410 Expired', async () => {
    await create('one');
    await server().compact();
    const watch = await api.watch(path(), { resourceVersion: 1 });
    expect(watch.status).toBe(200);
    const { type, object } = await watch.next();
    expect(type).toBe('ERROR');
    expect(object).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 });
    expect(object.message).toMatch(/^too old resource version: 1 \(\d+\)$/);
    expect(await watch.rest()).toEqual([]);
  });
});
