import { memoryOf } from './memory.ts';
import type { EipMemory } from './memory.ts';
import type { Observation, ObservedEip } from './observed-eip.ts';
import type { EipObject } from './resource.ts';

export type EipSettings = {
  readonly regionId: string;
  readonly clusterId: string;
  /** Write the id of an allocated address into `spec.allocationID` too. */
  readonly writeSpecAllocationID: boolean;
};

/** `inDoubt`: an earlier call with this token has no answer that we know of, so an address may be there all the same. */
export type RefusedToken = { readonly token: string; readonly inDoubt: boolean };

/** Everything that the plan may look at. */
export type EipWorld = {
  readonly object: EipObject;
  readonly observation: Observation;
  /** Addresses that carry the mark of this object; undefined as long as nobody looked. */
  readonly marked: readonly ObservedEip[] | undefined;
  /** `marked` was asked for in this pass, so no lag of ours is in it. */
  readonly markedIsFresh: boolean;
  /** A token that the provider has refused for good: whatever is sent next needs another. */
  readonly refused: RefusedToken | undefined;
  /** A release was accepted in this pass. */
  readonly releaseAccepted: boolean;
  /** The other object, `namespace/name`, to which the address belongs. */
  readonly holder: string | undefined;
  /** An object of this cluster with this uid is alive. */
  readonly isAlive: (uid: string) => boolean;
  readonly settings: EipSettings;
  readonly nextToken: string;
  readonly nowMs: number;
};

/** The address of an object: what we remember, else what the status says, else what the spec asks for. */
export function idOf(object: EipObject): string | undefined {
  const memory = memoryOf(object);
  const { spec, status } = object;
  return memory
    ? memory.allocationID || status?.allocationID || undefined
    : spec.allocationID || status?.allocationID || undefined;
}

export function deletionStartedMs({ metadata }: EipObject): number | undefined {
  return metadata.deletionTimestamp === undefined ? undefined : Date.parse(metadata.deletionTimestamp);
}

export function without(memory: EipMemory, ...keys: readonly (keyof EipMemory)[]): EipMemory {
  return Object.fromEntries(
    Object.entries(memory).filter(([key]) => !keys.includes(key as keyof EipMemory)),
  ) as EipMemory;
}
