import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimerHeap, notBooked } from './timer-heap.ts';
import type { Timed } from './timer-heap.ts';

type Item = Timed & { readonly name: number };

const steps = fc.array(fc.record({ item: fc.nat(9), act: fc.constantFrom('book', 'remove', 'take'), at: fc.nat(5) }), {
  maxLength: 200,
});

test('whatever is booked, moved and removed, the earliest comes first and equal times keep their order', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const heap = createTimerHeap<Item>();
      const items = Array.from({ length: 10 }, (_, name): Item => ({
        name,
        dueAt: 0,
        heapIndex: notBooked,
        bookedAs: 0,
      }));
      let expected: { readonly name: number; readonly at: number }[] = [];
      for (const { item, act, at } of script) {
        const first = expected.toSorted((left, right) => left.at - right.at)[0];
        expect(heap.first()?.name).toBe(first?.name);
        const name = act === 'take' ? (first?.name ?? item) : item;
        expected = expected.filter((booked) => booked.name !== name);
        if (act === 'book') {
          heap.book(items[name]!, at);
          expected.push({ name, at });
        } else {
          heap.remove(items[name]!);
        }
        expect(heap.size()).toBe(expected.length);
      }
      heap.clear();
      expect(items.map(({ heapIndex }) => heapIndex)).toEqual(items.map(() => notBooked));
    }),
  );
});
