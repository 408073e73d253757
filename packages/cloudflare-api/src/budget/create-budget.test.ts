import { createSimulatedClock } from '@tributary/testkit';
import type { SimulatedClock } from '@tributary/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBudget } from './create-budget.ts';
import type { Budget, BudgetOptions, CallReport, Permit } from './create-budget.ts';
import type { Priority } from './priority.ts';

let clock: SimulatedClock;
let admitted: string[];
beforeEach(() => {
  clock = createSimulatedClock();
  admitted = [];
});

function budgetOf(options: BudgetOptions): Budget {
  return createBudget({ maxInFlight: 1000, ...options }, { clock });
}

/** Asks for a permit and notes, when it comes, the name and the second. */
async function ask(budget: Budget, priority: Priority, name: string = priority): Promise<Permit> {
  const permit = await budget.acquire(priority);
  admitted.push(`${name}@${clock.monotonic() / 1000}`);
  return permit;
}

/** The same, giving the permit back at once. */
async function pass(budget: Budget, priority: Priority, name?: string, report: CallReport = {}): Promise<void> {
  (await ask(budget, priority, name)).done(report);
}

async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, async (_, index) => work(index)));
}

function limit(remaining: number, resetSeconds: number, name = 'default'): CallReport {
  return { rate: { policies: [], limits: [{ name, remaining, resetMs: resetSeconds * 1000 }] } };
}

describe('the quota', () => {
  test('is 1,200 calls in five minutes until the API says otherwise', async () => {
    const budget = budgetOf({});
    await many(1200, async () => pass(budget, 'change'));
    expect(budget.snapshot()).toMatchObject({ quota: 1200, windowMs: 300_000, remaining: 0 });
    const late = pass(budget, 'change', 'late');
    await clock.advance(300_000);
    await late;
    expect(admitted.at(-1)).toBe('late@300');
  });

  test('forgets nobody when a place comes free in the middle of a look', async () => {
    // On a real machine time passes between two readings of the clock.
    for (let joinsAtMs = 9980; joinsAtMs <= 10_000; joinsAtMs += 1) {
      clock = createSimulatedClock();
      let readings = 0;
      const running = { ...clock, monotonic: () => clock.monotonic() + (readings += 1) };
      const budget = createBudget({ quota: 1, windowMs: 10_000 }, { clock: running });
      await pass(budget, 'change', 'first');
      const second = pass(budget, 'change', 'second');
      await clock.advance(joinsAtMs);
      const third = pass(budget, 'change', 'third');
      await clock.runUntilIdle();
      expect(budget.snapshot(), `joined at ${joinsAtMs}`).toMatchObject({ waiting: { change: 0 } });
      await Promise.all([second, third]);
    }
  });

  test('frees a place when a call has left the window, one by one', async () => {
    const budget = budgetOf({ quota: 2, windowMs: 10_000 });
    await pass(budget, 'change', 'a');
    await clock.advance(4000);
    await pass(budget, 'change', 'b');
    const rest = many(2, async (index) => pass(budget, 'change', `late${index}`));
    await clock.runUntilIdle();
    await rest;
    expect(admitted).toEqual(['a@0', 'b@4', 'late0@10', 'late1@14']);
  });

  test('follows the policy that the API tells, a smaller and a larger one', async () => {
    const budget = budgetOf({ quota: 5, windowMs: 10_000 });
    const policy = (quota: number): CallReport => ({
      rate: { policies: [{ name: 'enterprise', quota, windowMs: 10_000 }], limits: [] },
    });
    await pass(budget, 'change', 'a', policy(2));
    expect(budget.snapshot()).toMatchObject({ quota: 2, remaining: 1 });
    await pass(budget, 'change', 'b', policy(100));
    expect(budget.snapshot()).toMatchObject({ quota: 100, remaining: 98 });
  });

  test('holds for each of several policies', async () => {
    const budget = budgetOf({});
    const policies = [
      { name: 'burst', quota: 2, windowMs: 1000 },
      { name: 'default', quota: 3, windowMs: 60_000 },
    ];
    await pass(budget, 'change', 'a', { rate: { policies, limits: [] } });
    const rest = many(4, async (index) => pass(budget, 'change', String(index)));
    await clock.runUntilIdle();
    await rest;
    expect(admitted).toEqual(['a@0', '0@0', '1@1', '2@60', '3@60']);
    expect(budget.snapshot()).toMatchObject({ quota: 3, windowMs: 60_000 });
  });
});

