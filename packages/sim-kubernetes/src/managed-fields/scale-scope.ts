import { normalizeObject } from '../kinds/normalize-object.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../registry/json.ts';
import type { FieldScope } from './field-scope.ts';
import { namedType } from './merge-type-of.ts';
import type { ReplicasPaths } from './scale-entries.ts';

export const scaleSchema = 'io.k8s.api.autoscaling.v1.Scale';

/** How the fields of a Scale are owned, whatever it scales. */
export function scaleScope(): FieldScope {
  const empty: Draft = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
  normalizeObject(empty, scaleSchema);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    subresource: 'scale',
    type: namedType(scaleSchema),
    changeable: false,
    empty,
    filterFor: () => (fields) => fields,
    typeAt: () => undefined,
    convert: (object) => object,
  };
}

export function replicasPaths(registry: Registry, { kind }: ResourceType): ReplicasPaths {
  return (apiVersion) => {
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    const type = registry.findKind(group, version, kind);
    if (type === undefined) return undefined;
    const steps = type.scale?.specReplicasPath.split('.').filter((step) => step !== '');
    return steps === undefined ? null : steps.map((step) => `f:${step}`);
  };
}
