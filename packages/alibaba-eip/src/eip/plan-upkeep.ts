import { getCondition } from '@tributary/runtime';
import type { EipPlan } from './eip-plan.ts';
import type { EipStep } from './eip-step.ts';
import type { EipWorld } from './eip-world.ts';
import { foreignMark } from './foreign-mark.ts';
import type { EipMemory } from './memory.ts';
import type { ObservedEip } from './observed-eip.ts';
import { planAttributes } from './plan-attributes.ts';
import { planPackage } from './plan-package.ts';
import { planTags } from './plan-tags.ts';
import { inSync, stuck, underWay } from './report.ts';
import type { Report } from './report.ts';
import type { EipSpec } from './resource.ts';

/** After this long the provider is asked whether an address that was in motion has come to rest. */
const restlessMs = 10_000;
/** Nobody waits longer than this for a new address to show itself. */
const visibleMs = 600_000;

/** The object has its address: make it what the spec says, and leave alone what the spec does not mention. */
export function planUpkeep(world: EipWorld, memory: EipMemory, id: string): EipPlan {
  const { object, observation } = world;
  if (observation.kind !== 'seen') {
    return { steps: [], report: isNew(world, memory) ? notVisibleYet(id) : gone(id, memory) };
  }
  const { eip } = observation;
  const stranger = memory.ownership === 'adopted' ? foreignMark(world, eip) : undefined;
  if (stranger !== undefined) return { steps: [], report: stuck('Conflict', `${id} is ${stranger}`) };
  const drift = fixedDrift(object.spec, eip, memory);
  if (drift !== undefined) return { steps: [], report: stuck('InvalidConfig', drift) };

  const changes = [...planAttributes(object.spec, eip), ...planTags(world, eip, memory)];
  // One at a time: each may rewrite the memory. The package comes last, for it takes the provider a while.
  const wanted = changes.length > 0 ? changes : planPackage(object.spec, eip, memory);
  const [step, ...others] = wanted;
  if (eip.locks.length > 0) return { steps: [], report: locked(eip) };
  if (eip.status === 'Releasing')
    return { steps: [], report: underWay('Updating', `${id} is being released by somebody`, restlessMs) };
  if (!step) return { steps: [], report: atRest(eip, memory, object.spec) };
  if (!isAtRest(eip) && wanted.some(({ do: what }) => what !== 'remember')) {
    return {
      steps: [],
      report: underWay('Updating', `${id} is ${eip.status}; changes wait until it is not`, restlessMs),
    };
  }
  const meanwhile = underWay('Updating', `waiting for ${id} to show what was asked for`, 5000);
  const looksAgain: EipStep[] = wanted.every(({ do: what }) => what === 'remember') ? [] : [{ do: 'observe', id }];
  return { steps: [step, ...others, ...looksAgain], meanwhile };
}

/** The reason says too how the object came by its address, should the memory be wiped. */
const lastly = { created: 'Created', adopted: 'Adopted', migrated: 'Updated' } as const;

function isAtRest({ status }: ObservedEip): boolean {
  return status === 'Available' || status === 'InUse';
}

/** Allocated, never seen, and not so long ago that it must have shown itself. */
function isNew({ object: { status }, nowMs }: EipWorld, { ownership }: EipMemory): boolean {
  if (ownership !== 'created' || status?.status !== undefined) return false;
  const progressing = getCondition(status?.conditions, 'Progressing');
  return progressing?.status !== 'True' || nowMs - Date.parse(progressing.lastTransitionTime) < visibleMs;
}

/** Reads of the provider may lag behind its writes. */
function notVisibleYet(id: string): Report {
  return underWay('Creating', `${id} is allocated and not visible yet`, 5000);
}

export function gone(id: string, { ownership }: Pick<EipMemory, 'ownership'>): Report {
  const what = ownership === 'adopted' ? 'spec.allocationID names it' : 'it was the address of this object';
  const message = `there is no address ${id} (${what}). No other is allocated in its place: delete this object and make a new one`;
  return stuck('AddressGone', message);
}

function locked({ id, locks }: ObservedEip): Report {
  return stuck('AddressLocked', `${id} is locked by the provider (${locks.join(', ')})`);
}

function atRest(eip: ObservedEip, { ownership }: EipMemory, { bandwidth }: EipSpec): Report {
  const inPackage = eip.packageId !== '' && bandwidth !== undefined && bandwidth !== '' && bandwidth !== eip.bandwidth;
  const synced = inPackage
    ? `as the spec says, but for the bandwidth, which package ${eip.packageId} governs`
    : 'as the spec says';
  return inSync(`${eip.address} is ${eip.status}`, lastly[ownership], synced);
}

/** What the provider fixed at the allocation and the spec wants otherwise: the CRD refuses it, but an older one does not. */
function fixedDrift(spec: EipSpec, eip: ObservedEip, memory: EipMemory): string | undefined {
  const pairs: readonly (readonly [field: string, wanted: string | undefined, seen: string])[] = [
    ['internetChargeType', wantedCharge(spec, eip, memory), eip.internetChargeType],
    ['instanceChargeType', spec.instanceChargeType, eip.instanceChargeType],
    ['isp', spec.isp, eip.isp],
    ['publicIPAddressPoolID', spec.publicIPAddressPoolID, eip.poolId],
    ['securityProtectionTypes', inOrder(spec.securityProtectionTypes ?? []), inOrder(eip.securityProtectionTypes)],
  ];
  const off = pairs.find(([, wanted, seen]) => Boolean(wanted) && wanted !== seen);
  return off && `spec.${off[0]} is ${off[1]}, but ${eip.id} has ${off[2] || 'none'}, which cannot be changed`;
}

function wantedCharge(
  { internetChargeType }: EipSpec,
  { packageId }: ObservedEip,
  { ownership }: EipMemory,
): string | undefined {
  // Inside a package the package is paid for; outside, the address's own way of paying is shown again.
  if (packageId !== '') return undefined;
  // PayByTraffic is the default of the CRD: of an address that we did not allocate nobody need have asked for it.
  return ownership === 'created' || internetChargeType === 'PayByBandwidth' ? internetChargeType : undefined;
}

function inOrder(types: readonly string[]): string {
  return types.toSorted().join(', ');
}
