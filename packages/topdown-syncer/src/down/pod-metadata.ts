import type { ExpectedMetadata } from '../contract/expected-metadata.ts';
import { annotations, labels, ownPrefix } from '../contract/keys.ts';
import type { Pod } from '../contract/pod.ts';

// What V says about a pod and P shall say, too. Keys that tie the two together are never taken from a user.

const bindingAnnotations = new Set<string>([
  annotations.physicalPodNamespace,
  annotations.physicalPodName,
  annotations.physicalPodUid,
  annotations.lastSyncTime,
  annotations.virtualPodNamespace,
  annotations.virtualPodName,
  annotations.virtualPodUid,
  annotations.virtualNodeName,
  annotations.expectedMetadata,
]);

const bindingLabels = new Set<string>([
  labels.managedBy,
  labels.virtualNamespace,
  labels.workloadType,
  labels.workloadName,
]);

export function expectedOfPod({ metadata }: Pod): Required<Pick<ExpectedMetadata, 'labels' | 'annotations'>> {
  return {
    labels: without(metadata.labels, (key) => bindingLabels.has(key)),
    annotations: without(metadata.annotations, (key) => bindingAnnotations.has(key) || key.startsWith(ownPrefix)),
  };
}

export function without(
  map: Readonly<Record<string, string>> = {},
  dropped: (key: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !dropped(key)));
}
