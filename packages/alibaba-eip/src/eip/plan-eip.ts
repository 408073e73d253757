import { getCondition, hasFinalizer } from '@tributary/runtime';
import { deletionStartedMs, idOf, without } from './eip-world.ts';
import type { EipWorld } from './eip-world.ts';
import type { EipPlan } from './eip-plan.ts';
import { finalizer, isCopy, memoryOf } from './memory.ts';
import type { EipMemory } from './memory.ts';
import { planCreation } from './plan-creation.ts';
import { planDeletion } from './plan-deletion.ts';
import { gone, planUpkeep } from './plan-upkeep.ts';
import { uidTag } from './owner-tags.ts';
import { stuck, underWay } from './report.ts';
import type { Report } from './report.ts';

/** All the thinking of the operator. After its steps the world is read again and the plan made anew. */
export function planEip(world: EipWorld): EipPlan {
  const { object } = world;
  if (deletionStartedMs(object) !== undefined) return planDeletion(world);
  const memory = memoryOf(object);
  const id = idOf(object);
  if (id === undefined) return planCreation(world, memory);
  if (world.holder !== undefined) return { steps: [], report: heldByAnother(id, world.holder) };
  if (world.observation.kind === 'unknown')
    return { steps: [{ do: 'observe', id }], meanwhile: underWay('Updating', `looking at ${id}`, 5000) };
  if (!memory) return planFirstSight(world, id);
  return planIdentity(world, memory, id) ?? planUpkeep(world, memory, id);
}

/** An object with an address that we see for the first time: whose is the address? */
function planFirstSight({ object, observation }: EipWorld, id: string): EipPlan {
  const { metadata, spec, status } = object;
  const isMarked = observation.kind === 'seen' && observation.eip.tags[uidTag] === metadata.uid;
  // Somebody may have wiped our memory; the original never gave this reason.
  const wasAdopted = getCondition(status?.conditions, 'Progressing')?.reason === 'Adopted';
  const isMigrated = !isCopy(object) && !wasAdopted && hasFinalizer(object, finalizer);
  const ownership = isMarked ? 'created' : isMigrated ? 'migrated' : 'adopted';
  // There is nothing to hold on to; should it appear, the observer says so.
  if (observation.kind === 'absent' && ownership === 'adopted') return { steps: [], report: gone(id, { ownership }) };
  // The original joined packages and set tags as the spec told it to, so what matches is its doing.
  const packageID = isMigrated && spec.bandwidthPackageID === status?.bandwidthPackageID && spec.bandwidthPackageID;
  const tagKeys = ownership === 'adopted' ? [] : Object.keys(spec.tags ?? {});
  const memory: EipMemory = {
    ownership,
    allocationID: id,
    ...(packageID && { packageID }),
    ...(tagKeys.length > 0 && { tagKeys }),
  };
  const step = { do: 'remember', memory, ...(ownership === 'adopted' && { event: 'Adopted' as const }) } as const;
  return { steps: [step], meanwhile: underWay('Updating', `taking over ${id}`, 5000) };
}

/** The id belongs in three places: status for who waits for it, memory for us, spec as the users of the original expect. */
function planIdentity({ object, settings, observation }: EipWorld, memory: EipMemory, id: string): EipPlan | undefined {
  const { spec, status } = object;
  if (spec.allocationID && spec.allocationID !== id) {
    const message = `spec.allocationID names ${spec.allocationID}, but this object has ${id}; for another address make another EIP`;
    return { steps: [], report: stuck('InvalidConfig', message) };
  }
  const meanwhile = underWay('Creating', `storing ${id}`, 5000);
  // Who waits for the id acts on it: one that only the spec knows is given out when it has been seen.
  const isReal = observation.kind === 'seen' || memory.ownership === 'created';
  if (status?.allocationID !== id && isReal) return { steps: [{ do: 'store-id', id }], meanwhile };
  const writesSpec = settings.writeSpecAllocationID && !spec.allocationID;
  if (memory.allocationID === id && memory.intent === undefined && !writesSpec) return undefined;
  const settled = { ...without(memory, 'intent'), allocationID: id };
  return { steps: [{ do: 'remember', memory: settled, ...(writesSpec && { specAllocationID: id }) }], meanwhile };
}

function heldByAnother(id: string, holder: string): Report {
  return stuck('Conflict', `${id} belongs to ${holder} already; two objects cannot have one address`);
}
