import { describe, expect, test } from 'vitest';
import type { EipWorld } from './eip-world.ts';
import { toAllocateParams } from './allocate-params.ts';
import { finalizer, memoryAnnotation } from './memory.ts';
import type { EipMemory } from './memory.ts';
import { planEip } from './plan-eip.ts';
import { gist } from './testing/gist.ts';
import { aWorld, anEip, anObject, nowMs, settings } from './testing/eip-world.ts';

const intent = { token: 'token-1', params: toAllocateParams(anObject(), settings), atMs: nowMs - 1000 };
const created: EipMemory = { ownership: 'created', allocationID: 'eip-1' };
const adopted: EipMemory = { ownership: 'adopted', allocationID: 'eip-1' };
const intends: EipMemory = { ownership: 'created', intent };
const named = { allocationID: 'eip-1' };
const status = { allocationID: 'eip-1', status: 'Available' };

type Row = { readonly name: string; readonly world: EipWorld; readonly does: string };

const creation: readonly Row[] = [
  { name: 'nobody has looked for marks: look', world: aWorld({}, { marked: undefined }), does: 'find-marked' },
  { name: 'nothing is there: the intent is written first', world: aWorld(), does: 'remember' },
  { name: 'the intent is written: allocate', world: aWorld({ memory: intends }), does: 'allocate' },
  { name: 'its mark is found: take it', world: aWorld({ memory: intends }, { marked: [anEip()] }), does: 'remember' },
  {
    name: 'two marks: never guess',
    world: aWorld({ memory: intends }, { marked: [anEip(), anEip({ id: 'eip-2' })] }),
    does: 'False/Ambiguous',
  },
  {
    name: 'the token was refused: look for the mark first',
    world: aWorld({ memory: intends }, { refused: { token: 'token-1', inDoubt: false } }),
    does: 'find-marked',
  },
  {
    name: 'the token was refused and there is no mark: a new intent',
    world: aWorld({ memory: intends }, { refused: { token: 'token-1', inDoubt: false }, markedIsFresh: true }),
    does: 'remember',
  },
  {
    name: 'the token was refused after a call without an answer: look on for a while',
    world: aWorld({ memory: intends }, { refused: { token: 'token-1', inDoubt: true }, markedIsFresh: true }),
    does: 'False/Creating',
  },
  {
    name: 'the intent is old: look for the mark first',
    world: aWorld({ memory: { ...intends, intent: { ...intent, atMs: nowMs - 400_000 } } }),
    does: 'find-marked',
  },
  {
    name: 'the intent is old and there is no mark: the same token',
    world: aWorld({ memory: { ...intends, intent: { ...intent, atMs: nowMs - 400_000 } } }, { markedIsFresh: true }),
    does: 'allocate',
  },
  {
    name: 'PrePaid cannot be allocated',
    world: aWorld({ spec: { instanceChargeType: 'PrePaid', internetChargeType: 'PayByBandwidth', bandwidth: '5' } }),
    does: 'False/InvalidConfig',
  },
  {
    name: 'a spec that the CRD should have refused',
    world: aWorld({ spec: { bandwidth: 'x' } }),
    does: 'False/InvalidConfig',
  },
  {
    name: 'more tags than fit beside the mark',
    world: aWorld({ spec: { tags: Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`k${i}`, 'v'])) } }),
    does: 'False/InvalidConfig',
  },
];

