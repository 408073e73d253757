import { expect, test } from 'vitest';
import { createTimetable } from './create-timetable.ts';

test('what is due happens when somebody looks, in order of time and then of booking', () => {
  let nowMs = 0;
  const timetable = createTimetable({ monotonic: () => nowMs });
  const done: string[] = [];
  timetable.book(20, () => done.push('b1'));
  timetable.book(10, () => {
    done.push('a');
    timetable.book(0, () => done.push('a2'));
  });
  timetable.book(20, () => done.push('b2'));
  timetable.book(30, () => done.push('c'));
  timetable.catchUp();
  expect(done).toEqual([]);
  nowMs = 20;
  expect(done).toEqual([]);
  timetable.catchUp();
  expect(done).toEqual(['a', 'b1', 'b2', 'a2']);
  timetable.clear();
  nowMs = 99;
  timetable.catchUp();
  expect(done).toHaveLength(4);
});
