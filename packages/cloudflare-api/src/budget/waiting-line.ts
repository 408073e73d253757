/** Those who wait for the budget: one line for each priority, first come first served in each. */
import { priorities } from './priority.ts';
import type { Priority } from './priority.ts';

export type Waiter = {
  readonly priority: Priority;
  readonly sinceMs: number;
  readonly admit: () => void;
};

export type WaitingLine = {
  readonly join: (waiter: Waiter) => void;
  readonly leave: (waiter: Waiter) => void;
  /** The first of each line that has one, the most urgent first. */
  readonly heads: () => readonly Waiter[];
  readonly count: (priority: Priority) => number;
};

export function createWaitingLine(): WaitingLine {
  const lines: Readonly<Record<Priority, Set<Waiter>>> = { change: new Set(), deletion: new Set(), drift: new Set() };
  return {
    join: (waiter) => void lines[waiter.priority].add(waiter),
    leave: (waiter) => void lines[waiter.priority].delete(waiter),
    heads: () => priorities.flatMap((priority) => [...lines[priority].values().take(1)]),
    count: (priority) => lines[priority].size,
  };
}
