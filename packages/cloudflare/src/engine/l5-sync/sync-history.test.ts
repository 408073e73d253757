import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusal } from './testing/toy-store.ts';
import { board, record, startToyWorld } from './testing/toy-world.ts';
import type { ToyWorld } from './testing/toy-world.ts';

/** What may happen to a world; names and values are few, so that things meet. */
type Step =
  | { readonly do: 'put'; readonly name: string; readonly source: string; readonly value: string }
  | { readonly do: 'drop'; readonly name: string; readonly source: string }
  | { readonly do: 'entries'; readonly source: string; readonly entries: readonly string[] }
  | { readonly do: 'leave'; readonly source: string }
  | { readonly do: 'kill' }
  | { readonly do: 'lose-answer' | 'refuse' }
  | { readonly do: 'foreign'; readonly name: string; readonly value: string }
  | { readonly do: 'edit'; readonly name: string }
  | { readonly do: 'wait'; readonly ms: number };

const names = fc.constantFrom('a', 'b', 'c');
const sources = fc.constantFrom('one', 'two');
const values = fc.constantFrom('1', '2', '3');
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('put' as const), name: names, source: sources, value: values }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), name: names, source: sources }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('entries' as const),
        source: sources,
        entries: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), source: sources }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('lose-answer' as const, 'refuse' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('foreign' as const), name: fc.constantFrom('f', 'g'), value: values }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), name: names }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 499, 501, 3000) }) },
  ),
  { minLength: 1, maxLength: 25 },
);

/** What the sources want, told apart from how the world gets there. */
type Wanted = { readonly records: Map<string, Map<string, string>>; readonly boards: Map<string, readonly string[]> };

async function play(world: ToyWorld, step: Step, wanted: Wanted): Promise<void> {
  switch (step.do) {
    case 'put':
      wanted.records.set(step.name, new Map(wanted.records.get(step.name)).set(step.source, step.value));
      return world.put(record(step.name, step.value), step.source);
    case 'drop':
      wanted.records.get(step.name)?.delete(step.source);
      return world.drop(record(step.name, ''), step.source);
    case 'entries':
      wanted.boards.set(step.source, step.entries);
      return world.put(board(...step.entries), step.source);
    case 'leave':
      wanted.boards.delete(step.source);
      return world.drop(board(), step.source);
    case 'kill':
      return world.current().kill();
    case 'lose-answer':
      return once(world, 'after', () => refusal('transient', 'no answer came', 'unknown'));
    case 'refuse':
      return once(world, 'before', () => refusal('transient', 'try later'));
    case 'foreign': {
      const taken = [...world.toy.records.values()].some(({ name }) => name === step.name);
      if (!taken) world.toy.post({ zone: 'z', name: step.name, value: step.value, comment: 'by hand' });
      return;
    }
    case 'edit': {
      const found = [...world.toy.records.values()].find(({ name }) => name === step.name);
      if (found) world.toy.records.set(found.id, { ...found, value: 'edited' });
      return;
    }
    case 'wait':
      return world.until(elapsed(world, step.ms));
    default:
      step satisfies never;
  }
}

function once(world: ToyWorld, when: 'before' | 'after', error: () => Error): void {
  world.toy.hooks[when] = ({ write }) => {
    if (!write) return;
    delete world.toy.hooks[when];
    throw error();
  };
}

function elapsed({ clock }: ToyWorld, ms: number): () => boolean {
  let due = false;
  clock.after(ms, () => (due = true));
  return () => due;
}

function recordsOf(world: ToyWorld): readonly string[] {
  return [...world.toy.records.values()].map(({ name, value, comment }) => `${name}=${value} ${comment}`).toSorted();
}

test('whatever happens on the way, the provider ends with what is wanted, what is foreign stays, and then there is silence', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = await startToyWorld({ driftMs: 3_600_000 });
      try {
        world.toy.boards.set('b', { id: 'b', version: 1, entries: ['foreign'] });
        await world.start();
        world.keepRunning();
        const wanted: Wanted = { records: new Map(), boards: new Map() };
        const foreign = new Set<string>();
        for (const step of history) {
          await play(world, step, wanted);
          if (step.do === 'foreign') foreign.add(step.name);
        }
        const untouched = recordsOf(world).filter((text) => foreign.has(text.split('=')[0] ?? ''));
        delete world.toy.hooks.before;
        delete world.toy.hooks.after;
        // Longer than any pause, and than the time in which drift is found.
        await world.until(elapsed(world, 2 * 3_600_000), 3 * 3_600_000);
        const ours = [...wanted.records].flatMap(([name, by]) => {
          const winner = by.has('one') ? 'one' : 'two';
          return by.size === 0 ? [] : [`${name}=${by.get(winner)} [managed-by:Toy/default/${winner}]`];
        });
        expect(recordsOf(world)).toEqual([...ours, ...untouched].toSorted());
        expect(world.toy.boards.get('b')?.entries).toEqual(
          [...new Set([...wanted.boards.values()].flat()), 'foreign'].toSorted(),
        );
        expect(world.all().every(({ status }) => status?.syncStatus === 'Synced')).toBe(true);
        const [writes, calls] = [world.kubeWrites.length, world.toy.writes().length];
        await world.until(elapsed(world, 2 * 3_600_000), 3 * 3_600_000);
        expect([world.kubeWrites.length - writes, world.toy.writes().length - calls]).toEqual([0, 0]);
      } finally {
        await world.stop();
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);
