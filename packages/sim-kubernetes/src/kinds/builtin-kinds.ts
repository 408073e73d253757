import type { ResourceType } from '../registry/resource-type.ts';
import type { BuiltinKind } from './builtin-kind.ts';
import { builtinKind } from './builtin-kind.ts';

const declared: readonly BuiltinKind[] = [
  ...[
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'Namespace',
    'Node',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'ServiceAccount',
    'Service',
  ].map((kind) => ({ group: '', version: 'v1', kind })),
  ...['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => ({
    group: 'apps',
    version: 'v1',
    kind,
  })),
];

/** Every built-in kind that the embedded server serves, groups in the order of discovery. */
export function builtinKinds(): readonly ResourceType[] {
  return declared.map(builtinKind);
}
