import { describe, expect, test } from 'vitest';
import type { AnyObject } from '../object.ts';
import { createObjectStore } from './object-store.ts';
import { tellChange as tell, widget, widgetKind } from './testing/widget.ts';

function createStore() {
  const errors: unknown[] = [];
  const store = createObjectStore({ kind: widgetKind, onListenerError: (error) => errors.push(error) });
  const changes: string[] = [];
  store.onChange((change) => changes.push(tell(change)));
  return { store, changes, errors };
}

describe('the object store', () => {
  test('delivers each change with the object before and after', () => {
    const { store, changes } = createStore();
    store.put(widget('a', '1'));
    store.put(widget('a', '2'));
    store.remove(widget('a', '3'));
    expect(changes).toEqual(['added a ->1', 'updated a 1>2', 'deleted a 2>3']);
    expect(store.size()).toBe(0);
  });

  test('delivers nothing when the resource version is the same', () => {
    const { store, changes } = createStore();
    store.put(widget('a', '1'));
    store.put(widget('a', '1'));
    expect(changes).toEqual(['added a ->1']);
  });

  test('ignores a live event that is older than what is stored, be it a change or a deletion', () => {
    const { store, changes } = createStore();
    store.put(widget('a', '10'));
    store.put(widget('a', '9'));
    store.remove(widget('a', '9'));
    expect(changes).toEqual(['added a ->10']);
    expect(store.get({ namespace: 'default', name: 'a' })?.metadata.resourceVersion).toBe('10');
  });

  test('takes live events as they come when their versions cannot be compared', () => {
    const { store, changes } = createStore();
    store.put(widget('a', 'x2'));
    store.put(widget('a', 'x1'));
    expect(changes).toEqual(['added a ->x2', 'updated a x2>x1']);
  });

  test('tells an object that was replaced by another of the same name as a deletion and an addition', () => {
    const { store, changes } = createStore();
    store.put(widget('a', '1'));
    store.put(widget('a', '5', { uid: 'other' }));
    expect(changes).toEqual(['added a ->1', 'deleted a 1>1', 'added a ->5']);
    expect(store.size()).toBe(1);
  });

  test('ignores the deletion of an object that it does not hold', () => {
    const { store, changes } = createStore();
    store.remove(widget('a', '1'));
    expect(changes).toEqual([]);
    expect(store.size()).toBe(0);
  });

  test('a sync pass adds, updates, keeps silent about what is equal, and deletes what was not seen', () => {
    const { store, changes } = createStore();
    for (const name of ['equal', 'changed', 'gone']) store.put(widget(name, '1'));
    changes.length = 0;
    const pass = store.beginSync();
    pass.put(widget('equal', '1'));
    pass.put(widget('changed', '2'));
    pass.put(widget('new', '3'));
    expect(store.size()).toBe(4);
    pass.finish();
    expect(changes).toEqual(['updated changed 1>2 initial', 'added new ->3 initial', 'deleted gone 1>1 initial']);
    expect(store.list().map((object) => object.metadata.name)).toEqual(['equal', 'changed', 'new']);
  });

  test('a sync pass believes the server even when its versions went backwards, as after a restored backup', () => {
    const { store, changes } = createStore();
    store.put(widget('a', '10'));
    const pass = store.beginSync();
    pass.put(widget('a', '4'));
    pass.finish();
    expect(changes).toEqual(['added a ->10', 'updated a 10>4 initial']);
  });

  test('a deletion during a sync pass stands', () => {
    const { store, changes } = createStore();
    const pass = store.beginSync();
    pass.put(widget('a', '1'));
    pass.remove(widget('a', '2'));
    pass.finish();
    expect(changes).toEqual(['added a ->1 initial', 'deleted a 1>2 initial']);
    expect(store.size()).toBe(0);
  });

  test('a sync pass that is given up deletes nothing', () => {
    const { store } = createStore();
    store.put(widget('a', '1'));
    const abandoned = store.beginSync();
    abandoned.put(widget('b', '2'));
    const pass = store.beginSync();
    pass.put(widget('a', '1'));
    pass.put(widget('b', '2'));
    pass.finish();
    expect(store.size()).toBe(2);
  });

  test('lists all objects or those of one namespace', () => {
    const { store } = createStore();
    store.put(widget('a', '1', { namespace: 'one' }));
    store.put(widget('a', '2', { namespace: 'two' }));
    store.put(widget('b', '3', { namespace: 'two' }));
    const names = (namespace?: string): string[] =>
      store.list(namespace).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
    expect(names()).toEqual(['one/a', 'two/a', 'two/b']);
    expect(names('two')).toEqual(['two/a', 'two/b']);
    expect(names('none')).toEqual([]);
    store.remove(widget('a', '4', { namespace: 'one' }));
    expect(names('one')).toEqual([]);
    expect(store.get({ namespace: 'two', name: 'a' })?.metadata.resourceVersion).toBe('2');
  });
});

