import type { EipWorld } from '../eip-world.ts';
import { finalizer, memoryAnnotation, toAnnotation } from '../memory.ts';
import type { EipMemory } from '../memory.ts';
import type { ObservedEip } from '../observed-eip.ts';
import { ownerTags } from '../owner-tags.ts';
import type { EipObject, EipSpec, EipStatus } from '../resource.ts';

export const uid = 'uid-1';
export const settings = { regionId: 'cn-hangzhou', clusterId: 'c1', writeSpecAllocationID: true };
export const nowMs = Date.UTC(2026, 0, 5, 12);

type Draft = {
  readonly spec?: Partial<EipSpec>;
  readonly status?: EipStatus;
  readonly memory?: EipMemory;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly deletedAgoMs?: number;
};

export function anObject({ spec, status, memory, annotations, finalizers, deletedAgoMs }: Draft = {}): EipObject {
  const notes = memory && { [memoryAnnotation]: toAnnotation(memory, uid) };
  return {
    metadata: {
      name: 'web',
      namespace: 'default',
      uid,
      resourceVersion: '7',
      annotations: { ...annotations, ...notes },
      finalizers: finalizers ?? (memory ? [finalizer] : []),
      ...(deletedAgoMs !== undefined && { deletionTimestamp: new Date(nowMs - deletedAgoMs).toISOString() }),
    },
    spec: { internetChargeType: 'PayByTraffic', releaseStrategy: 'OnDelete', ...spec },
    ...(status && { status }),
  };
}

export function anEip(given: Partial<ObservedEip> = {}): ObservedEip {
  return {
    id: 'eip-1',
    address: '198.18.0.1',
    status: 'Available',
    bandwidth: '5',
    packageId: '',
    internetChargeType: 'PayByTraffic',
    instanceChargeType: 'PostPaid',
    isp: 'BGP',
    name: '',
    description: '',
    resourceGroupId: '',
    poolId: '',
    securityProtectionTypes: [],
    tags: ownerTags('c1', anObject()),
    boundTo: '',
    locks: [],
    deletionProtection: false,
    serviceManaged: false,
    ...given,
  };
}

export function aWorld(draft: Draft = {}, given: Partial<EipWorld> & { readonly eip?: ObservedEip } = {}): EipWorld {
  const { eip, ...others } = given;
  return {
    object: anObject(draft),
    observation: eip ? { kind: 'seen', eip } : { kind: 'unknown' },
    marked: [],
    markedIsFresh: false,
    refused: undefined,
    releaseAccepted: false,
    holder: undefined,
    isAlive: () => false,
    settings,
    nextToken: 'token-2',
    nowMs,
    ...others,
  };
}
