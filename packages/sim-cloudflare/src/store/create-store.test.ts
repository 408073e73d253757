import { expect, test } from 'vitest';
import { createStore } from './create-store.ts';
import { defineTable } from './table.ts';

const things = defineTable<number>('things');

test('what a call wrote is seen by itself at once and by others when it is done', () => {
  const store = createStore({ monotonic: () => 0 });
  const { result, changed } = store.transact((draft) => {
    draft.put(things, 'a', 'x', 1);
    expect(store.read().get(things, 'a', 'x')).toBeUndefined();
    return draft.get(things, 'a', 'x');
  });
  expect({ result, changed, seen: store.read().get(things, 'a', 'x') }).toEqual({ result: 1, changed: true, seen: 1 });
  expect(store.read().rows(things, 'b').size).toBe(0);
});

test('a call that throws has written nothing', () => {
  const store = createStore({ monotonic: () => 0 });
  store.transact((draft) => draft.put(things, 'a', 'x', 1));
  const failing = (): unknown =>
    store.transact((draft) => {
      draft.remove(things, 'a', 'x');
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(store.dump()).toEqual({ things: { a: [1] } });
});

test('old states are there for as long as they are asked for, and no earlier than that', () => {
  let nowMs = 0;
  const store = createStore({ monotonic: () => nowMs });
  store.keepHistory(1000);
  const at = (ms: number, value: number): void => {
    nowMs = ms;
    store.transact((draft) => draft.put(things, 'a', 'x', value));
  };
  const back = (lagMs: number): number | undefined => store.lookBack(lagMs, (draft) => draft.get(things, 'a', 'x'));
  at(100, 1);
  at(500, 2);
  at(1500, 3);
  at(2000, 4);
  expect([back(1), back(500), back(501), back(1000)]).toEqual([3, 3, 2, 2]);
  nowMs = 9000;
  expect(back(1000)).toBe(4);
});
