import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plan } from './plan.ts';
import type { Plan, PlanInput } from './plan.ts';
import type { Relation } from './target.ts';

type Wanted = { readonly value: string; readonly comment: string };
type Seen = Wanted & { readonly id: string; readonly relation: Relation; readonly bornAt?: string };

const mine = '[managed-by:Toy/default/one]';
const theirs = '[managed-by:Toy/other/two]';
const desired: Wanted = { value: '1', comment: mine };
const seen = (fields: Partial<Seen>): Seen => ({ id: 'a', value: '1', comment: mine, relation: 'same', ...fields });

const target: PlanInput<unknown, Wanted, Seen>['target'] = {
  idOf: ({ id }) => id,
  markedText: ({ comment }) => comment,
  bornAt: ({ bornAt }) => bornAt,
  relation: (_wanted, { relation }) => relation,
  difference: (wanted, observed) => (['value', 'comment'] as const).filter((name) => wanted[name] !== observed[name]),
  creates: () => true,
};

const input = (given: Partial<PlanInput<unknown, Wanted, Seen>>): PlanInput<unknown, Wanted, Seen> => ({
  target,
  key: {},
  desired,
  related: [],
  memory: {},
  claim: { owners: [{ kind: 'Toy', namespace: 'default', name: 'one' }], lastMark: undefined },
  adopt: false,
  giveUp: 'delete',
  heldByAnother: () => false,
  ...given,
});
const lookupOnly = { ...target, creates: () => false };
const intent = { at: '2026-01-01T12:00:00Z', wanted: desired };
const unmarked = { ...target, markedText: () => undefined };