describe('what the server says is left', () => {
  test('is believed when others use the same account, until its reset and a second for rounding', async () => {
    const budget = budgetOf({});
    await pass(budget, 'change', 'a', limit(1, 30));
    expect(budget.snapshot().remaining).toBe(1);
    const rest = many(3, async (index) => pass(budget, 'change', String(index)));
    await clock.runUntilIdle();
    await rest;
    expect(admitted).toEqual(['a@0', '0@0', '1@31', '2@31']);
  });

  test('is reckoned without the calls that are still out', async () => {
    const budget = budgetOf({});
    const permits = [await budget.acquire('change'), await budget.acquire('change'), await budget.acquire('change')];
    permits[0]?.done(limit(10, 60));
    expect(budget.snapshot().remaining).toBe(8);
  });

  test('does not grow within a window, for answers overtake each other', async () => {
    const budget = budgetOf({});
    await pass(budget, 'change', 'a', limit(5, 60));
    await pass(budget, 'change', 'b', limit(90, 60));
    expect(budget.snapshot().remaining).toBe(4);
    await pass(budget, 'change', 'c', limit(90, 200));
    expect(budget.snapshot().remaining).toBe(90);
  });

  test('is forgotten after the reset', async () => {
    const budget = budgetOf({});
    await pass(budget, 'change', 'a', limit(0, 9));
    await clock.advance(10_000);
    expect(budget.snapshot().remaining).toBe(1199);
    await pass(budget, 'change', 'b', limit(90, 9));
    expect(budget.snapshot().remaining).toBe(90);
  });
});

test('what is kept back for a person’s change is reckoned from the policy that a limit belongs to', async () => {
  const budget = budgetOf({ patienceMs: 1e9 });
  const policies = [
    { name: 'default', quota: 1200, windowMs: 300_000 },
    { name: 'burst', quota: 10, windowMs: 1000 },
  ];
  const limits = [{ name: 'burst', remaining: 8, resetMs: 100_000 }];
  await pass(budget, 'change', 'a', { rate: { policies, limits } });
  await pass(budget, 'drift');
  expect(admitted).toEqual(['a@0', 'drift@0']);
});

describe('a pause', () => {
  test('stops every priority until it is over, and a shorter one does not end it', async () => {
    const budget = budgetOf({});
    const [first, second] = [await budget.acquire('change'), await budget.acquire('change')];
    first.done({ pauseMs: 420_000 });
    second.done({ pauseMs: 1000 });
    expect(budget.snapshot()).toMatchObject({ remaining: 0, pausedForMs: 420_000 });
    const waiting = [pass(budget, 'drift'), pass(budget, 'deletion'), pass(budget, 'change')];
    expect(budget.snapshot().waiting).toEqual({ change: 1, deletion: 1, drift: 1 });
    await clock.runUntilIdle();
    await Promise.all(waiting);
    expect(admitted).toEqual(['change@420', 'deletion@420', 'drift@420']);
    expect(budget.snapshot()).toMatchObject({ pausedForMs: 0, waiting: { change: 0, deletion: 0, drift: 0 } });
  });
});

