import type { Node, NodeAddress, Taint } from '../contract/cluster-kinds.ts';
import { annotations as keys, labels as labelKeys, managedByValue, ownPrefix } from '../contract/keys.ts';
import { toLabelValue } from '../contract/names.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import type { BindingFacts } from '../sides.ts';
import { describePolicy } from './choose-policy.ts';
import { toVnodeTaints } from './vnode-taints.ts';

type Texts = Readonly<Record<string, string>>;

export type VnodeInputs = {
  readonly name: string;
  readonly node: Node;
  readonly policy: ResourceLeasingPolicy;
  readonly binding: BindingFacts;
  readonly resources: Texts;
  readonly window: Taint | undefined;
  readonly port: number;
  /** Where the node's logs and shells are served, if somebody serves them. */
  readonly address: string | undefined;
  readonly prometheusPort: number;
};

/** What a virtual node shall be for its physical one: the part of it that is ours. */
export type WantedVnode = {
  readonly name: string;
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly taints: readonly Taint[];
  readonly status: Readonly<Record<string, unknown>>;
};

/** Of the physical cluster's own business, or kept by a controller of the virtual one. */
const leftBelow = new Set([
  'node.alpha.kubernetes.io/ttl',
  'kubectl.kubernetes.io/last-applied-configuration',
  keys.lastSyncTime,
  keys.expectedMetadata,
  keys.deletionTaintTime,
]);

export function toWantedVnode(inputs: VnodeInputs): WantedVnode {
  const { name, node, binding, window, port } = inputs;
  return {
    name,
    labels: toLabels(inputs),
    annotations: toAnnotations(inputs),
    taints: toVnodeTaints({
      physical: node.spec?.taints ?? [],
      defaultTaint: !binding.disableNodeDefaultTaint,
      window,
    }),
    status: {
      capacity: inputs.resources,
      allocatable: inputs.resources,
      conditions: node.status?.conditions ?? [],
      ...(node.status?.['nodeInfo'] !== undefined && { nodeInfo: node.status['nodeInfo'] }),
      // The scheduler and the API server ask a node for these before they let a pod use them.
      declaredFeatures: node.status?.['declaredFeatures'] ?? [],
      ...(node.status?.phase && { phase: node.status.phase }),
      addresses: toAddresses(name, inputs.address),
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
  };
}

function toLabels({ name, node, policy, binding, port }: VnodeInputs): Texts {
  const { name: physicalName = '', uid = '' } = node.metadata;
  const innerIp = (node.status?.addresses ?? []).find(({ type }) => type === 'InternalIP')?.address;
  return {
    ...node.metadata.labels,
    [labelKeys.clusterBinding]: binding.name,
    [labelKeys.physicalClusterId]: binding.clusterId,
    // A label may hold 63 letters; the whole name is in the annotation.
    [labelKeys.physicalNodeName]: toLabelValue(physicalName),
    [labelKeys.physicalNodeUid]: uid,
    [labelKeys.managedBy]: managedByValue,
    [labelKeys.nodeType]: 'virtual-kubelet',
    [labelKeys.instanceType]: 'vnode',
    [labelKeys.betaInstanceType]: 'vnode',
    [labelKeys.hostname]: name,
    ...(innerIp && { [labelKeys.physicalNodeInnerIp]: toLabelValue(innerIp) }),
    [labelKeys.proxierPort]: String(port),
    [labelKeys.policyApplied]: toLabelValue(policy.metadata.name ?? ''),
  };
}

function toAnnotations({ name, node, policy, address, prometheusPort }: VnodeInputs): Texts {
  const copied = Object.entries(node.metadata.annotations ?? {}).filter(
    ([key]) => !leftBelow.has(key) && !key.startsWith(ownPrefix),
  );
  return {
    ...Object.fromEntries(copied),
    [keys.physicalNodeName]: node.metadata.name ?? '',
    [keys.physicalNodeUid]: node.metadata.uid ?? '',
    [keys.policiesApplied]: policy.metadata.name ?? '',
    [keys.policyDetails]: describePolicy(policy),
    [keys.prometheusUrl]: `${address ?? '<pending>'}:${prometheusPort}/${name}`,
  };
}

function toAddresses(name: string, address: string | undefined): readonly NodeAddress[] {
  return [...(address ? [{ type: 'InternalIP', address }] : []), { type: 'Hostname', address: name }];
}
