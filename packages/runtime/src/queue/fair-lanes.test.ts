import { expect, test } from 'vitest';
import { createLanes } from './fair-lanes.ts';
import type { LaneItem } from './fair-lanes.ts';
import type { Priority } from './work-queue.ts';

type Item = LaneItem & { readonly name: string };

function item(name: string, priority: Priority): Item {
  return { name, priority, before: undefined, behind: undefined };
}

function lanesWith(...items: readonly Item[]) {
  const lanes = createLanes<Item>();
  for (const one of items) lanes.push(one);
  return lanes;
}

function takeAll(lanes: ReturnType<typeof lanesWith>): string {
  let taken = '';
  for (let next = lanes.take(); next; next = lanes.take()) taken += next.name;
  return taken;
}

test('higher priorities go first, and within one the first in is the first out', () => {
  const lanes = lanesWith(
    item('e', 'low'),
    item('c', 'normal'),
    item('a', 'high'),
    item('d', 'normal'),
    item('b', 'high'),
  );
  expect(takeAll(lanes)).toBe('abcde');
  expect(lanes.size()).toBe(0);
});

test('a promoted item leaves its line for the end of the higher one', () => {
  const [first, middle, last] = [item('f', 'low'), item('m', 'low'), item('l', 'low')];
  const lanes = lanesWith(item('h', 'high'), first, middle, last);
  lanes.promote(middle, 'high');
  expect([lanes.sizeOf('high'), lanes.sizeOf('low')]).toEqual([2, 2]);
  lanes.promote(first, 'normal');
  expect(takeAll(lanes)).toBe('hmfl');
});

test('when all lines are always full they share 11 : 4 : 1', () => {
  const lanes = createLanes<Item>();
  for (const priority of ['high', 'normal', 'low'] as const) {
    for (let count = 0; count < 1700; count += 1) lanes.push(item(priority, priority));
  }
  // The first round is shorter: nobody has been passed over yet.
  for (let count = 0; count < 16; count += 1) lanes.take();
  const taken = Array.from({ length: 1600 }, () => lanes.take()?.name);
  const count = (name: string): number => taken.filter((one) => one === name).length;
  expect([count('high'), count('normal'), count('low')]).toEqual([1100, 400, 100]);
});

test('under a constant stream of high ones a low one is the sixteenth at the latest, a normal one the fourth', () => {
  for (const [priority, place] of [
    ['low', 15],
    ['normal', 3],
  ] as const) {
    const lanes = lanesWith(item('slow', priority));
    const taken: (string | undefined)[] = [];
    for (let count = 0; count < 20; count += 1) {
      lanes.push(item('high', 'high'));
      taken.push(lanes.take()?.name);
    }
    expect(taken.indexOf('slow')).toBe(place);
  }
});

test('a line that was empty has not been passed over', () => {
  const lanes = createLanes<Item>();
  for (let count = 0; count < 30; count += 1) {
    lanes.push(item('high', 'high'));
    lanes.take();
  }
  lanes.push(item('low', 'low'));
  lanes.push(item('high', 'high'));
  expect(lanes.take()?.name).toBe('high');
});

test('nothing is left after clear', () => {
  const lanes = lanesWith(item('a', 'high'), item('b', 'low'));
  lanes.clear();
  expect([lanes.size(), lanes.take()]).toEqual([0, undefined]);
});