describe('priorities', () => {
  test('a person’s change goes first, then deletion, then drift, each in order of arrival', async () => {
    const budget = budgetOf({ quota: 10, windowMs: 10_000 });
    await many(10, async () => budget.acquire('change'));
    const order: Priority[] = ['drift', 'deletion', 'change', 'drift', 'deletion', 'change'];
    const waiting = many(6, async (index) => pass(budget, order[index] ?? 'drift', `${order[index]}${index}`));
    await clock.runUntilIdle();
    await waiting;
    expect(admitted.map((entry) => entry.split('@')[0])).toEqual([
      'change2',
      'change5',
      'deletion1',
      'deletion4',
      'drift0',
      'drift3',
    ]);
  });

  test('drift leaves three tenths of the quota and deletion a twentieth for a person’s change', async () => {
    const budget = budgetOf({ quota: 100, windowMs: 10_000, patienceMs: 1e9 });
    const scan = many(100, async () => pass(budget, 'drift'));
    const deletions = many(100, async () => pass(budget, 'deletion'));
    await clock.settle();
    // The scan came first and has its seventy; then there is no more for drift until the window moves on.
    expect(count('drift')).toBe(70);
    expect(count('deletion')).toBe(25);
    await many(5, async () => pass(budget, 'change'));
    expect(budget.snapshot().remaining).toBe(0);
    await clock.runUntilIdle();
    await Promise.all([scan, deletions]);
    expect(admitted).toHaveLength(205);
  });

  test('a scan leaves places free for more urgent calls', async () => {
    const budget = budgetOf({ maxInFlight: 4 });
    void many(10, async () => ask(budget, 'drift'));
    void many(10, async () => ask(budget, 'deletion'));
    void many(10, async () => ask(budget, 'change'));
    await clock.settle();
    expect(admitted).toEqual(['drift@0', 'drift@0', 'deletion@0', 'change@0']);
    expect(budget.snapshot()).toMatchObject({ inFlight: 4, waiting: { change: 9, deletion: 9, drift: 8 } });
    expect(clock.pending()).toBe(0);
  });

  test('drift that has waited long gets a share in spite of a never-ending flood of changes', async () => {
    const budget = budgetOf({ quota: 100, windowMs: 10_000, patienceMs: 60_000 });
    const flood = new AbortController();
    const changes = many(200, async () => {
      while (!flood.signal.aborted) await pass(budget, 'change');
    });
    const scan = many(30, async () => pass(budget, 'drift'));
    await clock.advance(59_999);
    expect(count('drift')).toBe(0);
    await clock.advance(15_001);
    // A tenth of the quota: ten in ten seconds, not more.
    expect(count('drift')).toBeGreaterThanOrEqual(10);
    expect(count('drift')).toBeLessThanOrEqual(20);
    flood.abort();
    await clock.runUntilIdle();
    await Promise.all([changes, scan]);
    expect(count('drift')).toBe(30);
  });

  test('those who have waited long go one by one between the others, the longest wait first', async () => {
    const budget = budgetOf({ quota: 100, windowMs: 10_000, patienceMs: 1000 });
    (await budget.acquire('change')).done({ pauseMs: 50_000 });
    const waiting: Promise<void>[] = [];
    for (const priority of ['drift', 'deletion', 'drift'] as const) {
      waiting.push(pass(budget, priority));
      await clock.advance(1);
    }
    waiting.push(...Array.from({ length: 20 }, async () => pass(budget, 'change')));
    await clock.runUntilIdle();
    await Promise.all(waiting);
    const order = admitted.map((entry) => (entry.startsWith('change') ? 'c' : entry.split('@')[0]));
    const nine = Array.from({ length: 9 }, () => 'c');
    expect(order).toEqual([...nine, 'drift', ...nine, 'deletion', 'c', 'c', 'drift']);
  });

  test('drift comes through when others leave less of the account than is kept back', async () => {
    const budget = budgetOf({ quota: 100, windowMs: 10_000, patienceMs: 5000 });
    await pass(budget, 'change', 'first', limit(20, 600));
    const scan = pass(budget, 'drift');
    await clock.advance(4999);
    expect(count('drift')).toBe(0);
    await clock.advance(1);
    await scan;
    expect(admitted.at(-1)).toBe('drift@5');
  });
});

function count(priority: Priority): number {
  return admitted.filter((entry) => entry.startsWith(priority)).length;
}

describe('a waiter', () => {
  test('can be aborted, which costs nothing and leaves nobody behind', async () => {
    const budget = budgetOf({ quota: 1, windowMs: 1000 });
    await pass(budget, 'change', 'a');
    const controller = new AbortController();
    const aborted = budget.acquire('change', [controller.signal]).catch((error: unknown) => error);
    const other = pass(budget, 'change', 'b');
    controller.abort(new Error('stop'));
    expect(await aborted).toMatchObject({ message: 'stop' });
    await clock.runUntilIdle();
    await other;
    expect(admitted).toEqual(['a@0', 'b@1']);
    await expect(budget.acquire('change', [controller.signal])).rejects.toThrow('stop');
    expect(budget.snapshot()).toMatchObject({ inFlight: 0, waiting: { change: 0, deletion: 0, drift: 0 } });
  });

  test('learns how long it waited, and may give its permit back twice', async () => {
    const budget = budgetOf({ quota: 1, windowMs: 1000, maxInFlight: 1 });
    const first = await budget.acquire('change');
    const second = budget.acquire('change');
    await clock.advance(2500);
    first.done({});
    first.done({});
    expect(budget.snapshot().inFlight).toBe(1);
    expect((await second).waitedMs).toBe(2500);
  });
});