const identity: readonly Row[] = [
  {
    name: 'the status has the id, the memory not yet: remember, and write the spec',
    world: aWorld({ memory: intends, status }, { eip: anEip() }),
    does: 'remember',
  },
  {
    name: 'the memory has the id, the status not yet: store it',
    world: aWorld({ memory: created }, { eip: anEip() }),
    does: 'store-id',
  },
  {
    name: 'the spec lost the id: write it again',
    world: aWorld({ memory: created, status }, { eip: anEip() }),
    does: 'remember',
  },
  {
    name: 'the spec is not to be written',
    world: aWorld(
      { memory: created, status },
      { eip: anEip(), settings: { ...settings, writeSpecAllocationID: false } },
    ),
    does: 'True/Available',
  },
  {
    name: 'the spec names another address',
    world: aWorld({ memory: created, status, spec: { allocationID: 'eip-2' } }, { eip: anEip() }),
    does: 'False/InvalidConfig',
  },
  {
    name: 'another object has the address',
    world: aWorld({ spec: named }, { holder: 'default/first' }),
    does: 'False/Conflict',
  },
  { name: 'not looked at yet', world: aWorld({ spec: named }), does: 'observe' },
  {
    name: 'the user named an address that is not there: its id is not given out as if it were',
    world: aWorld({ spec: named }, { observation: { kind: 'absent' } }),
    does: 'False/AddressGone',
  },
  {
    name: 'the same of an address that the original should have had',
    world: aWorld({ spec: named, memory: { ...adopted, ownership: 'migrated' } }, { observation: { kind: 'absent' } }),
    does: 'False/AddressGone',
  },
  {
    name: 'the memory has the id of a new address that is not visible yet: store it',
    world: aWorld({ memory: created }, { observation: { kind: 'absent' } }),
    does: 'store-id',
  },
  { name: 'first sight', world: aWorld({ spec: named }, { eip: anEip({ tags: {} }) }), does: 'remember' },
];

describe.each([
  { part: 'creation', rows: creation },
  { part: 'identity', rows: identity },
])('$part:', ({ rows }) => {
  test.each(rows)('$name', ({ world, does }) => expect(gist(world)).toBe(does));
});

describe('whose the address is at first sight', () => {
  const ownershipOf = (world: EipWorld): unknown => {
    const plan = planEip(world);
    const [step] = plan.steps;
    return step?.do === 'remember' ? step.memory.ownership : undefined;
  };
  const seen = { eip: anEip({ tags: {} }) };
  test.each([
    ['named by the user', aWorld({ spec: named }, seen), 'adopted'],
    ['with the finalizer of the original', aWorld({ spec: named, finalizers: [finalizer] }, seen), 'migrated'],
    ['with our mark on it', aWorld({ spec: named }, { eip: anEip() }), 'created'],
    ['with the finalizer and our mark', aWorld({ spec: named, finalizers: [finalizer] }, { eip: anEip() }), 'created'],
    [
      'copied from another object, finalizer and all',
      aWorld(
        {
          spec: named,
          finalizers: [finalizer],
          annotations: { [memoryAnnotation]: '{"uid":"other","ownership":"created"}' },
        },
        seen,
      ),
      'adopted',
    ],
    [
      'adopted before somebody wiped our memory',
      aWorld(
        {
          spec: named,
          finalizers: [finalizer],
          status: {
            conditions: [
              { type: 'Progressing', status: 'False', reason: 'Adopted', message: '', lastTransitionTime: '' },
            ],
          },
        },
        seen,
      ),
      'adopted',
    ],
  ])('%s', (_, world, ownership) => expect(ownershipOf(world)).toBe(ownership));
});

test('the intent freezes the parameters with the token, the mark among them', () => {
  const plan = planEip(aWorld({ spec: { bandwidth: '9', tags: { a: 'b', empty: '' } } }));
  const [step] = plan.steps;
  expect(step).toEqual({
    do: 'remember',
    memory: {
      ownership: 'created',
      tagKeys: ['a', 'empty'],
      intent: {
        token: 'token-2',
        atMs: nowMs,
        params: {
          RegionId: 'cn-hangzhou',
          Bandwidth: '9',
          InternetChargeType: 'PayByTraffic',
          Description: 'created by alibabacloud-eip-operator',
          'Tag.1.Key': 'eip-operator/cluster',
          'Tag.1.Value': 'c1',
          'Tag.2.Key': 'eip-operator/object',
          'Tag.2.Value': 'default/web',
          'Tag.3.Key': 'eip-operator/uid',
          'Tag.3.Value': 'uid-1',
          'Tag.4.Key': 'a',
          'Tag.4.Value': 'b',
        },
      },
    },
  });
});