describe('listeners', () => {
  test('one that joins late is first given everything as added and initial', () => {
    const { store } = createStore();
    store.put(widget('a', '1'));
    const late: string[] = [];
    store.onChange((change) => late.push(tell(change)));
    store.put(widget('a', '2'));
    expect(late).toEqual(['added a ->1 initial', 'updated a 1>2']);
  });

  test('one that throws is reported and keeps no other from its turn', () => {
    const { store, errors } = createStore();
    const seen: string[] = [];
    store.onChange(() => {
      throw new Error('listener');
    });
    store.onChange((change) => seen.push(tell(change)));
    store.put(widget('a', '1'));
    store.put(widget('a', '2'));
    expect(seen).toEqual(['added a ->1', 'updated a 1>2']);
    expect(errors).toEqual([new Error('listener'), new Error('listener')]);
  });

  test('one that throws at the objects already there is reported and still gets the rest', () => {
    const { store, errors } = createStore();
    store.put(widget('a', '1'));
    store.put(widget('b', '2'));
    let calls = 0;
    store.onChange(() => {
      calls += 1;
      throw new Error('late');
    });
    expect(calls).toBe(2);
    expect(errors).toHaveLength(2);
  });

  test('one that unsubscribes hears no more, also when another listener did it during the delivery', () => {
    const { store } = createStore();
    const seen: string[] = [];
    let leave = (): void => undefined;
    store.onChange(() => leave());
    leave = store.onChange((change) => seen.push(tell(change)));
    store.put(widget('a', '1'));
    expect(seen).toEqual([]);
  });

  test('one that is added during a delivery gets the object once', () => {
    const { store } = createStore();
    const seen: string[] = [];
    let joined = false;
    store.onChange(() => {
      if (!joined) store.onChange((change) => seen.push(tell(change)));
      joined = true;
    });
    store.put(widget('a', '1'));
    expect(seen).toEqual(['added a ->1 initial']);
  });

  test('one sees the store and its indexes as they are after the change', () => {
    const { store } = createStore();
    store.addIndex('color', (object) => [String(object['spec'])]);
    const seen: unknown[] = [];
    store.onChange(({ type }) => seen.push([type, store.size(), store.byIndex('color', 'red').length]));
    store.put(widget('a', '1', { spec: 'red' }));
    store.put(widget('a', '2', { spec: 'blue' }));
    store.remove(widget('a', '3'));
    expect(seen).toEqual([
      ['added', 1, 1],
      ['updated', 1, 0],
      ['deleted', 0, 0],
    ]);
  });
});

describe('indexes', () => {
  const byLabel = (object: AnyObject): readonly string[] => Object.values(object.metadata.labels ?? {});

  test('follow every change and know what was there before them', () => {
    const { store } = createStore();
    store.put(widget('a', '1', { labels: { app: 'x' } }));
    store.addIndex('label', byLabel);
    store.put(widget('b', '2', { labels: { app: 'x', tier: 'y' } }));
    const names = (value: string): string[] => store.byIndex('label', value).map(({ metadata }) => metadata.name ?? '');
    expect(names('x')).toEqual(['a', 'b']);
    expect(names('y')).toEqual(['b']);
    store.put(widget('a', '3', { labels: { app: 'z' } }));
    expect(names('x')).toEqual(['b']);
    expect(names('z')).toEqual(['a']);
    store.remove(widget('b', '4'));
    expect(names('x')).toEqual([]);
    expect(names('y')).toEqual([]);
  });

  test('cannot be added twice, and asking for one that is not there is an error', () => {
    const { store } = createStore();
    store.addIndex('label', byLabel);
    expect(() => store.addIndex('label', byLabel)).toThrow('already an index named label on widgets');
    expect(() => store.byIndex('other', 'x')).toThrow('no index named other on widgets');
  });

  test('a function that throws leaves its object out and is reported', () => {
    const { store, errors, changes } = createStore();
    store.addIndex('broken', (object) => {
      if (object.metadata.name === 'bad') throw new Error('index');
      return ['x'];
    });
    store.put(widget('bad', '1'));
    store.put(widget('good', '2'));
    expect(store.byIndex('broken', 'x')).toHaveLength(1);
    expect(errors).toEqual([new Error('index')]);
    expect(changes).toHaveLength(2);
  });
});
