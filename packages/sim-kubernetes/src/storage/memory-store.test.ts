import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStore } from './memory-store.ts';
import type { StoreOptions } from './memory-store.ts';
import type { Store, StoreEvent } from './store.ts';
import type { Draft, StoredObject } from '../registry/json.ts';

const things = { group: 'x.test', plural: 'things' };
const draft = (name: string, value = 0, namespace = 'ns'): Draft => ({
  apiVersion: 'x.test/v1',
  kind: 'Thing',
  metadata: { name, namespace, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
  value,
});

function open(options: StoreOptions = {}): Store & { readonly put: (name: string, value?: number) => StoredObject } {
  const store = createStore({ freeze: true, ...options });
  const put = (name: string, value = 0): StoredObject => {
    const old = store.get(things, { namespace: 'ns', name });
    const result = old
      ? store.update(things, draft(name, value), old.metadata.resourceVersion)
      : store.create(things, draft(name, value));
    return result as StoredObject;
  };
  return { ...store, put };
}

describe('writing', () => {
  test('every write gets the next revision, across all resources', () => {
    const store = open();
    const first = store.put('a');
    const other = store.create({ group: '', plural: 'pods' }, draft('p')) as StoredObject;
    const second = store.put('a', 1);
    const revisions = [first, other, second].map(({ metadata }) => Number(metadata.resourceVersion));
    expect(revisions).toEqual([2, 3, 4]);
    expect(store.revision()).toBe(4);
  });

  test('a second create of a name is refused and costs no revision', () => {
    const store = open();
    store.put('a');
    expect(store.create(things, draft('a'))).toEqual({ conflict: 'exists' });
    expect(store.revision()).toBe(2);
  });

  test('an update with an older revision is refused', () => {
    const store = open();
    const { metadata } = store.put('a');
    store.put('a', 1);
    expect(store.update(things, draft('a', 2), metadata.resourceVersion)).toEqual({ conflict: 'modified' });
    expect(store.update(things, draft('b'), '2')).toEqual({ conflict: 'missing' });
  });

  test('a deletion is a revision of its own, which the deleted object carries', () => {
    const store = open();
    const { metadata } = store.put('a');
    const ref = { namespace: 'ns', name: 'a' };
    expect(store.delete(things, ref, '1')).toEqual({ conflict: 'modified' });
    expect(store.delete(things, ref, metadata.resourceVersion)).toMatchObject({ metadata: { resourceVersion: '3' } });
    expect(store.get(things, ref)).toBeUndefined();
    expect(store.delete(things, ref, '3')).toEqual({ conflict: 'missing' });
  });

  test('stored objects cannot be changed', () => {
    const object = open().put('a');
    expect(() => Object.assign(object.metadata, { name: 'b' })).toThrow('read only');
  });

  test('an object above the limit is refused and leaves no trace', () => {
    const store = open({ maxObjectBytes: 200 });
    const large = { ...draft('a'), text: 'ü'.repeat(100) };
    expect(store.create(things, large)).toMatchObject({ conflict: 'too-large' });
    expect(store.revision()).toBe(1);
    expect(store.create(things, draft('a'))).toMatchObject({ metadata: { resourceVersion: '2' } });
  });
});

test('an object at the limit can still be deleted, though a longer revision makes it larger', () => {
  const size = JSON.stringify({
    ...draft('a'),
    metadata: { ...(draft('a')['metadata'] as Draft), resourceVersion: '9' },
  }).length;
  const store = open({ maxObjectBytes: size });
  expect(store.create(things, draft('a'))).toMatchObject({ metadata: { resourceVersion: '2' } });
  for (let count = 0; count < 7; count++)
    store.create({ group: '', plural: 'pods' }, { ...draft(`${count}`), value: 0 });
  expect(store.revision()).toBe(9);
  expect(store.update(things, draft('a'), '2')).toMatchObject({ conflict: 'too-large' });
  expect(store.delete(things, { namespace: 'ns', name: 'a' }, '2')).toMatchObject({ metadata: { name: 'a' } });
});

describe('listing', () => {
  test('is in the order of namespace and name, as the keys of etcd sort', () => {
    const store = open();
    for (const [namespace, name] of [
      ['b', 'a'],
      ['a', 'b'],
      ['a-b', 'x'],
      ['a', 'a'],
    ] as const) {
      store.create(things, draft(name, 0, namespace));
    }
    const keys = store.list(things).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(keys).toEqual(['a-b/x', 'a/a', 'a/b', 'b/a']);
    expect(store.list(things, 'a').map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  });

  test('of an older revision shows what was there then', () => {
    const store = open();
    store.put('a', 1);
    store.put('b', 1);
    const then = store.revision();
    store.put('a', 2);
    store.delete(things, { namespace: 'ns', name: 'b' }, '3');
    store.put('c', 1);
    const old = store.listAt(things, then)?.map(({ metadata, value }) => [metadata.name, value]);
    expect(old).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(store.listAt(things, then, 'elsewhere')).toEqual([]);
  });

  test('of any older revision equals the list at that time, whatever happened since', () => {
    const steps = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), remove: fc.boolean() }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, (history) => {
        const store = open();
        const lists = new Map([[store.revision(), store.list(things)]]);
        for (const { name, remove } of history) {
          const found = store.get(things, { namespace: 'ns', name });
          if (remove && found) store.delete(things, { namespace: 'ns', name }, found.metadata.resourceVersion);
          else store.put(name, store.revision());
          lists.set(store.revision(), store.list(things));
        }
        for (const [revision, list] of lists) expect(store.listAt(things, revision)).toEqual(list);
      }),
    );
  });
});

