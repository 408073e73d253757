import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { createWorkQueue } from './create-work-queue.ts';
import type { AddOptions, Debounce, Priority } from './work-queue.ts';

/**
 * The queue against a model that keeps a flat list of keys and looks through all of it at every question. The
 * model does not say which priority is served next: it checks that whoever was chosen had the right to be.
 */
type ModelKey = {
  readonly key: string;
  priority: Priority;
  timerAt: number;
  touches: number[];
  bookedAs: number;
  place: number | undefined;
  inWork: Priority | undefined;
};

const order: readonly Priority[] = ['high', 'normal', 'low'];
const patience = { high: 1, normal: 5, low: 16 };
/** A lower priority may go before a higher one only after it was passed over this often. */
const rightOfWay = { high: 0, normal: 3, low: 15 };

function newKey(key: string): ModelKey {
  return { key, priority: 'low', timerAt: Infinity, touches: [], bookedAs: 0, place: undefined, inWork: undefined };
}

function inherited({ inWork }: ModelKey, { backoff }: AddOptions, timed: boolean): Priority {
  if (!timed || !inWork) return 'normal';
  return !backoff && inWork === 'high' ? 'normal' : inWork;
}

function must(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`);
}

function createModel(debounce: Debounce | undefined) {
  const keys = new Map<string, ModelKey>();
  const failures = new Map<string, number>();
  const passedOver: Record<Priority, number> = { high: 0, normal: 0, low: 0 };
  let sequence = 0;

  const burstEnd = ({ touches }: ModelKey): number => {
    const [first, last] = [touches[0], touches.at(-1)];
    if (!debounce || first === undefined || last === undefined) return Infinity;
    return Math.min(last + debounce.quietMs, first + debounce.maxMs);
  };
  const dueAt = (entry: ModelKey): number => Math.min(entry.timerAt, burstEnd(entry));
  const line = (priority: Priority): readonly ModelKey[] =>
    [...keys.values()]
      .filter((entry) => entry.place !== undefined && !entry.inWork && entry.priority === priority)
      .toSorted((left, right) => (left.place ?? 0) - (right.place ?? 0));

  const comeDue = (now: number): void => {
    const due = [...keys.values()].filter((entry) => entry.place === undefined && dueAt(entry) <= now);
    for (const entry of due.toSorted((left, right) => left.bookedAs - right.bookedAs)) {
      Object.assign(entry, { place: (sequence += 1), timerAt: Infinity, touches: [] });
    }
  };

  const raise = (entry: ModelKey, wanted: boolean, priority: Priority): void => {
    if (wanted && order.indexOf(priority) >= order.indexOf(entry.priority)) return;
    if (entry.place !== undefined && !entry.inWork) entry.place = sequence += 1;
    entry.priority = priority;
  };

  return {
    keys,
    failures,
    nextDue: () => Math.min(...[...keys.values()].filter(({ place }) => place === undefined).map(dueAt)),
    comeDue,
    available: () => order.some((priority) => line(priority).length > 0),
    add: (key: string, options: AddOptions, now: number) => {
      const timed = options.backoff === true || options.afterMs !== undefined;
      const entry = keys.get(key) ?? newKey(key);
      keys.set(key, entry);
      const wanted = entry.place !== undefined || dueAt(entry) < Infinity;
      const priority = options.priority ?? inherited(entry, options, timed);
      raise(entry, wanted, priority);
      const failed = failures.get(key) ?? 0;
      if (options.backoff) failures.set(key, failed + 1);
      if (entry.place !== undefined) return;
      const before = dueAt(entry);
      const waitMs = Math.max(options.afterMs ?? 0, options.backoff ? Math.min(5 * 2 ** failed, 80) : 0);
      if (timed || !debounce) entry.timerAt = Math.min(entry.timerAt, now + waitMs);
      else entry.touches.push(now);
      if (dueAt(entry) !== before) entry.bookedAs = sequence += 1;
      comeDue(now);
    },
    handedOut: (key: string) => {
      const entry = keys.get(key);
      if (!entry || entry.place === undefined) throw new Error(`${key} was not due`);
      must(!entry.inWork, 'a key runs once at a time');
      const { priority } = entry;
      must(line(priority)[0]?.key === key, 'first in, first out');
      const passedBy = order.filter((other) => other !== priority && line(other).length > 0);
      const before = passedBy.some((other) => order.indexOf(other) < order.indexOf(priority));
      must(!before || passedOver[priority] >= rightOfWay[priority], 'higher priorities go first');
      for (const other of order) passedOver[other] = passedBy.includes(other) ? passedOver[other] + 1 : 0;
      for (const other of ['normal', 'low'] as const) must(passedOver[other] < patience[other], 'nobody starves');
      Object.assign(entry, { place: undefined, inWork: priority });
    },
    done: (key: string) => {
      const entry = keys.get(key);
      if (!entry) throw new Error(`${key} is not known`);
      entry.inWork = undefined;
      if (entry.place !== undefined) entry.place = sequence += 1;
      else if (dueAt(entry) === Infinity) keys.delete(key);
    },
  };
}

type Step =
  | { readonly do: 'add'; readonly key: string; readonly options: AddOptions }
  | { readonly do: 'wait' }
  | { readonly do: 'done' | 'forget'; readonly pick: number }
  | { readonly do: 'advance'; readonly ms: number };

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const addOptions = fc
  .record({
    priority: optional(fc.constantFrom<Priority>('high', 'normal', 'low')),
    afterMs: optional(fc.constantFrom(0, 1, 10, 25, 100)),
    backoff: optional(fc.boolean()),
  })
  .map((options) => JSON.parse(JSON.stringify(options)) as AddOptions);
const key = fc.nat(24).map((number) => `key-${number}`);
const add = fc.record({ do: fc.constant('add' as const), key, options: addOptions });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: add },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), key, options: fc.constant({}) }) },
  { weight: 4, arbitrary: fc.constant({ do: 'wait' } as const) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), pick: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), pick: fc.nat(50) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1, 7, 25, 60, 200) }) },
);

async function play(debounce: Debounce | undefined, script: readonly Step[]): Promise<void> {
  const clock = createSimulatedClock();
  const options = { backoff: { baseMs: 5, maxMs: 80 }, ...(debounce ? { debounce } : {}) };
  const queue = createWorkQueue(options, { clock, random: Math.random });
  const model = createModel(debounce);
  const handed: string[] = [];
  const inWork: string[] = [];
  let waiting = 0;

  const compare = async (): Promise<void> => {
    await clock.settle();
    for (const taken of handed.splice(0)) {
      model.handedOut(taken);
      inWork.push(taken);
      waiting -= 1;
    }
    must(waiting === 0 || !model.available(), 'a due key goes to a waiting worker');
  };
  const wait = (): void => {
    waiting += 1;
    void queue.next().then((taken) => handed.push(taken ?? 'nothing'));
  };
  const finish = (pick: number): void => {
    const [taken] = inWork.splice(pick % Math.max(inWork.length, 1), 1);
    if (taken === undefined) return;
    model.done(taken);
    queue.done(taken);
  };
  const advance = async (ms: number): Promise<void> => {
    const until = clock.monotonic() + ms;
    for (let at = model.nextDue(); at <= until; at = model.nextDue()) {
      await clock.advance(at - clock.monotonic());
      model.comeDue(at);
      await compare();
    }
    await clock.advance(until - clock.monotonic());
    await compare();
  };

  for (const one of script) {
    if (one.do === 'add') {
      model.add(one.key, one.options, clock.monotonic());
      queue.add(one.key, one.options);
    } else if (one.do === 'advance') await advance(one.ms);
    else if (one.do === 'wait') wait();
    else if (one.do === 'done') finish(one.pick);
    else {
      model.failures.delete(`key-${one.pick}`);
      queue.forget(`key-${one.pick}`);
    }
    await compare();
  }
  while (model.keys.size > 0) {
    await advance(Number.isFinite(model.nextDue()) ? model.nextDue() - clock.monotonic() : 0);
    if (inWork.length > 0) finish(0);
    if (waiting === 0) wait();
    await compare();
  }
  must(queue.idle(), 'what is done is gone');
  must(clock.pending() === 0, 'no timer is left');
  must(queue.snapshot().remembered === model.failures.size, 'only failures are remembered');
}

const scripts = fc.array(step, { minLength: 30, maxLength: 150 });
const cases = [
  { name: 'no key is lost, doubled or out of turn, whatever is added, taken and given back', debounce: undefined },
  { name: 'a debounced key runs after its quiet time or at its limit', debounce: { quietMs: 50, maxMs: 120 } },
];

test.each(cases)('$name', { timeout: 60_000 }, async ({ debounce }) => {
  const property = fc.asyncProperty(scripts, async (script) => play(debounce, script));
  await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
});
