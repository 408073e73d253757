import type { KubeClient } from '@tributary/runtime';
import { annotations, labels, managedByValue, ownAnnotations, ownerAnnotation } from '../../contract/keys.ts';
import { vnodeName } from '../../contract/names.ts';
import { podKind } from '../../contract/pod.ts';
import type { Pod } from '../../contract/pod.ts';
import type { OpenSides } from '../../open-sides.ts';
import { clusterId, mountNamespace } from '../../testing/world.ts';

export type CopyOptions = {
  readonly name?: string;
  /** For the scripted kubelet, and whatever else the pod shall carry. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  /** True: the physical scheduler chooses the node, or does not. */
  readonly unbound?: boolean;
  /** False: the mapping is there, the UID is not. */
  readonly recordUid?: boolean;
  readonly physicalAnnotations?: Readonly<Record<string, string>>;
};

export type StartedCopy = {
  readonly ref: { readonly namespace: string; readonly name: string };
  readonly place: { readonly namespace: string; readonly name: string };
  readonly physical: Pod;
};

/** A pod on a virtual node and its copy, as the way down makes them, so that the way up can be tried alone. */
export async function startCopy(
  { v, p }: { readonly v: KubeClient; readonly p: KubeClient },
  { identity, physicalName }: Pick<OpenSides, 'identity' | 'physicalName'>,
  options: CopyOptions = {},
): Promise<StartedCopy> {
  const ref = { namespace: 'default', name: options.name ?? 'web' };
  const place = { namespace: mountNamespace, name: physicalName(ref) };
  const spec = { containers: [{ name: 'main', image: 'nginx' }], ...options.spec };
  const mapping = { [annotations.physicalPodNamespace]: place.namespace, [annotations.physicalPodName]: place.name };
  const virtual = await v.create(podKind, {
    metadata: { ...ref, annotations: { ...options.annotations, ...mapping } },
    spec: { ...spec, nodeName: vnodeName(clusterId, 'node-1') },
  });
  const uid = virtual.metadata.uid ?? '';
  const physical = await p.create(podKind, {
    metadata: {
      ...place,
      labels: { [labels.managedBy]: managedByValue },
      annotations: {
        ...options.annotations,
        [annotations.virtualPodNamespace]: ref.namespace,
        [annotations.virtualPodName]: ref.name,
        [annotations.virtualPodUid]: uid,
        [ownerAnnotation(identity.clusterId)]: identity.virtualCluster,
        ...options.physicalAnnotations,
      },
    },
    spec: options.unbound ? spec : { ...spec, nodeName: 'node-1' },
  });
  const recorded = { [annotations.physicalPodUid]: physical.metadata.uid ?? '', [ownAnnotations.mappedFor]: uid };
  if (options.recordUid ?? true) {
    await v.patch(podKind, ref, { type: 'merge', body: { metadata: { annotations: recorded } } });
  }
  return { ref, place, physical };
}
