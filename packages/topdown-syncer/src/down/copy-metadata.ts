import type { KubeObject, ObjectRef } from '@tributary/runtime';
import type { Identity } from '../contract/claim.ts';
import { encodeExpectedMetadata } from '../contract/expected-metadata.ts';
import type { ExpectedMetadata } from '../contract/expected-metadata.ts';
import { annotations, labels, managedByValue, ownerAnnotation, ownPrefix } from '../contract/keys.ts';
import { without } from './pod-metadata.ts';

/** What V says about a ConfigMap, Secret, claim or volume, and its copy shall say, too. */
export function expectedOfCopy({ metadata }: KubeObject): Required<Pick<ExpectedMetadata, 'labels' | 'annotations'>> {
  return {
    labels: without(metadata.labels, isBindingLabel),
    annotations: without(metadata.annotations, isBindingAnnotation),
  };
}

/** The metadata of a new copy. */
export function copyMetadata(object: KubeObject, place: ObjectRef, identity: Identity): KubeObject['metadata'] {
  const expected = expectedOfCopy(object);
  const { name = '', namespace = '' } = object.metadata;
  return {
    name: place.name,
    ...(place.namespace !== undefined && { namespace: place.namespace }),
    labels: { ...expected.labels, [labels.managedBy]: managedByValue },
    annotations: {
      ...expected.annotations,
      [annotations.virtualName]: name,
      [annotations.virtualNamespace]: namespace,
      [annotations.expectedMetadata]: encodeExpectedMetadata(expected),
      [ownerAnnotation(identity.clusterId)]: identity.virtualCluster,
    },
  };
}

const bindingAnnotations = new Set<string>([
  annotations.physicalName,
  annotations.physicalNamespace,
  annotations.virtualName,
  annotations.virtualNamespace,
  annotations.physicalPodNamespace,
  annotations.physicalPodName,
  annotations.physicalPodUid,
  annotations.lastSyncTime,
  annotations.expectedMetadata,
]);

/** How V's volume controller bound a claim and its volume; P's must find its own way, and would take these for its own. */
const volumeAnnotations = new Set<string>([
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'volume.kubernetes.io/selected-node',
]);

function isBindingAnnotation(key: string): boolean {
  if (volumeAnnotations.has(key)) return true;
  return bindingAnnotations.has(key) || key.startsWith(ownPrefix) || key.startsWith('kubeocean.io/deleting-');
}

function isBindingLabel(key: string): boolean {
  return key === labels.managedBy || key === labels.usedByPv || key.startsWith('kubeocean.io/synced-by-');
}
