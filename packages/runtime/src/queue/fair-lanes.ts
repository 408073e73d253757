import type { Priority } from './work-queue.ts';

/**
 * Three lines in front of one counter: first in, first out within a priority, higher priorities first, but nobody
 * waits for ever. While the `normal` line is not empty, at least one of five taken is from it; while the `low` line
 * is not empty, at least one of sixteen. When all three are always full that is 11 : 4 : 1.
 */
export type Lanes<T extends LaneItem> = {
  readonly size: () => number;
  readonly sizeOf: (priority: Priority) => number;
  /** At the end of the line of its priority. */
  readonly push: (item: T) => void;
  /** Leaves its line for the end of a higher one. */
  readonly promote: (item: T, priority: Priority) => void;
  readonly take: () => T | undefined;
  readonly clear: () => void;
};

/** The links of the line live in the item: no allocation, and leaving from the middle is free. */
export type LaneItem = {
  priority: Priority;
  before: LaneItem | undefined;
  behind: LaneItem | undefined;
};

type Lane = { head: LaneItem | undefined; tail: LaneItem | undefined; size: number; passedOver: number };

/** So often may a line be passed over before it is served next. The lowest line is asked first. */
const mostPassedOver = { low: 15, normal: 3 } as const;

export function isHigher(left: Priority, right: Priority): boolean {
  return rank[left] < rank[right];
}

const rank: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 };

export function createLanes<T extends LaneItem>(): Lanes<T> {
  const lanes = { high: emptyLane(), normal: emptyLane(), low: emptyLane() };
  const size = (): number => lanes.high.size + lanes.normal.size + lanes.low.size;
  const push = (item: T): void => append(lanes[item.priority], item);

  return {
    size,
    sizeOf: (priority) => lanes[priority].size,
    push,
    promote: (item, priority) => {
      unlink(lanes[item.priority], item);
      item.priority = priority;
      push(item);
    },
    take: () => {
      if (size() === 0) return undefined;
      const chosen = chooseLane(lanes);
      for (const lower of ['normal', 'low'] as const) {
        if (lanes[lower] === chosen || lanes[lower].size === 0) lanes[lower].passedOver = 0;
        else lanes[lower].passedOver += 1;
      }
      const item = chosen.head;
      if (item) unlink(chosen, item);
      return item as T | undefined;
    },
    clear: () => {
      for (const priority of ['high', 'normal', 'low'] as const) lanes[priority] = emptyLane();
    },
  };
}

function chooseLane({ high, normal, low }: Readonly<Record<Priority, Lane>>): Lane {
  if (low.size > 0 && low.passedOver >= mostPassedOver.low) return low;
  if (normal.size > 0 && normal.passedOver >= mostPassedOver.normal) return normal;
  if (high.size > 0) return high;
  return normal.size > 0 ? normal : low;
}

function emptyLane(): Lane {
  return { head: undefined, tail: undefined, size: 0, passedOver: 0 };
}

function append(lane: Lane, item: LaneItem): void {
  item.before = lane.tail;
  item.behind = undefined;
  if (lane.tail) lane.tail.behind = item;
  else lane.head = item;
  lane.tail = item;
  lane.size += 1;
}

function unlink(lane: Lane, item: LaneItem): void {
  if (item.before) item.before.behind = item.behind;
  else lane.head = item.behind;
  if (item.behind) item.behind.before = item.before;
  else lane.tail = item.before;
  item.before = undefined;
  item.behind = undefined;
  lane.size -= 1;
}
