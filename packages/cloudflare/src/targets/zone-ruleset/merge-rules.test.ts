import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ZoneRule } from './contract.ts';
import { entryNames, mergeRules, recordRules } from './merge-rules.ts';
import { isOurs, textOf } from './ruleset.ts';
import type { RemoteRule, Ruleset, WantedRule, WantedRuleset } from './ruleset.ts';

const team = 'ZoneRuleset/default/team-a';
const mark = '[managed-by:ZoneRuleset/default/team-a]';

function rule(expression: string, fields: Partial<ZoneRule> = {}): ZoneRule {
  return { expression, action: 'block', enabled: true, description: mark, ...fields };
}

function wanted(...rules: readonly ZoneRule[]): WantedRuleset {
  return { rules: rules.map((each): WantedRule => ({ owner: team, rule: each })) };
}

function foreign(name: string): RemoteRule {
  return { id: `id-${name}`, ref: name, expression: name, action: 'log', description: 'Manual rule by admin' };
}

function remoteOf(id: string, ref: string, said: ZoneRule): RemoteRule {
  return { ...said, id, ref, description: said.description ?? '', logging: { enabled: true } };
}

function ruleset(...rules: readonly RemoteRule[]): Ruleset {
  return { id: 'set', description: '', version: '1', lastUpdated: '', rules };
}

/** What a PUT makes of it: new rules get ids, all else stays. */
function written({ merged }: WantedRuleset, newId = (ref: string): string => `id-${ref}`): Ruleset {
  const rules = (merged?.entries ?? []).map((entry) =>
    isOurs(entry) ? remoteOf(entry.before?.id ?? newId(entry.ref), entry.ref, entry.rule) : entry.foreign,
  );
  return { ...ruleset(...rules), description: merged?.description ?? '' };
}

const ids = ({ rules }: Ruleset): readonly string[] => rules.map(({ id }) => id);
const says = ({ rules }: Ruleset): readonly unknown[] => rules.map(({ expression }) => expression);

/** Wishes that follow each other, each written and recorded. */
function history(start: Ruleset, ...wishes: readonly WantedRuleset[]): readonly Ruleset[] {
  let [there, recorded] = [start, undefined as ReturnType<typeof recordRules> | undefined];
  return wishes.map((wish) => {
    const merged = mergeRules(wish, there, recorded);
    there = written(merged);
    recorded = recordRules(merged);
    return there;
  });
}

describe('ids survive', () => {
  const [a, b, c] = [rule('a'), rule('b'), rule('c')];
  const cases = [
    { name: 'a change of a rule', next: wanted(a, rule('other'), c), kept: [0, 1, 2] },
    { name: 'another order', next: wanted(c, a, b), kept: [2, 0, 1] },
    { name: 'a rule that goes', next: wanted(a, c), kept: [0, 2] },
    { name: 'a rule that comes in front', next: wanted(rule('new'), a, b, c), kept: [undefined, 0, 1, 2] },
    { name: 'a ref that is given later', next: wanted(a, { ...b, ref: 'b' }, c), kept: [0, 1, 2] },
    {
      name: 'a rule of which only the description is the same',
      next: wanted(rule('x', { action: 'log' }), a, c),
      kept: [1, 0, 2],
    },
  ];
  test.each(cases)('$name', ({ next, kept }) => {
    const [first = ruleset(), second = ruleset()] = history(ruleset(), wanted(a, b, c), next);
    const before = ids(first);
    const now = ids(second);
    expect(
      kept.map((place, at) => (place === undefined ? !before.includes(now[at] ?? '') : now[at] === before[place])),
    ).not.toContain(false);
  });

  test('of two rules that say the same, each has its own', () => {
    const [first = ruleset(), second = ruleset()] = history(ruleset(), wanted(a, a), wanted(a, a));
    expect(new Set(ids(first)).size).toBe(2);
    expect(ids(second)).toEqual(ids(first));
  });
});

