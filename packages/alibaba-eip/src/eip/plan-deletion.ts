import { getCondition } from '@tributary/runtime';
import type { EipPlan } from './eip-plan.ts';
import type { EipStep } from './eip-step.ts';
import { deletionStartedMs, idOf } from './eip-world.ts';
import type { EipWorld } from './eip-world.ts';
import { foreignMark } from './foreign-mark.ts';
import { isCopy, memoryOf, releaseAdoptedAnnotation } from './memory.ts';
import type { EipMemory } from './memory.ts';
import type { ObservedEip } from './observed-eip.ts';
import { deletionStuck, underWay, waysOut } from './report.ts';
import type { Report } from './report.ts';

/** An allocation under way when the deletion began shows itself within this time, or it never happened. */
const settleMs = 120_000;
const shortestWaitMs = 10_000;
const longestWaitMs = 300_000;
const blockedMs = 600_000;

/** Deletion is owed: the address is confirmed gone, or it is said why it stays, before the object may go. */
export function planDeletion(world: EipWorld): EipPlan {
  const { object, holder } = world;
  // The original left no memory: an object with its finalizer and an address owns that address.
  const wasAdopted = getCondition(object.status?.conditions, 'Progressing')?.reason === 'Adopted';
  const memory = memoryOf(object) ?? { ownership: isCopy(object) || wasAdopted ? 'adopted' : 'migrated' };
  const kept = reasonToKeep(world, memory);
  if (kept !== undefined) return letGo('Skipped', kept);
  const id = idOf(object);
  if (id === undefined) return planUnknownAddress(world, memory);
  if (holder !== undefined) return letGo('Skipped', `${id} belongs to ${holder} and stays`);
  return planKnownAddress(world, id);
}

function reasonToKeep({ object }: EipWorld, { ownership }: EipMemory): string | undefined {
  const { spec, metadata } = object;
  const name = idOf(object) ?? 'whatever address there is';
  if (spec.releaseStrategy !== 'OnDelete')
    return `${name} stays: the release strategy is ${spec.releaseStrategy ?? 'not set'}`;
  if (ownership === 'adopted' && metadata.annotations?.[releaseAdoptedAnnotation] !== 'true') {
    return `${name} stays: it was adopted, and the annotation ${releaseAdoptedAnnotation} is not "true"`;
  }
  return undefined;
}

/** An allocation may have been sent, and nobody knows the answer: look for its mark until it must have appeared. */
function planUnknownAddress(world: EipWorld, { intent }: EipMemory): EipPlan {
  const { object, marked, markedIsFresh, refused, nowMs } = world;
  if (intent === undefined) return letGo('Skipped', 'no address was allocated');
  const waiting = underWay('Deleting', 'an address may have been allocated and not be visible yet', 20_000);
  if (marked === undefined || !markedIsFresh) return { steps: [{ do: 'find-marked' }], meanwhile: waiting };
  const [first, ...others] = marked;
  if (first && others.length > 0) {
    const ids = marked.map(({ id }) => id).join(', ');
    return {
      steps: [],
      report: deletionStuck('Ambiguous', `several addresses carry the mark of this object: ${ids}`, blockedMs),
    };
  }
  if (first) return planKnownAddress({ ...world, observation: { kind: 'seen', eip: first } }, first.id);
  const sinceMs = nowMs - Math.max(intent.atMs, deletionStartedMs(object) ?? 0);
  const isRefused = intent.token === refused?.token && !refused.inDoubt;
  if (isRefused || sinceMs >= settleMs) return letGo('Skipped', 'no address was allocated');
  return { steps: [], report: waiting };
}

function planKnownAddress(world: EipWorld, id: string): EipPlan {
  const { object, observation, releaseAccepted } = world;
  const looking = underWay('Deleting', `looking at ${id}`, 5000);
  if (observation.kind === 'unknown') return { steps: [{ do: 'observe', id }], meanwhile: looking };
  if (observation.kind === 'absent') {
    if (isTooNew(world)) {
      const report = underWay('Deleting', `${id} was allocated a moment ago and is not visible yet`, 10_000);
      return { steps: [], report };
    }
    const isOurs = releaseAccepted || object.status?.status === 'Releasing';
    return isOurs ? letGo('Released', `${id} is released`) : letGo('AlreadyReleased', `${id} was gone already`);
  }
  const { eip } = observation;
  const stranger = foreignMark(world, eip);
  if (stranger !== undefined) return letGo('Skipped', `${id} stays: it is ${stranger}`);
  const report = hindrance(world, eip);
  if (report) return { steps: [], report };
  const step: EipStep =
    eip.packageId === '' ? { do: 'release', id } : { do: 'leave-package', id, packageId: eip.packageId };
  const meanwhile = underWay(
    'Deleting',
    eip.packageId === '' ? `${id} is being released` : `${id} is leaving ${eip.packageId}`,
    5000,
  );
  return { steps: [step, { do: 'observe', id }], meanwhile };
}

/** Reads of the provider may lag behind its writes: an address that nobody has seen yet need not be gone. */
function isTooNew({ object, nowMs }: EipWorld): boolean {
  const isCreated = memoryOf(object)?.ownership === 'created';
  return isCreated && object.status?.status === undefined && nowMs - (deletionStartedMs(object) ?? 0) < settleMs;
}

/** Why it cannot be released now, if so. */
function hindrance({ object, nowMs }: EipWorld, eip: ObservedEip): Report | undefined {
  const { id, status, boundTo } = eip;
  const blocked = blockedBy(eip);
  if (blocked !== undefined) {
    return deletionStuck('SyncFailed', `${id} cannot be released: ${blocked}; ${waysOut}`, blockedMs);
  }
  if (status === 'Available') return undefined;
  if (status === 'Releasing') return underWay('Deleting', `${id} is being released`, 5000);
  const waitedMs = nowMs - (deletionStartedMs(object) ?? nowMs);
  const waitMs = Math.min(Math.max(waitedMs / 2, shortestWaitMs), longestWaitMs);
  const by = boundTo === '' ? '' : ` by ${boundTo}`;
  return underWay('Deleting', `${id} is ${status}${by}; it is released when it is free`, waitMs);
}

function blockedBy({ locks, instanceChargeType, deletionProtection, serviceManaged }: ObservedEip): string | undefined {
  if (locks.includes('security')) return 'it is locked for security';
  if (instanceChargeType === 'PrePaid') return 'it is PrePaid, and its term is not over';
  if (deletionProtection) return 'its deletion protection is on';
  if (serviceManaged) return 'a cloud service manages it';
  return undefined;
}

function letGo(event: 'Released' | 'AlreadyReleased' | 'Skipped', message: string): EipPlan {
  const meanwhile = underWay('Deleting', message, 5000);
  return { steps: [{ do: 'let-go', event, message }], meanwhile };
}