describe('what is wanted', () => {
  const table: readonly {
    readonly name: string;
    readonly given: Partial<PlanInput<unknown, Wanted, Seen>>;
    readonly is: Partial<Plan<Wanted, Seen>> & Record<string, unknown>;
  }[] = [
    { name: 'nothing there: create', given: {}, is: { do: 'create', wanted: desired } },
    { name: 'not ours to make: missing', given: { target: lookupOnly }, is: { do: 'missing' } },
    {
      name: 'known by its id and equal: nothing',
      given: { memory: { id: 'a' }, related: [seen({})] },
      is: { do: 'nothing', how: 'id' },
    },
    {
      name: 'known by its id and different: update, even where it no longer looks like ours',
      given: { memory: { id: 'a' }, related: [seen({ value: '2', comment: '', relation: 'none' })] },
      is: { do: 'update', fields: ['value', 'comment'] },
    },
    {
      name: 'known by its id and marked by another meanwhile: refuse',
      given: { memory: { id: 'a' }, related: [seen({ comment: theirs })] },
      is: { do: 'refuse', reason: 'OwnedByOther', message: "a is marked as Toy/other/two's" },
    },
    {
      name: 'the mark of a source that was ours before: update to the new mark',
      given: {
        memory: { id: 'a' },
        related: [seen({ comment: theirs })],
        claim: { owners: [], lastMark: { kind: 'object', owner: { kind: 'Toy', namespace: 'other', name: 'two' } } },
      },
      is: { do: 'update', fields: ['comment'] },
    },
    {
      name: 'the known one is gone: create again',
      given: { memory: { id: 'gone' } },
      is: { do: 'create' },
    },
    { name: 'our mark leads to it', given: { related: [seen({})] }, is: { do: 'nothing', how: 'mark' } },
    {
      name: 'our mark on the old value leads to it as well',
      given: { related: [seen({ relation: 'beside', value: '0' })] },
      is: { do: 'update', how: 'mark', fields: ['value'] },
    },
    {
      name: 'but not when another SyncState has it',
      given: { related: [seen({ relation: 'beside', value: '0' })], heldByAnother: () => true },
      is: { do: 'create' },
    },
    {
      name: 'of several marked ones the first by id',
      given: { related: [seen({ id: 'c' }), seen({ id: 'b' })] },
      is: { do: 'nothing', observed: seen({ id: 'b' }) },
    },
    {
      name: 'what is beside and not ours is no obstacle',
      given: { related: [seen({ relation: 'beside', comment: 'by hand' })] },
      is: { do: 'create' },
    },
    {
      name: 'an intent leads to what was born since',
      given: {
        target: unmarked,
        memory: { intent },
        related: [seen({ value: '2', bornAt: '2026-01-01T11:58:00Z' })],
      },
      is: { do: 'update', how: 'intent' },
    },
    {
      name: 'and not to what another SyncState has',
      given: { target: unmarked, memory: { intent }, related: [seen({ value: '2' })], heldByAnother: () => true },
      is: { do: 'refuse', reason: 'OwnedByOther' },
    },
    {
      name: 'and not to what is older',
      given: {
        target: unmarked,
        memory: { intent },
        related: [seen({ value: '2', bornAt: '2026-01-01T11:54:00Z' })],
      },
      is: { do: 'refuse', reason: 'NotOwned' },
    },
    {
      name: 'unmarked and equal but for the mark: taken over',
      given: { related: [seen({ comment: '' })] },
      is: { do: 'update', how: 'same', fields: ['comment'] },
    },
    {
      name: 'unmarked and equal where there is no place for a mark: taken over without a write',
      given: { target: unmarked, related: [seen({})] },
      is: { do: 'adopt' },
    },
    {
      name: 'unmarked and different: refused, and told how to take it over',
      given: { related: [seen({ comment: 'by hand' })] },
      is: { do: 'refuse', reason: 'NotOwned' },
    },
    {
      name: 'unmarked and different, with leave to adopt: update',
      given: { related: [seen({ value: '2', comment: 'by hand' })], adopt: true },
      is: { do: 'update', how: 'same', fields: ['value', 'comment'] },
    },
    {
      name: 'marked by another: refused, also with leave to adopt',
      given: { related: [seen({ comment: theirs })], adopt: true },
      is: { do: 'refuse', reason: 'OwnedByOther' },
    },
    {
      name: 'something in the way: refused',
      given: { related: [seen({ relation: 'blocks', comment: '' })] },
      is: { do: 'refuse', reason: 'Blocked', message: 'in the way: a' },
    },
    {
      name: 'only looked up: found, set, and never a question of whose it is',
      given: { target: lookupOnly, related: [seen({ value: '2', comment: theirs })] },
      is: { do: 'update', how: 'same' },
    },
  ];
  for (const { name, given, is } of table) {
    test(name, () => expect(plan(input(given))).toMatchObject(is));
  }
});

describe('what nobody wants any more', () => {
  const end = { desired: undefined, memory: { id: 'a' } };
  const table: readonly {
    readonly name: string;
    readonly given: Partial<PlanInput<unknown, Wanted, Seen>>;
    readonly is: Plan<Wanted, Seen>['do'];
  }[] = [
    { name: 'is deleted', given: { related: [seen({})] }, is: 'delete' },
    { name: 'is deleted when somebody removed its mark', given: { related: [seen({ comment: '' })] }, is: 'delete' },
    { name: 'is gone already', given: {}, is: 'gone' },
    { name: 'stays where the target says so', given: { related: [seen({})], giveUp: 'retain' }, is: 'retain' },
    { name: 'stays when another owner has marked it', given: { related: [seen({ comment: theirs })] }, is: 'retain' },
    { name: 'is found by the mark of who has left', given: { memory: {}, related: [seen({})] }, is: 'delete' },
    { name: 'is not what has no mark', given: { memory: {}, related: [seen({ comment: '' })] }, is: 'gone' },
    { name: 'is not what another has marked', given: { memory: {}, related: [seen({ comment: theirs })] }, is: 'gone' },
    {
      name: 'is not what another SyncState holds',
      given: { memory: {}, related: [seen({})], heldByAnother: () => true },
      is: 'gone',
    },
    {
      name: 'is found by an intent',
      given: { target: unmarked, memory: { intent }, related: [seen({ bornAt: '2026-01-01T12:00:01Z' })] },
      is: 'delete',
    },
  ];
  for (const { name, given, is } of table) {
    test(name, () => expect(plan(input({ ...end, ...given })).do).toBe(is));
  }
});

