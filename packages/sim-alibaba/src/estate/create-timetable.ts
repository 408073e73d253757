import type { Clock } from '@tributary/runtime/clock';

export type Timetable = {
  readonly book: (afterMs: number, run: () => void) => void;
  /** Does what is due, in order of time. */
  readonly catchUp: () => void;
  readonly clear: () => void;
};

type Due = { readonly dueMs: number; readonly run: () => void };

/**
 * What happens later, without a timer: it happens when somebody looks. On a clock that stands still nothing moves,
 * and an idle simulator keeps no process alive.
 */
export function createTimetable(clock: Pick<Clock, 'monotonic'>): Timetable {
  let booked: readonly Due[] = [];
  return {
    book: (afterMs, run) => {
      const due = { dueMs: clock.monotonic() + afterMs, run };
      // Behind what is due at the same moment, so that this happens in the order of its booking.
      const place = booked.findLastIndex(({ dueMs }) => dueMs <= due.dueMs) + 1;
      booked = booked.toSpliced(place, 0, due);
    },
    catchUp: () => {
      for (let [first] = booked; first && first.dueMs <= clock.monotonic(); [first] = booked) {
        booked = booked.slice(1);
        first.run();
      }
    },
    clear: () => void (booked = []),
  };
}
