import { expect, test } from 'vitest';
import type { EipWorld } from './eip-world.ts';
import type { EipMemory } from './memory.ts';
import { aWorld, anEip, nowMs } from './testing/eip-world.ts';
import { gist } from './testing/gist.ts';

const created: EipMemory = { ownership: 'created', allocationID: 'eip-1' };
const adopted: EipMemory = { ownership: 'adopted', allocationID: 'eip-1' };
const named = { allocationID: 'eip-1' };
const status = { allocationID: 'eip-1', status: 'Available' };

type Row = { readonly name: string; readonly world: EipWorld; readonly does: string };

const upkeepOf = (spec: object, eip: object = {}, memory: EipMemory = created): EipWorld =>
  aWorld({ memory, status, spec: { ...named, ...spec } }, { eip: anEip(eip) });
/** Allocated so long ago, and never seen. */
const unseenFor = (ms: number): EipWorld => {
  const lastTransitionTime = new Date(nowMs - ms).toISOString();
  const creating = {
    type: 'Progressing',
    status: 'True',
    reason: 'Creating',
    message: '',
    lastTransitionTime,
  } as const;
  const unseen = { allocationID: 'eip-1', conditions: [creating] };
  return aWorld({ memory: created, spec: named, status: unseen }, { observation: { kind: 'absent' } });
};
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
  {
    name: 'a line that an older CRD let somebody change',
    world: upkeepOf({ isp: 'BGP_PRO' }),
    does: 'False/InvalidConfig',
  },
  {
    name: 'a way of paying that an older CRD let somebody change',
    world: upkeepOf({}, { internetChargeType: 'PayByBandwidth' }),
    does: 'False/InvalidConfig',
  },
  {
    name: 'inside a package the way of paying is the package’s',
    world: upkeepOf({}, { internetChargeType: 'PayByBandwidth', packageId: 'cbwp-1' }),
    does: 'True/Available',
  },
  {
    name: 'protection that an adopted address does not have',
    world: upkeepOf({ securityProtectionTypes: ['AntiDDoS_Enhanced'] }, {}, adopted),
    does: 'False/InvalidConfig',
  },
  {
    name: 'protection as it is, in another order',
    world: upkeepOf({ securityProtectionTypes: ['B', 'A'] }, { securityProtectionTypes: ['A', 'B'] }),
    does: 'True/Available',
  },
  { name: 'a new address that nobody has seen yet: wait', world: unseenFor(60_000), does: 'False/Creating' },
  { name: 'one that nobody has seen for long: gone', world: unseenFor(700_000), does: 'False/AddressGone' },
];

test.each(upkeep)('$name', ({ world, does }) => expect(gist(world)).toBe(does));
