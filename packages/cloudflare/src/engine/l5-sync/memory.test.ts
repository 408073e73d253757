import { recheck, settled } from '@tributary/runtime';
import { afterEach, expect, test, vi } from 'vitest';
import type { SyncState } from '../l4-state/sync-state.ts';
import { lookAgainIn, untilLookMs } from './look-again.ts';
import type { Process } from './testing/sync-process.ts';
import { startToyWorld, thing } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';
import { thingTarget } from './testing/toy-targets.ts';
import type { Target } from './target.ts';

// Whole worlds, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let world: ToyWorld;
let process: Process;
let stop: () => Promise<void> = async () => undefined;
afterEach(async () => {
  await stop();
  stop = async () => undefined;
});

type Wanted = { readonly size: number; readonly secretName?: string };
type Remembered = { readonly sent?: string; readonly names?: readonly string[] } | undefined;

/** A thing with a name that the provider takes and never shows. */
const withMemory = {
  ...(thingTarget as unknown as Target),
  secrets: async () => [],
  difference: (wanted: Wanted, { size }: { readonly size: number }, remembered: Remembered) => [
    ...(wanted.size === size ? [] : ['size']),
    ...(wanted.secretName === remembered?.sent ? [] : ['secretName']),
  ],
  memory: {
    before: ({ secretName }: Wanted, fields: readonly string[]) =>
      secretName !== undefined && fields.includes('secretName') ? { names: [secretName] } : undefined,
    after: ({ secretName }: Wanted, _seen: unknown, remembered: Remembered) => ({
      sent: secretName,
      ...(remembered?.names && { names: remembered.names }),
    }),
  },
} as unknown as Target;

const memoryOf = (): unknown =>
  (world.get(thing('x', 1))?.status?.recorded as { readonly memory?: unknown } | undefined)?.memory;

async function start(target: Target): Promise<void> {
  world = await startToyWorld({ targets: [target] });
  stop = world.stop;
  process = await world.start();
}

async function lookAgain(): Promise<void> {
  process.credentialsChanged({ name: 'main' });
  await world.clock.advance(5000);
}

test('what is never shown is written when it changes, and not because it cannot be seen', async () => {
  await start(withMemory);
  await world.put(thing('x', 1, 'first'));
  await world.synced(thing('x', 1, 'first'));
  await lookAgain();
  expect(world.toy.writes()).toHaveLength(1);
  await world.put(thing('x', 1, 'second'));
  await world.synced(thing('x', 1, 'second'));
  expect(world.toy.writes()).toHaveLength(2);
  expect(memoryOf()).toEqual({ sent: 'second' });
});

test('what must be known in case the end of a write never is, is written before it', async () => {
  await start(withMemory);
  await world.put(thing('x', 1, 'first'));
  await world.synced(thing('x', 1, 'first'));
  let before: unknown;
  world.toy.hooks.before = ({ write }) => {
    if (write) before = memoryOf();
  };
  await world.put(thing('x', 1, 'second'));
  await world.synced(thing('x', 1, 'second'));
  expect(before).toEqual({ sent: 'first', names: ['second'] });
});

test('what is remembered is about the object that we know, and not about another in its place', async () => {
  await start(withMemory);
  await world.put(thing('x', 1, 'first'));
  await world.synced(thing('x', 1, 'first'));
  const [known] = world.toy.things.keys();
  const old = world.toy.things.get(known ?? '');
  world.toy.things.clear();
  if (old) world.toy.things.set('other', { ...old, id: 'other' });
  await lookAgain();
  expect(world.get(thing('x', 1))?.status).toMatchObject({ syncStatus: 'Error' });
  expect(world.toy.writes()).toHaveLength(1);
});

const minute = 60_000;
const dueAfter = (ms: number): Target =>
  ({
    ...thingTarget,
    lookAgainAt: ({ bornAt }: { readonly bornAt: string }) => Date.parse(bornAt) + ms,
  }) as unknown as Target;

test('a thing that asks for a look gets it in time, and there is silence until then', async () => {
  await start(dueAfter(30 * minute));
  await world.put(thing('x', 1));
  await world.synced(thing('x', 1));
  const calls = world.toy.calls.length;
  await world.clock.advance(29 * minute);
  expect(world.toy.calls).toHaveLength(calls);
  await world.clock.advance(2 * minute);
  const looks = world.toy.calls.length - calls;
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(4);
});

test('also from an operator that was started since', async () => {
  await start(dueAfter(30 * minute));
  await world.put(thing('x', 1));
  await world.synced(thing('x', 1));
  process.kill();
  process = await world.start();
  const [calls, writes] = [world.toy.calls.length, world.kubeWrites.length];
  await world.clock.advance(28 * minute);
  expect([world.toy.calls.length, world.kubeWrites.length]).toEqual([calls, writes]);
  await world.clock.advance(3 * minute);
  expect(world.toy.calls.length).toBeGreaterThan(calls);
});

test('what lies farther ahead than a timer can count is met in steps', () => {
  const day = 24 * 60 * minute;
  expect([lookAgainIn(undefined), lookAgainIn(5), lookAgainIn(40 * day)]).toEqual([settled, recheck(5), recheck(day)]);
  const at = { metadata: {}, spec: {}, status: { lookAgainAt: '2026-01-01T00:00:10Z' } } as unknown as SyncState;
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect([untilLookMs(at, { now: () => now }), untilLookMs(at, { now: () => now + 60_000 })]).toEqual([10_000, 0]);
});