describe('history', () => {
  test('gives the events after a revision, oldest first, each with what was before', () => {
    const store = open();
    store.put('a', 1);
    store.put('a', 2);
    store.delete(things, { namespace: 'ns', name: 'a' }, '3');
    const events = store.eventsAfter(things, 2) ?? [];
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['MODIFIED', 3],
      ['DELETED', 4],
    ]);
    expect(events[0]?.previous?.['value']).toBe(1);
  });

  test('is bounded: what fell out can be neither watched nor listed from', () => {
    const store = open({ historyLimit: 3 });
    for (let value = 0; value < 10; value++) store.put('a', value);
    expect(store.oldestRevision(things)).toBe(8);
    expect(store.eventsAfter(things, 7)).toBeUndefined();
    expect(store.listAt(things, 7)).toBeUndefined();
    expect(store.eventsAfter(things, 8)?.length).toBe(3);
  });

  test('is lost by a compaction, but what comes after is kept', () => {
    const store = open();
    store.put('a', 1);
    store.compact();
    store.put('a', 2);
    expect(store.eventsAfter(things, 1)).toBeUndefined();
    expect(store.eventsAfter(things, 2)?.map(({ revision }) => revision)).toEqual([3]);
  });

  test('of a resource begins when it is told to', () => {
    const store = open();
    store.put('a', 1);
    store.beginHistory(things);
    expect(store.eventsAfter(things, 1)).toBeUndefined();
    expect(store.eventsAfter(things, store.revision())).toEqual([]);
  });
});

test('listeners hear of their resource alone, in order, until they leave', () => {
  const store = open();
  const heard: StoreEvent[] = [];
  const all: string[] = [];
  const leave = store.subscribe(things, (event) => heard.push(event));
  store.subscribeAll((_, { plural }) => all.push(plural));
  store.put('a', 1);
  store.create({ group: '', plural: 'pods' }, draft('p'));
  store.put('a', 2);
  leave();
  store.put('a', 3);
  expect(heard.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED']);
  expect(all).toEqual(['things', 'pods', 'things', 'things']);
});

test('a snapshot brings objects and revision back, but no history', () => {
  const store = open();
  store.put('a', 1);
  store.put('b', 2);
  const copy = createStore({ snapshot: JSON.parse(JSON.stringify(store.snapshot())) as ReturnType<Store['snapshot']> });
  expect(copy.list(things)).toEqual(store.list(things));
  expect(copy.revision()).toBe(3);
  expect(copy.eventsAfter(things, 2)).toBeUndefined();
  expect(copy.create(things, draft('c'))).toMatchObject({ metadata: { resourceVersion: '4' } });
});
