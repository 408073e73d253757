import { describe, expect, test } from 'vitest';
import type { EipWorld } from './eip-world.ts';
import { finalizer } from './memory.ts';
import type { EipMemory } from './memory.ts';
import type { ObservedEip } from './observed-eip.ts';
import { clusterTag, uidTag } from './owner-tags.ts';
import { planEip } from './plan-eip.ts';
import { aWorld, anEip, nowMs } from './testing/eip-world.ts';

function gist(world: EipWorld): string {
  const plan = planEip(world);
  if ('report' in plan) return `${plan.report.synced?.reason ?? plan.report.ready.reason} ${plan.report.recheckMs}`;
  const [step] = plan.steps;
  return step.do === 'let-go' ? step.event : plan.steps.map(({ do: what }) => what).join(' ');
}

const created: EipMemory = { ownership: 'created', allocationID: 'eip-1' };
const adopted: EipMemory = { ownership: 'adopted', allocationID: 'eip-1' };
const intent = { token: 'token-1', params: {}, atMs: nowMs - 500_000 };
const status = { allocationID: 'eip-1', status: 'Available' };

const dying = (eip?: Partial<ObservedEip>, draft: object = {}, given: Partial<EipWorld> = {}): EipWorld =>
  aWorld({ deletedAgoMs: 1000, memory: created, status, ...draft }, { ...(eip && { eip: anEip(eip) }), ...given });
const absent = { observation: { kind: 'absent' } } as const;
const never = { spec: { releaseStrategy: 'Never' } };
const release = { annotations: { 'eip.alibabacloud.com/release-adopted': 'true' } };

const rows: readonly { readonly name: string; readonly world: EipWorld; readonly does: string }[] = [
  { name: 'look before anything is done', world: dying(), does: 'observe' },
  { name: 'free: release', world: dying({}), does: 'release observe' },
  {
    name: 'in a package, whoever put it there: leave it first',
    world: dying({ packageId: 'q' }),
    does: 'leave-package observe',
  },
  { name: 'in use: wait', world: dying({ status: 'InUse', boundTo: 'Nat ngw-1' }), does: 'Deleting 10000' },
  {
    name: 'in use for an hour: wait longer, but not too long',
    world: dying({ status: 'InUse' }, { deletedAgoMs: 3_600_000 }),
    does: 'Deleting 300000',
  },
  {
    name: 'in use and in a package: wait before it leaves',
    world: dying({ status: 'InUse', packageId: 'q' }),
    does: 'Deleting 10000',
  },
  { name: 'being released: wait', world: dying({ status: 'Releasing' }), does: 'Deleting 5000' },
  {
    name: 'gone after our release',
    world: dying(undefined, {}, { ...absent, releaseAccepted: true }),
    does: 'Released',
  },
  {
    name: 'gone after a release that an earlier process saw',
    world: dying(undefined, { status: { ...status, status: 'Releasing' } }, absent),
    does: 'Released',
  },
  { name: 'gone before', world: dying(undefined, {}, absent), does: 'AlreadyReleased' },
  {
    name: 'allocated a moment ago and not visible: wait',
    world: dying(undefined, { status: { allocationID: 'eip-1' } }, absent),
    does: 'Deleting 10000',
  },
  {
    name: 'allocated long ago and never visible: gone',
    world: dying(undefined, { status: { allocationID: 'eip-1' }, deletedAgoMs: 200_000 }, absent),
    does: 'AlreadyReleased',
  },
  { name: 'Never: keep', world: dying({}, never), does: 'Skipped' },
  {
    name: 'no strategy at all, as the original stored it: keep',
    world: dying({}, { spec: { releaseStrategy: undefined } }),
    does: 'Skipped',
  },
  { name: 'adopted: keep', world: dying({}, { memory: adopted }), does: 'Skipped' },
  {
    name: 'adopted, with the annotation: release',
    world: dying({}, { memory: adopted, ...release }),
    does: 'release observe',
  },
  {
    name: 'adopted, with the annotation and Never: keep',
    world: dying({}, { memory: adopted, ...release, ...never }),
    does: 'Skipped',
  },
  {
    name: 'of the original, seen for the first time: release',
    world: dying({ tags: {} }, { memory: undefined, finalizers: [finalizer] }),
    does: 'release observe',
  },
  { name: 'another object has it: keep', world: dying({}, {}, { holder: 'default/first' }), does: 'Skipped' },
  {
    name: 'marked by another cluster: keep',
    world: dying({ tags: { [uidTag]: 'u', [clusterTag]: 'c2' } }),
    does: 'Skipped',
  },
  {
    name: 'marked by a living object of this cluster: keep',
    world: dying({ tags: { [uidTag]: 'u', [clusterTag]: 'c1' } }, {}, { isAlive: () => true }),
    does: 'Skipped',
  },
  {
    name: 'marked by an object that is gone: release',
    world: dying({ tags: { [uidTag]: 'u', [clusterTag]: 'c1' } }),
    does: 'release observe',
  },
  { name: 'locked for security', world: dying({ locks: ['security'] }), does: 'SyncFailed 600000' },
  { name: 'PrePaid', world: dying({ instanceChargeType: 'PrePaid' }), does: 'SyncFailed 600000' },
  { name: 'protected', world: dying({ deletionProtection: true }), does: 'SyncFailed 600000' },
  { name: 'managed by a service', world: dying({ serviceManaged: true }), does: 'SyncFailed 600000' },
];

const unknown = (given: Partial<EipWorld>, deletedAgoMs = 1000): EipWorld =>
  aWorld({ deletedAgoMs, memory: { ownership: 'created', intent } }, given);
const unknownRows: typeof rows = [
  { name: 'look for its mark', world: unknown({}), does: 'find-marked' },
  { name: 'found: release it', world: unknown({ marked: [anEip()], markedIsFresh: true }), does: 'release observe' },
  {
    name: 'two found: never guess',
    world: unknown({ marked: [anEip(), anEip({ id: 'eip-2' })], markedIsFresh: true }),
    does: 'Ambiguous 600000',
  },
  { name: 'not found: it may appear yet', world: unknown({ markedIsFresh: true }), does: 'Deleting 20000' },
  {
    name: 'not found for long enough: it never was',
    world: unknown({ markedIsFresh: true }, 121_000),
    does: 'Skipped',
  },
  {
    name: 'refused: it never was',
    world: unknown({ markedIsFresh: true, refused: { token: 'token-1', inDoubt: false } }),
    does: 'Skipped',
  },
  {
    name: 'nothing was ever intended',
    world: aWorld({ deletedAgoMs: 1, memory: { ownership: 'created' } }),
    does: 'Skipped',
  },
];

describe('an address to be released:', () => {
  test.each(rows)('$name', ({ world, does }) => expect(gist(world)).toBe(does));
});
describe('an allocation whose outcome is unknown:', () => {
  test.each(unknownRows)('$name', ({ world, does }) => expect(gist(world)).toBe(does));
});
