import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChainChecker } from './testing/chain-checker.ts';
import type { ScriptedApi, ScriptedFault } from './testing/scripted-api.ts';
import { createWatchedStore } from './testing/watched-store.ts';
import type { WatchedStore } from './testing/watched-store.ts';

type Step =
  | { readonly do: 'write' | 'remove' | 'replace'; readonly name: string }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'pump' | 'compact' | 'skip' | 'late-listener' }
  | { readonly do: 'spoil'; readonly how: Spoil }
  | { readonly do: 'fail'; readonly what: 'lists' | 'watches'; readonly fault: ScriptedFault };

const spoils = [
  'reset',
  'close',
  'garbage',
  'stall',
  'bookmark',
  'repeat',
  'error-410',
  'error-500',
  'nonsense',
] as const;
type Spoil = (typeof spoils)[number];

const faults: readonly ScriptedFault[] = [
  'unreachable',
  'bad-answer',
  { code: 410, reason: 'Expired' },
  { code: 429, details: { retryAfterSeconds: 5 } },
  { code: 500 },
  { code: 503, details: { retryAfterSeconds: 2 } },
  { code: 504, details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } },
  { code: 401 },
  { code: 403 },
  { code: 404 },
];

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('write' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'replace' as const), name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pump' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'skip' as const, 'late-listener' as const) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 1, 2, 500, 1500, 40_000) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('spoil' as const), how: fc.constantFrom(...spoils) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      what: fc.constantFrom('lists' as const, 'watches' as const),
      fault: fc.constantFrom(...faults),
    }),
  },
);

const history = fc.record({
  watchList: fc.constantFrom('known' as const, 'refused' as const, 'ignored' as const),
  pageSize: fc.constantFrom(1, 2, 500),
  steps: fc.array(step, { maxLength: 60 }),
});

test('after any history the store equals the server, and every listener saw an unbroken chain for each object', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ watchList, pageSize, steps }) => {
      const world = createWatchedStore({ watchList }, { pageSize });
      const checkers = [createChainChecker(world.api.history.all)];
      world.store.onChange(checkers[0]!.listener);
      world.start();
      for (const one of steps) {
        if (one.do === 'pass') await world.clock.advance(one.ms);
        else if (one.do === 'late-listener') addListener(world, checkers);
        else take(one, world.api);
      }
      world.api.heal();
      world.api.pump();
      await world.clock.advance(1_000_000);
      world.api.pump();
      expect(world.held()).toEqual(world.served());
      expect(checkers.flatMap((checker) => checker.faults())).toEqual([]);
      expect(world.reflector.watchAlive()).toBe(true);
      expect(world.errors).toEqual([]);
      await world.stop();
      expect(world.clock.pending()).toBe(0);
    }),
    { numRuns: 1000 },
  );
}, 60_000);

function addListener(world: WatchedStore, checkers: ReturnType<typeof createChainChecker>[]): void {
  const checker = createChainChecker(world.api.history.all);
  checkers.push(checker);
  world.store.onChange(checker.listener);
}

function take(step: Exclude<Step, { do: 'pass' }>, api: ScriptedApi): void {
  switch (step.do) {
    case 'write':
      return void api.history.write(step.name);
    case 'remove':
      return void api.history.remove(step.name);
    case 'replace':
      api.history.remove(step.name);
      return void api.history.write(step.name);
    case 'pump':
      return api.pump();
    case 'compact':
      return api.history.compact();
    case 'skip':
      return api.history.skip(7);
    case 'late-listener':
      return undefined;
    case 'fail':
      return step.what === 'lists' ? api.failLists(step.fault) : api.failWatches(step.fault);
    case 'spoil':
      return spoil(step.how, api);
    default:
      return step satisfies never;
  }
}

function spoil(how: Spoil, api: ScriptedApi): void {
  for (const stream of api.streams()) {
    switch (how) {
      case 'repeat':
        // Initial events come in no order, so a repetition among them could not be told from news. No server does that.
        if (!stream.options.sendInitialEvents) stream.repeat(3);
        break;
      case 'error-410':
        stream.error({ code: 410, reason: 'Expired' });
        break;
      case 'error-500':
        stream.error({ code: 500 });
        break;
      case 'nonsense':
        stream.send({ type: 'MODIFIED', object: { metadata: { name: 'a' } } });
        break;
      case 'bookmark':
        stream.bookmark();
        stream.bookmark();
        break;
      case 'reset':
      case 'close':
      case 'garbage':
      case 'stall':
        stream[how]();
        break;
      default:
        how satisfies never;
    }
  }
}
