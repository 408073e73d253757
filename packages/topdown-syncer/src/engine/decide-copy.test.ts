import { describe, expect, test } from 'vitest';
import type { Claim } from '../contract/claim.ts';
import { decideCopy } from './decide-copy.ts';
import type { CopyFacts, CopyStep } from './decide-copy.ts';

const us: Claim = { of: 'us', shared: false };
const shared: Claim = { of: 'us', shared: true };
const unmarked: Claim = { of: 'unmarked' };
const sibling: Claim = { of: 'sibling', clusterIds: ['b'] };
const stranger: Claim = { of: 'stranger', virtualCluster: 'x', clusterIds: ['a'] };
const nobody: Claim = { of: 'nobody' };
const at = (claim: Claim, more: object = {}): CopyFacts['physical'] => ({
  claim,
  matches: true,
  terminating: false,
  ...more,
});
const base: CopyFacts = {
  virtual: 'live',
  held: true,
  stamped: true,
  demanded: true,
  collect: false,
  physical: undefined,
};
const released = { virtual: 'released' } as const;
const absent = { virtual: 'absent', held: false, stamped: false, demanded: false } as const;
const conflict: CopyStep = { do: 'report', problem: 'conflict' };

const cases: readonly { name: string; facts: Partial<CopyFacts>; step: CopyStep }[] = [
  {
    name: 'nobody names it: nothing',
    facts: { held: false, stamped: false, demanded: false },
    step: { do: 'nothing' },
  },
  { name: 'a pod names it: V is stamped first', facts: { held: false, stamped: false }, step: { do: 'stamp' } },
  {
    name: 'something of the stamp is missing: stamped again',
    facts: { stamped: false, physical: at(us) },
    step: { do: 'stamp' },
  },
  { name: 'stamped, no copy: created', facts: {}, step: { do: 'create' } },
  {
    name: 'held, and the copy was lost: created, whether a pod names it now or not',
    facts: { demanded: false },
    step: { do: 'create' },
  },
  {
    name: 'W15: what nobody names any more is collected where that is wanted',
    facts: { demanded: false, collect: true, physical: at(us) },
    step: { do: 'delete' },
  },
  {
    name: 'W15: V is let go when the copy that nobody names is gone',
    facts: { demanded: false, collect: true },
    step: { do: 'release' },
  },
  {
    name: 'W15: what a sibling still uses is not collected',
    facts: { demanded: false, collect: true, physical: at(shared) },
    step: { do: 'unmark' },
  },
  {
    name: 'W15: what a pod names is kept, whether others are collected or not',
    facts: { collect: true, physical: at(us) },
    step: { do: 'update' },
  },
  { name: 'stamped, copy there: brought up to date', facts: { physical: at(us) }, step: { do: 'update' } },
  { name: 'W7: the copy of a sibling is shared', facts: { physical: at(sibling) }, step: { do: 'mark' } },
  { name: 'the copy that the original made is marked', facts: { physical: at(unmarked) }, step: { do: 'mark' } },
  {
    name: 'the copy is on its way out: wait',
    facts: { physical: at(us, { terminating: true }) },
    step: { do: 'wait' },
  },
  { name: 'a stranger holds the name: conflict', facts: { physical: at(stranger) }, step: conflict },
  { name: 'somebody holds the name: conflict', facts: { physical: at(nobody) }, step: conflict },
  { name: 'the copy is of another object: conflict', facts: { physical: at(us, { matches: false }) }, step: conflict },
  {
    name: 'a conflict comes before the stamp: V is not held for nothing',
    facts: { held: false, stamped: false, physical: at(stranger) },
    step: conflict,
  },

  { name: 'released, never held: nothing', facts: { ...released, held: false }, step: { do: 'nothing' } },
  { name: 'released, no copy: let go', facts: released, step: { do: 'release' } },
  { name: 'released, our copy: deleted', facts: { ...released, physical: at(us) }, step: { do: 'delete' } },
  {
    name: 'W7: released, a copy that a sibling uses, too: only our mark goes',
    facts: { ...released, physical: at(shared) },
    step: { do: 'unmark' },
  },
  {
    name: 'released, the copy is going already: let go at once',
    facts: { ...released, physical: at(us, { terminating: true }) },
    step: { do: 'release' },
  },
  {
    name: 'released, the original made the copy: marked, so that it can be deleted',
    facts: { ...released, physical: at(unmarked) },
    step: { do: 'mark' },
  },
  {
    name: 'W15: released, a stranger holds the name: let go',
    facts: { ...released, physical: at(stranger) },
    step: { do: 'release' },
  },
  {
    name: 'W15: released, the copy is of another object: let go',
    facts: { ...released, physical: at(us, { matches: false }) },
    step: { do: 'release' },
  },
  {
    name: 'released, a sibling has it alone: let go',
    facts: { ...released, physical: at(sibling) },
    step: { do: 'release' },
  },

  { name: 'no original, our copy: deleted', facts: { ...absent, physical: at(us) }, step: { do: 'delete' } },
  {
    name: 'no original, a shared copy: our mark goes',
    facts: { ...absent, physical: at(shared) },
    step: { do: 'unmark' },
  },
  {
    name: 'no original, no mark: reported',
    facts: { ...absent, physical: at(unmarked) },
    step: { do: 'report', problem: 'orphan' },
  },
  { name: 'no original, a stranger: nothing', facts: { ...absent, physical: at(stranger) }, step: { do: 'nothing' } },
  {
    name: 'no original, our copy of something else: nothing',
    facts: { ...absent, physical: at(us, { matches: false }) },
    step: { do: 'nothing' },
  },
  {
    name: 'no original, our copy on its way out: nothing',
    facts: { ...absent, physical: at(us, { terminating: true }) },
    step: { do: 'nothing' },
  },
  { name: 'no original, no copy: nothing', facts: absent, step: { do: 'nothing' } },
];

describe('what happens to a copy', () => {
  for (const { name, facts, step } of cases) test(name, () => expect(decideCopy({ ...base, ...facts })).toEqual(step));
});
