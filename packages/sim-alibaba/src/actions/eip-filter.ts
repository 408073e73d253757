import type { Eip, Tags } from '../estate/eip.ts';
import { flagOf, tagPairs, textOf } from '../rpc/params.ts';
import type { Params } from '../rpc/params.ts';
import { invalidParameter } from '../rpc/rpc-error.ts';
import type { World } from '../world.ts';

type Test = (eip: Eip) => boolean;

/** All filters of the call at once; they hold together. */
export function eipFilter(params: Params, world: World): Test {
  const tests = [
    among(params, 'AllocationId', world, (eip) => eip.allocationId),
    among(params, 'EipAddress', world, (eip) => eip.ipAddress),
    equal(params, 'Status', (eip) => eip.status),
    equal(params, 'ISP', (eip) => eip.isp),
    equal(params, 'EipName', (eip) => eip.name),
    equal(params, 'ResourceGroupId', (eip) => eip.resourceGroupId),
    equal(params, 'PublicIpAddressPoolId', (eip) => eip.publicIpAddressPoolId),
    equal(params, 'ChargeType', (eip) => eip.chargeType),
    equal(params, 'AssociatedInstanceId', (eip) => eip.binding?.instanceId),
    equal(params, 'AssociatedInstanceType', (eip) => eip.binding?.instanceType),
    lockTest(params),
    managedTest(params),
    timeTest(params),
    tagTest(params, world),
  ];
  return (eip) => tests.every((test) => test === undefined || test(eip));
}

function equal(params: Params, name: string, read: (eip: Eip) => string | undefined): Test | undefined {
  const wanted = textOf(params, name);
  return wanted === undefined ? undefined : (eip) => read(eip) === wanted;
}

function among(params: Params, name: string, { quotas }: World, read: (eip: Eip) => string): Test | undefined {
  const text = textOf(params, name);
  if (text === undefined) return undefined;
  const wanted = new Set(text.split(',').map((part) => part.trim()));
  if (wanted.size > quotas.idsPerDescribe) {
    throw invalidParameter(name, `holds more than ${quotas.idsPerDescribe} values`);
  }
  return (eip) => wanted.has(read(eip));
}

function lockTest(params: Params): Test | undefined {
  const wanted = textOf(params, 'LockReason');
  return wanted === undefined ? undefined : ({ locks }) => locks.includes(wanted);
}

function managedTest(params: Params): Test | undefined {
  const wanted = flagOf(params, 'ServiceManaged');
  return wanted === undefined ? undefined : ({ serviceManaged }) => serviceManaged === wanted;
}

/** `Filter.1.Key` is CreationStartTime or CreationEndTime, its value `2026-11-16T08:00Z`. */
function timeTest(params: Params): Test | undefined {
  const bounds = tagPairs(params, 'Filter').map(({ key, value = '' }) => ({ key, at: toMs(value), value }));
  if (bounds.length === 0) return undefined;
  for (const { key, at } of bounds) {
    if (!['CreationStartTime', 'CreationEndTime'].includes(key) || Number.isNaN(at)) throw invalidParameter('Filter');
  }
  return ({ allocatedAt }) =>
    bounds.every(({ key, at }) => (key === 'CreationStartTime' ? allocatedAt >= at : allocatedAt <= at));
}

function toMs(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(text) ? Date.parse(text) : Number.NaN;
}

/** The index behind this filter follows the tags with a delay. */
function tagTest(params: Params, { estate, delays }: World): Test | undefined {
  const pairs = tagPairs(params);
  if (pairs.length === 0) return undefined;
  if (pairs.length > 20) throw invalidParameter('Tag', 'holds more than 20 tags');
  const atMs = estate.nowMs() - delays.tagFilterLagMs;
  return (eip) => {
    const tags = tagsAt(eip, atMs);
    return tags !== undefined && hasTags(tags, pairs);
  };
}

function tagsAt({ tagHistory }: Eip, atMs: number): Tags | undefined {
  return tagHistory.findLast(({ sinceMs }) => sinceMs <= atMs)?.tags;
}

/** A pair without a value asks for the key alone. */
export function hasTags(tags: Tags, pairs: ReturnType<typeof tagPairs>): boolean {
  return pairs.every(({ key, value }) => {
    if (!Object.hasOwn(tags, key)) return false;
    return value === undefined || value === '' || tags[key] === value;
  });
}