describe('an object that many share', () => {
  type Board = { readonly id: string; readonly entries: readonly string[] };
  const board = (given: Partial<PlanInput<unknown, readonly string[], Board>>) =>
    plan<unknown, readonly string[], Board>({
      ...input({}),
      target: {
        idOf: ({ id }) => id,
        relation: () => 'same',
        difference: (wanted, { entries }) => (wanted.join() === entries.join() ? [] : ['entries']),
        creates: () => false,
        shared: {
          record: (entries) => ({ entries }),
          merge: (wanted, observed, recorded) => [...wanted, ...foreign(observed, [...wanted, ...listed(recorded)])],
          cleared: (observed, recorded) => foreign(observed, listed(recorded)),
          entries: listed,
        },
      },
      desired: ['one'],
      related: [{ id: 'b', entries: ['old', 'theirs'] }],
      memory: { recorded: { entries: ['old'] } },
      giveUp: 'clear',
      ...given,
    });
  const listed = (recorded: unknown): readonly string[] =>
    (recorded as { readonly entries: readonly string[] } | undefined)?.entries ?? [];
  const foreign = (observed: Board | undefined, ours: readonly string[]): readonly string[] =>
    (observed?.entries ?? []).filter((entry) => !ours.includes(entry));

  test('keeps what others wrote and says what goes', () => {
    expect(board({})).toMatchObject({ do: 'update', wanted: ['one', 'theirs'], removes: ['old'] });
  });
  test('is left alone when it is as wanted', () => {
    expect(board({ related: [{ id: 'b', entries: ['one', 'theirs'] }] })).toMatchObject({ do: 'nothing' });
  });
  test('is left with what others wrote, and all of ours counts as deleted', () => {
    expect(board({ desired: undefined })).toMatchObject({ do: 'clear', wanted: ['theirs'], removes: ['old'] });
  });
  test('needs no write when nothing of ours is there', () => {
    expect(board({ desired: undefined, related: [{ id: 'b', entries: ['theirs'] }] })).toEqual({ do: 'gone' });
  });
  test('that is not there is missing, or gone', () => {
    expect([board({ related: [] }).do, board({ related: [], desired: undefined }).do]).toEqual(['missing', 'gone']);
  });
});

const anySeen: fc.Arbitrary<Seen> = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  value: fc.constantFrom('1', '2'),
  comment: fc.constantFrom(mine, theirs, '', 'by hand', `by hand ${mine}`, 'Managed by cloudflare-operator'),
  relation: fc.constantFrom<Relation>('same', 'beside', 'blocks', 'none'),
  bornAt: fc.constantFrom('2026-01-01T11:00:00Z', '2026-01-01T12:00:00Z'),
});
const anyInput = fc.record({
  desired: fc.option(fc.constant(desired), { nil: undefined }),
  related: fc.uniqueArray(anySeen, { selector: ({ id }) => id }),
  memory: fc.record({
    id: fc.constantFrom(undefined, 'a', 'z'),
    intent: fc.constantFrom(undefined, intent),
  }),
  adopt: fc.boolean(),
  giveUp: fc.constantFrom('delete' as const, 'retain' as const),
  heldByAnother: fc.constantFrom(
    () => true,
    () => false,
  ),
});

describe('whatever is there', () => {
  test('what another has marked is never written or deleted', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const step = plan(input(given));
        return !('observed' in step) || step.observed.comment !== theirs;
      }),
    );
  });

  test('what equals the wish and is ours is left alone', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const step = plan(
          input({
            ...given,
            desired,
            memory: { id: 'a' },
            related: [...given.related.filter(({ id }) => id !== 'a'), seen({})],
          }),
        );
        return step.do === 'nothing';
      }),
    );
  });

  test('the order in which the provider lists makes no difference', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const [one, other] = [given.related, given.related.toReversed()].map((related) =>
          plan(input({ ...given, related })),
        );
        expect(other).toEqual(one);
      }),
    );
  });
});
