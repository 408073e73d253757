import { describe, expect, test } from 'vitest';
import type { EipWorld } from './eip-world.ts';
import { toAllocateParams } from './allocate-params.ts';
import { finalizer, memoryAnnotation } from './memory.ts';
import type { EipMemory } from './memory.ts';
import { planEip } from './plan-eip.ts';
import { aWorld, anEip, anObject, nowMs, settings } from './testing/eip-world.ts';

/** The names of the steps, or the reason that Ready gives. */
function gist(world: EipWorld): string {
  const plan = planEip(world);
  if ('report' in plan) return `${plan.report.ready.status}/${plan.report.ready.reason}`;
  return plan.steps.map(({ do: what }) => what).join(' ');
}

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
  { name: 'first sight', world: aWorld({ spec: named }, { eip: anEip({ tags: {} }) }), does: 'remember' },
];

const upkeepOf = (spec: object, eip: object = {}, memory: EipMemory = created): EipWorld =>
  aWorld({ memory, status, spec: { ...named, ...spec } }, { eip: anEip(eip) });
const upkeep: readonly Row[] = [
  { name: 'as the spec says', world: upkeepOf({ bandwidth: '5' }), does: 'True/Available' },
  { name: 'bound is as good as free', world: upkeepOf({}, { status: 'InUse' }), does: 'True/Available' },
  { name: 'another bandwidth', world: upkeepOf({ bandwidth: '6' }), does: 'modify observe' },
  {
    name: 'another bandwidth in a package',
    world: upkeepOf({ bandwidth: '6' }, { packageId: 'p' }),
    does: 'True/Available',
  },
  {
    name: 'another bandwidth on the way into a package',
    world: upkeepOf({ bandwidth: '6', bandwidthPackageID: 'p' }),
    does: 'remember join-package observe',
  },
  {
    name: 'another name and group',
    world: upkeepOf({ name: 'n', resourceGroupID: 'rg' }),
    does: 'modify move-resource-group observe',
  },
  {
    name: 'a change while it is being bound',
    world: upkeepOf({ bandwidth: '6' }, { status: 'Associating' }),
    does: 'False/Updating',
  },
  { name: 'somebody is releasing it', world: upkeepOf({}, { status: 'Releasing' }), does: 'False/Updating' },
  { name: 'a new tag', world: upkeepOf({ tags: { a: 'b' } }), does: 'remember tag observe' },
  {
    name: 'a tag that drifted',
    world: upkeepOf({ tags: { a: 'b' } }, { tags: { ...anEip().tags, a: 'c' } }, { ...created, tagKeys: ['a'] }),
    does: 'tag observe',
  },
  {
    name: 'a tag that the spec gave up',
    world: upkeepOf({}, { tags: { ...anEip().tags, a: 'b' } }, { ...created, tagKeys: ['a'] }),
    does: 'untag observe',
  },
  { name: 'a tag that is off', world: upkeepOf({}, {}, { ...created, tagKeys: ['a'] }), does: 'remember' },
  { name: 'a foreign tag', world: upkeepOf({}, { tags: { ...anEip().tags, foreign: 'x' } }), does: 'True/Available' },
  { name: 'the mark was taken off', world: upkeepOf({}, { tags: {} }), does: 'tag observe' },
  { name: 'an adopted address needs no mark', world: upkeepOf({}, { tags: {} }, adopted), does: 'True/Available' },
  {
    name: 'in the package that the spec names',
    world: upkeepOf({ bandwidthPackageID: 'p' }, { packageId: 'p' }),
    does: 'True/Available',
  },
  {
    name: 'in another package than the spec names',
    world: upkeepOf({ bandwidthPackageID: 'p' }, { packageId: 'q' }),
    does: 'leave-package observe',
  },
  { name: 'in a package that nobody declared', world: upkeepOf({}, { packageId: 'q' }), does: 'True/Available' },
  {
    name: 'in a package that we joined and the spec gave up',
    world: upkeepOf({}, { packageId: 'p' }, { ...created, packageID: 'p' }),
    does: 'leave-package observe',
  },
  {
    name: 'out of the package that we joined',
    world: upkeepOf({}, {}, { ...created, packageID: 'p' }),
    does: 'remember',
  },
  {
    name: 'moved by another from the package that we joined',
    world: upkeepOf({}, { packageId: 'q' }, { ...created, packageID: 'p' }),
    does: 'remember',
  },
  { name: 'locked', world: upkeepOf({ bandwidth: '6' }, { locks: ['financial'] }), does: 'False/AddressLocked' },
  { name: 'gone', world: { ...upkeepOf({}), observation: { kind: 'absent' } }, does: 'False/AddressGone' },
  {
    name: 'new, and not visible yet',
    world: aWorld(
      { memory: created, spec: named, status: { allocationID: 'eip-1' } },
      { observation: { kind: 'absent' } },
    ),
    does: 'False/Creating',
  },
  {
    name: 'adopted with another line than the spec wants',
    world: upkeepOf({ isp: 'BGP_PRO' }, {}, adopted),
    does: 'False/InvalidConfig',
  },
  {
    name: 'adopted, paid by bandwidth, and the spec has only its default',
    world: upkeepOf({}, { internetChargeType: 'PayByBandwidth' }, adopted),
    does: 'True/Available',
  },
];

describe.each([
  { part: 'creation', rows: creation },
  { part: 'identity', rows: identity },
  { part: 'upkeep', rows: upkeep },
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
