import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeRules, uncovered } from './covers.ts';
import { ruleAllows } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';

const read: PolicyRule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] };

describe('what is held covers', () => {
  const cases: readonly (readonly [string, PolicyRule, PolicyRule, boolean])[] = [
    ['itself', read, read, true],
    ['a part', read, { ...read, verbs: ['get'], resourceNames: ['a'] }, true],
    ['no more verbs', read, { ...read, verbs: ['get', 'watch'] }, false],
    ['no other group', read, { ...read, apiGroups: ['apps'] }, false],
    ['nothing without names by names', { ...read, resourceNames: ['a'] }, read, false],
    ['no other name', { ...read, resourceNames: ['a'] }, { ...read, resourceNames: ['a', 'b'] }, false],
    ['everything by stars', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, read, true],
    ['a subresource of all', { ...read, resources: ['*/scale'] }, { ...read, resources: ['pods/scale'] }, true],
    ['no resource by its subresource', { ...read, resources: ['*/scale'] }, { ...read, resources: ['pods'] }, false],
    ['paths below', { nonResourceURLs: ['/a/*'], verbs: ['get'] }, { nonResourceURLs: ['/a/b'], verbs: ['get'] }, true],
    [
      'no star by a path',
      { nonResourceURLs: ['/a'], verbs: ['get'] },
      { nonResourceURLs: ['*'], verbs: ['get'] },
      false,
    ],
    [
      'no path by resources',
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['/a'], verbs: ['get'] },
      false,
    ],
  ];
  for (const [name, held, wanted, covered] of cases) {
    test(name, () => expect(uncovered([held], [wanted]).length === 0).toBe(covered));
  }
});

test('parts of one resource are told in one line, with the verbs that are missing', () => {
  const wanted = { apiGroups: ['', 'apps'], resources: ['secrets'], verbs: ['get', 'list'] };
  expect(describeRules(uncovered([read], [wanted, { ...read, resourceNames: ['a'], verbs: ['delete'] }]))).toEqual([
    '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["a"], Verbs:["delete"]}',
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    '{APIGroups:["apps"], Resources:["secrets"], Verbs:["get" "list"]}',
  ]);
});

const some = (values: string[]): fc.Arbitrary<string[]> => fc.subarray(values, { minLength: 1 });
const rules = fc.record({
  verbs: some(['get', 'list', '*']),
  apiGroups: some(['', 'apps', '*']),
  resources: some(['pods', 'pods/log', '*/log', '*']),
  resourceNames: fc.subarray(['a', 'b']),
});
const user = { username: 'x', groups: [] };
const requests = ['get', 'list', 'watch'].flatMap((verb) =>
  ['', 'apps', 'batch'].flatMap((group) =>
    ['', 'log', 'exec'].flatMap((subresource) =>
      ['', 'a', 'c'].map((name) => ({ user, verb, group, resource: 'pods', subresource, name, namespace: '' })),
    ),
  ),
);

test('a role that is covered allows nothing that its giver may not do', () => {
  fc.assert(
    fc.property(rules, rules, (held, wanted) => {
      if (uncovered([held], [wanted]).length > 0) return;
      expect(requests.filter((request) => ruleAllows(wanted, request) && !ruleAllows(held, request))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