describe('foreign rules', () => {
  const [one, two] = [foreign('one'), foreign('two')];

  test('stand where they stood, byte for byte, and ours come behind', () => {
    const [there = ruleset()] = history(ruleset(one, two), wanted(rule('a')));
    expect(there.rules.slice(0, 2)).toEqual([one, two]);
    expect(says(there)).toEqual(['one', 'two', 'a']);
  });

  test('keep their neighbours when ours change, come and go', () => {
    const [a, b] = [remoteOf('a', 'ra', rule('a')), remoteOf('b', 'rb', rule('b'))];
    const recorded = { rules: ['ra', 'rb'].map((ref) => ({ ref, owner: team })) };
    const merge = (...rules: readonly ZoneRule[]): readonly unknown[] =>
      says(written(mergeRules(wanted(...rules), ruleset(a, one, b, two), recorded)));
    expect(merge(rule('a'), rule('b'))).toEqual(['a', 'one', 'b', 'two']);
    expect(merge(rule('b'), rule('a'), rule('c'))).toEqual(['b', 'one', 'a', 'c', 'two']);
    expect(merge(rule('b'))).toEqual(['b', 'one', 'two']);
    expect(merge()).toEqual(['one', 'two']);
  });

  test('are those that nobody recorded, also copies of ours with the mark in them', () => {
    const [there = ruleset()] = history(ruleset(), wanted(rule('a')));
    const recorded = { rules: [{ ref: there.rules[0]?.ref ?? '', owner: team }] };
    const copy = { ...remoteOf('copy', 'copy', rule('a')), description: mark };
    const found = ruleset(...there.rules, copy);
    expect(ids(written(mergeRules(wanted(rule('b')), found, recorded)))).toEqual([there.rules[0]?.id, 'copy']);
    expect(ids(written(mergeRules(wanted(), found, recorded)))).toEqual(['copy']);
  });

  test('with the mark of a source of which nothing is recorded are its own: it has lost its memory', () => {
    const other = { rules: [{ ref: 'x', owner: 'ZoneRuleset/default/team-b' }] };
    const mine = remoteOf('a', 'ra', rule('a'));
    for (const recorded of [undefined, other]) {
      expect(ids(written(mergeRules(wanted(rule('b')), ruleset(mine, one), recorded)))).toEqual(['a', 'id-one']);
    }
  });

  test('with a ref that one of ours asks for are left alone, and told; unless equal, or given away', () => {
    const theirs = { ...foreign('mine'), expression: 'x', action: 'block' };
    const same = mergeRules(wanted(rule('x', { ref: 'mine' })), ruleset(theirs), undefined);
    expect([same.merged?.taken, ids(written(same))]).toEqual([[], ['id-mine']]);
    const wish = wanted(rule('y', { ref: 'mine' }));
    const refused = mergeRules(wish, ruleset(theirs), undefined);
    expect([refused.merged?.taken, written(refused).rules]).toEqual([['mine'], [theirs]]);
    const adopting = { rules: wish.rules.map((each) => ({ ...each, adopt: true as const })) };
    expect(says(written(mergeRules(adopting, ruleset(theirs), undefined)))).toEqual(['y']);
  });

  test('survive every history of ours', () => {
    const rules = fc.array(
      fc.constantFrom('a', 'b', 'c', 'd').map((name) => rule(name)),
      { maxLength: 5 },
    );
    const wishes = fc.array(rules, { minLength: 1, maxLength: 6 });
    const others = fc.constantFrom([], [one], [one, two], [two, foreign('three'), one]);
    fc.assert(
      fc.property(others, wishes, (theirs, all) => {
        const results = history(ruleset(...theirs), ...all.map((each) => wanted(...each)));
        for (const [at, there] of results.entries()) {
          const mine = there.rules.filter(({ description }) => description === mark);
          expect(there.rules.filter(({ description }) => description !== mark)).toEqual(theirs);
          expect(mine.map(({ expression }) => expression)).toEqual(all[at]?.map(({ expression }) => expression));
          expect(new Set(there.rules.map(({ ref }) => ref)).size).toBe(there.rules.length);
        }
      }),
    );
  });
});

describe('what a rule says', () => {
  const params = (given: object): string => textOf(rule('a', { action_parameters: { ...given } }));
  const same: readonly (readonly [string, object, object])[] = [
    ['no and nothing', { preserve_query_string: false, headers: {} }, {}],
    ['a list of a cache key', key({ include: { list: ['a'] } }), key({ include: ['a'] })],
    ['all of a cache key', key({ exclude: { all: true } }), key({ exclude: ['*'] })],
  ];
  test.each(same)('is the same in both ways: %s', (_name, one, other) => {
    expect(params(one)).toBe(params(other));
  });

  const different: readonly (readonly [string, object, object])[] = [
    ['not to be cached and nothing', { cache: false }, {}],
    ['an empty text and nothing', { uri: { query: { value: '' } } }, { uri: { query: {} } }],
    ['some of a cache key and all', key({ include: { list: ['a'] } }), key({ include: { all: true } })],
  ];
  test.each(different)('is not the same: %s', (_name, one, other) => {
    expect(params(one)).not.toBe(params(other));
  });

  function key(query: object): object {
    return { cache_key: { custom_key: { query_string: query } } };
  }
});

test('deletions are counted by the number of rules, so that a change is none', () => {
  const recorded = {
    rules: [
      { ref: 'x', owner: team },
      { ref: 'y', owner: team },
    ],
  };
  expect(entryNames(recorded)).toEqual([`rule 1 of ${team}`, `rule 2 of ${team}`]);
  expect(entryNames(recordRules(wanted(rule('new'))))).toEqual([`rule 1 of ${team}`]);
});

test('the description of the whole is ours while we have one; before and after it is theirs', () => {
  const there = { ...ruleset(), description: 'theirs' };
  const said = (wish: WantedRuleset, at: Ruleset, recorded?: ReturnType<typeof recordRules>): unknown =>
    mergeRules(wish, at, recorded).merged?.description;
  expect(said(wanted(), there)).toBe('theirs');
  expect(said({ ...wanted(), description: 'ours' }, there)).toBe('ours');
  expect(said(wanted(), { ...there, description: 'ours' }, { rules: [], description: 'ours' })).toBe('');
  expect(said(wanted(), there, { rules: [], description: 'ours' })).toBe('theirs');
});
