import type { EipObject } from './resource.ts';

/**
 * What the operator must not forget about an object and cannot read from the provider. It lives in an annotation:
 * the status may be pruned by an older CRD, and the spec belongs to the user.
 */
export type EipMemory = {
  /**
   * Whose the address is. `created`: allocated for this object. `adopted`: named by the user. `migrated`: the object
   * carried the original's finalizer before we first saw it, so the original's meaning holds.
   */
  readonly ownership: 'created' | 'adopted' | 'migrated';
  readonly allocationID?: string;
  /** Recorded before Allocate is called, and kept until its outcome is known. */
  readonly intent?: EipIntent;
  /** The bandwidth package that this operator (or the original) put the address in. */
  readonly packageID?: string;
  /** Keys of the tags that the spec named: those that it no longer names are taken away. */
  readonly tagKeys?: readonly string[];
};

/** The same token with the same parameters gives the same address, however often it is sent. */
export type EipIntent = {
  readonly token: string;
  readonly params: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
};

export const finalizer = 'eip.alibabacloud.com/finalizer';
export const memoryAnnotation = 'eip.alibabacloud.com/memory';
export const releaseAdoptedAnnotation = 'eip.alibabacloud.com/release-adopted';

/** Undefined when there is none, or when it belongs to another object: a copy must not inherit an address. */
export function memoryOf({ metadata }: Pick<EipObject, 'metadata'>): EipMemory | undefined {
  const stored = readStored(metadata.annotations?.[memoryAnnotation]);
  return stored && stored.uid === metadata.uid ? stored.memory : undefined;
}

/** The object has the memory of another, so it was copied or restored. */
export function isCopy({ metadata }: Pick<EipObject, 'metadata'>): boolean {
  const stored = readStored(metadata.annotations?.[memoryAnnotation]);
  return stored !== undefined && stored.uid !== metadata.uid;
}

export function toAnnotation(memory: EipMemory, uid: string): string {
  return JSON.stringify({ uid, ...memory });
}

type Stored = { readonly uid: string; readonly memory: EipMemory };

/** Nothing that a person wrote there by hand may stop the operator: what makes no sense counts as absent. */
function readStored(text: string | undefined): Stored | undefined {
  if (text === undefined) return undefined;
  try {
    const { uid, ...memory } = JSON.parse(text) as { uid?: unknown } & EipMemory;
    const isKnown = ['created', 'adopted', 'migrated'].includes(memory.ownership);
    return typeof uid === 'string' && isKnown ? { uid, memory } : undefined;
  } catch {
    return undefined;
  }
}
