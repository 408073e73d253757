import type { AnyObject, Kind } from '@tributary/runtime';
import { configMapKind, secretKind } from '@tributary/runtime';
import { nodeKind, serviceKind } from './contract/cluster-kinds.ts';
import { managedByLabel, managedByValue, syncedByLabel } from './contract/keys.ts';
import { vnodePrefix } from './contract/names.ts';
import { podKind } from './contract/pod.ts';
import type { Container, Pod } from './contract/pod.ts';

// What the caches hold of the two clusters. A virtual cluster may have thousands of ConfigMaps, Secrets and pods that are none of our
// business: of those no more is kept than that they are there.

type Transform = (object: AnyObject, kind: Kind) => AnyObject;
type Place = { readonly name?: string | undefined; readonly namespace?: string | undefined };

export type VirtualContents = {
  readonly clusterId: string;
  /** The Secret with the kubeconfig, whose content is watched. */
  readonly kubeconfig: Place;
};

/** Content is kept of what carries our label, and of pods on virtual nodes. */
export function createVirtualContents({ clusterId, kubeconfig }: VirtualContents): Transform {
  const isHeld = ({ metadata }: AnyObject): boolean => metadata.labels?.[syncedByLabel(clusterId)] !== undefined;
  const isKubeconfig = ({ metadata }: AnyObject): boolean =>
    metadata.name === kubeconfig.name && metadata.namespace === kubeconfig.namespace;
  return (object, kind) => {
    switch (`${kind.group}/${kind.plural}`) {
      case idOf(configMapKind):
        return isHeld(object) ? stripped(object) : withoutContent(object);
      case idOf(secretKind):
        return isHeld(object) || isKubeconfig(object) ? stripped(object) : withoutContent(object);
      case idOf(podKind):
        return isOnVnode(object as Pod) ? stripped(object) : toBystander(object as Pod);
      case idOf(serviceKind):
        return toAddress(object);
      default:
        return stripped(object);
    }
  };
}

/** Of pods that no syncer made only what they take of their node; of nodes no list of images. */
export const physicalContents: Transform = (object, kind) => {
  switch (`${kind.group}/${kind.plural}`) {
    case idOf(podKind):
      return object.metadata.labels?.[managedByLabel] === managedByValue ? stripped(object) : toOccupant(object as Pod);
    case idOf(nodeKind):
      return withoutImages(stripped(object));
    default:
      return stripped(object);
  }
};

function idOf({ group, plural }: Pick<Kind, 'group' | 'plural'>): string {
  return `${group}/${plural}`;
}

type Mutable = Record<string, unknown> & { metadata: { managedFields?: unknown } };

/** By assignment: `delete` would turn the object into a dictionary, which costs more memory than the fields did. */
function stripped(object: AnyObject): AnyObject {
  if (object.metadata.managedFields !== undefined) (object as unknown as Mutable).metadata.managedFields = undefined;
  return object;
}

/** With its metadata, which the first mark is added to; that write's answer brings the content. */
function withoutContent(object: AnyObject): AnyObject {
  const { apiVersion, kind, metadata, type } = object;
  return stripped({ apiVersion, kind, metadata, ...(type !== undefined && { type }) } as AnyObject);
}

function isOnVnode({ spec }: Pod): boolean {
  return spec.nodeName?.startsWith(vnodePrefix) ?? false;
}

function bare({ apiVersion, kind, metadata }: AnyObject): AnyObject {
  const { name, namespace, uid, resourceVersion, generation, labels, deletionTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, generation, labels, deletionTimestamp },
  } as AnyObject;
}

/** A pod that waits for a node, or runs on one that is not ours: it comes whole when it is bound to a virtual one. */
function toBystander(pod: Pod): AnyObject {
  return { ...bare(pod), spec: { nodeName: pod.spec.nodeName, containers: [] } };
}

function toOccupant(pod: Pod): AnyObject {
  const { nodeName, containers, initContainers, overhead, resources } = pod.spec;
  return {
    ...bare(pod),
    spec: {
      nodeName,
      overhead,
      resources,
      containers: containers.map(slim),
      initContainers: initContainers?.map(slim),
    },
    status: { phase: pod.status?.phase },
  };
}

function slim({ name, resources, ports, restartPolicy }: Container): Container {
  return { name, resources, ports, restartPolicy } as Container;
}

function toAddress(service: AnyObject): AnyObject {
  const { clusterIP, ports } = (service['spec'] ?? {}) as Readonly<Record<string, unknown>>;
  const { loadBalancer } = (service['status'] ?? {}) as Readonly<Record<string, unknown>>;
  return { ...bare(service), spec: { clusterIP, ports }, status: { loadBalancer } };
}

function withoutImages(node: AnyObject): AnyObject {
  const status = node['status'] as Record<string, unknown> | undefined;
  if (status?.['images'] !== undefined) status['images'] = undefined;
  return node;
}
