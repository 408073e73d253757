/**
 * Things that come due, earliest first. Each knows its place, so that moving one (a debounced key moves with
 * every edit) costs O(log n) and leaves nothing behind.
 */
export type Timed = {
  /** Only the heap may change these two. Equal times keep the order of booking. */
  dueAt: number;
  heapIndex: number;
  bookedAs: number;
};

export type TimerHeap<T extends Timed> = {
  readonly size: () => number;
  readonly first: () => T | undefined;
  /** Books the item, or moves it when it is booked already. */
  readonly book: (item: T, dueAt: number) => void;
  readonly remove: (item: T) => void;
  readonly clear: () => void;
};

/** What `heapIndex` says of an item that is not booked. */
export const notBooked = -1;

export function createTimerHeap<T extends Timed>(): TimerHeap<T> {
  const items: T[] = [];
  let bookings = 0;

  return {
    size: () => items.length,
    first: () => items[0],
    book: (item, dueAt) => {
      item.dueAt = dueAt;
      item.bookedAs = bookings += 1;
      if (item.heapIndex === notBooked) {
        item.heapIndex = items.length;
        items.push(item);
      }
      settle(items, item);
    },
    remove: (item) => {
      if (item.heapIndex === notBooked) return;
      const last = items.pop();
      if (last && last !== item) {
        put(items, last, item.heapIndex);
        settle(items, last);
      }
      item.heapIndex = notBooked;
    },
    clear: () => {
      for (const item of items) item.heapIndex = notBooked;
      items.length = 0;
    },
  };
}

function isBefore(left: Timed, right: Timed): boolean {
  return left.dueAt < right.dueAt || (left.dueAt === right.dueAt && left.bookedAs < right.bookedAs);
}

function put<T extends Timed>(items: T[], item: T, index: number): void {
  items[index] = item;
  item.heapIndex = index;
}

/** Moves the item up, then down, until it stands between its parent and its children. */
function settle<T extends Timed>(items: T[], item: T): void {
  for (let index = item.heapIndex; index > 0; index = item.heapIndex) {
    const parent = items[(index - 1) >>> 1];
    if (!parent || !isBefore(item, parent)) break;
    put(items, item, parent.heapIndex);
    put(items, parent, index);
  }
  for (let child = earlierChild(items, item.heapIndex); child; child = earlierChild(items, item.heapIndex)) {
    if (!isBefore(child, item)) return;
    const index = item.heapIndex;
    put(items, item, child.heapIndex);
    put(items, child, index);
  }
}

function earlierChild<T extends Timed>(items: readonly T[], index: number): T | undefined {
  const left = items[2 * index + 1];
  const right = items[2 * index + 2];
  return left && right && isBefore(right, left) ? right : left;
}
