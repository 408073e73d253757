import { reviewKinds } from '../auth/reviews/review-kinds.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { apiService } from './aggregation/api-service.ts';
import { workloads } from './apps/workloads.ts';
import { horizontalPodAutoscaler } from './autoscaling/autoscaler.ts';
import { jobs } from './batch/jobs.ts';
import type { BuiltinKind } from './builtin-kind.ts';
import { builtinKind } from './builtin-kind.ts';
import { componentStatus } from './core/component-status.ts';
import { configMap } from './core/config-map.ts';
import { event, newEvent } from './core/event.ts';
import { namespace } from './core/namespace.ts';
import { node } from './core/node.ts';
import { persistentVolumeClaim } from './core/persistent-volume-claim.ts';
import { persistentVolume } from './core/persistent-volume.ts';
import { plainKinds } from './core/plain-kinds.ts';
import { pod } from './core/pod.ts';
import { secret } from './core/secret.ts';
import { service } from './core/service.ts';
import { addressKinds } from './networking/address-kinds.ts';
import { networkingKinds } from './networking/networking-kinds.ts';
import {
  customResourceDefinition,
  endpointSlice,
  lease,
  podDisruptionBudget,
  priorityClass,
} from './other/other-kinds.ts';
import { resourceKinds } from './other/resource-kinds.ts';
import { runtimeClass } from './other/runtime-class.ts';
import { rbacKinds } from './rbac/rbac-kinds.ts';
import { storageKinds } from './storage/storage-kinds.ts';

const core: readonly BuiltinKind[] = [
  componentStatus,
  configMap,
  event,
  namespace,
  node,
  persistentVolumeClaim,
  persistentVolume,
  pod,
  secret,
  service,
  ...plainKinds,
];

/** Every built-in kind that the embedded server serves, groups in the order in which discovery has them. */
export function builtinKinds(): readonly ResourceType[] {
  const declared = [
    ...core,
    apiService,
    ...workloads,
    newEvent,
    ...reviewKinds,
    horizontalPodAutoscaler,
    ...jobs,
    ...networkingKinds,
    ...addressKinds,
    podDisruptionBudget,
    ...rbacKinds,
    ...storageKinds,
    customResourceDefinition,
    priorityClass,
    lease,
    runtimeClass,
    endpointSlice,
    ...resourceKinds,
  ];
  return declared.map(builtinKind);
}
