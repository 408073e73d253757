import { expect, test } from 'vitest';
import { plan } from './plan.ts';
import type { PlanInput } from './plan.ts';
import type { Relation } from './target.ts';

type Seen = { readonly id: string; readonly value: string; readonly comment: string; readonly relation: Relation };

function refusalOf(observed: Omit<Seen, 'id'>): string {
  const input: PlanInput<unknown, string, Seen> = {
    target: {
      idOf: ({ id }) => id,
      describe: ({ value }) => `the record ${value}`,
      markedText: ({ comment }) => comment,
      relation: (_wanted, { relation }) => relation,
      difference: (wanted, { value }) => (wanted === value ? [] : ['value']),
      creates: () => true,
    },
    key: {},
    desired: '1',
    related: [{ id: 'a', ...observed }],
    memory: {},
    claim: { owners: [{ kind: 'Toy', namespace: 'default', name: 'one' }], lastMark: undefined },
    adopt: false,
    giveUp: 'delete',
    heldByAnother: () => false,
  };
  const made = plan(input);
  return made.do === 'refuse' ? made.message : made.do;
}

test('what stands in the way is called as people call it', () => {
  expect(refusalOf({ value: '1', comment: '', relation: 'blocks' })).toBe('in the way: the record 1 (a)');
  expect(refusalOf({ value: '2', comment: '', relation: 'same' })).toMatch(/^the record 2 \(a\) exists already/u);
  const comment = '[managed-by:Toy/other/two]';
  expect(refusalOf({ value: '1', comment, relation: 'same' })).toMatch(/^the record 1 \(a\) is marked as/u);
});
