import { afterEach, expect, test, vi } from 'vitest';
import { boardTarget, thingTarget } from './testing/toy-targets.ts';
import { startToyWorld, thing } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import { wishOf } from './testing/sync-world.ts';
import type { LookFacts, Target } from './target.ts';

vi.setConfig({ testTimeout: 60_000 });

let world: ToyWorld;
afterEach(async () => world.stop());

async function start(target: unknown): Promise<void> {
  world = await startToyWorld({ targets: [target as Target] });
  await world.start();
}

test('when to look again may depend on the time and on what is remembered, the beginning of a wait for one', async () => {
  const facts: LookFacts[] = [];
  await start({
    ...thingTarget,
    memory: {
      after: (_wanted: unknown, _seen: unknown, before: { readonly since?: number } | undefined, now: number) => ({
        since: before?.since ?? now,
      }),
    },
    lookAgainAt: (_seen: unknown, _wanted: unknown, given: LookFacts) => {
      facts.push(given);
      return facts.length === 1 ? given.now + 10 * 60_000 : undefined;
    },
  });
  await world.put(thing('x', 1));
  await world.synced(thing('x', 1));
  await world.clock.advance(11 * 60_000);
  const [first, second] = facts;
  expect(first?.remembered).toEqual({ since: first?.now });
  expect(second?.remembered).toEqual(first?.remembered);
  expect((second?.now ?? 0) - (first?.now ?? 0)).toBeGreaterThanOrEqual(10 * 60_000);
});

test.each([
  { name: 'soon is met in time', inMs: 5000, after: [5000, 10_000] },
  { name: 'that is past already comes after a minute', inMs: -1, after: [60_000, 120_000] },
])('a look $name', async ({ inMs, after }) => {
  const looks: number[] = [];
  await start({
    ...thingTarget,
    lookAgainAt: (_seen: unknown, _wanted: unknown, { now }: LookFacts) => looks.push(now) && now + inMs,
  });
  await world.put(thing('x', 1));
  await world.synced(thing('x', 1));
  await world.clock.advance((after[1] ?? 0) + 2000);
  const [first = 0, ...rest] = looks;
  expect(rest.slice(0, 2).map((at) => Math.floor((at - first) / 1000) * 1000)).toEqual(after);
});

test('the record of a shared object may hold what only the answer tells, such as ids', async () => {
  const { shared } = boardTarget;
  await start({
    ...boardTarget,
    shared: {
      ...shared,
      record: (wanted: { readonly entries: readonly string[] }, seen?: { readonly version: number }) => ({
        entries: wanted.entries,
        ...(seen && { version: seen.version }),
      }),
    },
  });
  world.toy.boards.set('b', { id: 'b', version: 7, entries: [] });
  const wish = wishOf(boardTarget.contract, { accountId: 'a', board: 'b' }, { entries: ['one'] });
  await world.put(wish);
  await world.synced(wish);
  expect(world.get(wish)?.status?.recorded).toEqual({ entries: ['one'], version: 8 });
});
