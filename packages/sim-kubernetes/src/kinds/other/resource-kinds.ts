import type { BuiltinKind } from '../builtin-kind.ts';
import { specChanged } from '../core/plain-kinds.ts';

const inResource = { group: 'resource.k8s.io', version: 'v1' } as const;

/** Devices that pods claim: kept and served for the scheduler, which waits for them; only their structure is checked. */
export const resourceKinds: readonly BuiltinKind[] = [
  { ...inResource, kind: 'DeviceClass', strategy: { generationChanged: specChanged } },
  { ...inResource, kind: 'ResourceClaim', strategy: { noGeneration: true } },
  { ...inResource, kind: 'ResourceClaimTemplate', strategy: { noGeneration: true } },
  { ...inResource, kind: 'ResourceSlice', strategy: { generationChanged: specChanged } },
];
