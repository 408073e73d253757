import { expect, test } from 'vitest';
import { plan } from './plan.ts';
import type { PlanInput } from './plan.ts';

type Thing = { readonly id: string; readonly size: number };

const input: PlanInput<unknown, { readonly size: number }, Thing> = {
  target: {
    idOf: ({ id }) => id,
    relation: () => 'same',
    difference: (wanted, { size }) => (wanted.size === size ? [] : ['size']),
    creates: () => true,
  },
  key: {},
  desired: { size: 1 },
  related: [{ id: 'a', size: 1 }],
  memory: {},
  claim: { owners: [], lastMark: undefined },
  adopt: true,
  giveUp: 'delete',
  heldByAnother: (id) => id === 'a',
};

test('what no mark tells apart is not taken from another object of ours, equal or not, whoever asks', () => {
  const refused = {
    do: 'refuse',
    reason: 'OwnedByOther',
    message: 'a is that of another object of this cluster',
  };
  expect(plan(input)).toEqual(refused);
  expect(plan({ ...input, desired: { size: 2 } })).toEqual(refused);
  expect(plan({ ...input, related: [...input.related, { id: 'b', size: 1 }] })).toMatchObject({
    do: 'adopt',
    observed: { id: 'b' },
  });
  expect(plan({ ...input, heldByAnother: () => false })).toMatchObject({ do: 'adopt' });
});
