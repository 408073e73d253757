// The node that a scripted kubelet stands for: its object, and the lease that says it is alive.
import type { ActorContext } from '../registry/actor.ts';
import { isApiError } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import { ensureChild, items, text } from '../kinds/draft-fields.ts';

const nodes = { group: '', plural: 'nodes' };
const leases = { group: 'coordination.k8s.io', plural: 'leases' };
const leaseNamespace = 'kube-node-lease';
const leaseSeconds = 40;
const notReady = 'node.kubernetes.io/not-ready';

export type KubeletNode = {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly JsonObject[];
  /** As in `{ cpu: '4', memory: '16Gi', pods: '110' }`. */
  readonly capacity?: Readonly<Record<string, string>>;
  readonly address?: string;
};

const plenty = { cpu: '32', memory: '128Gi', 'ephemeral-storage': '500Gi', pods: '500' };

/** Makes the node if it is not there, and says that it is ready. */
export async function registerNode({ client, hooks }: ActorContext, node: KubeletNode, address: string): Promise<void> {
  const { name, labels = {}, taints = [] } = node;
  if (client.get(nodes, { name }) === undefined) {
    const standard = {
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'beta.kubernetes.io/arch': 'amd64',
    };
    await client.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...standard, ...labels } },
      spec: { taints: cloneJson(taints) },
    });
  }
  await client.change(nodes, { name }, (draft) => setStatus(draft, node, address, hooks.now()), {
    subresource: 'status',
  });
  // In a whole cluster the node lifecycle controller takes this away when it sees the node ready.
  await client.change(nodes, { name }, (draft) => {
    const spec = ensureChild(draft, 'spec');
    const kept = items(spec, 'taints').filter((taint) => text(taint, 'key') !== notReady);
    if (kept.length === items(spec, 'taints').length) return false;
    spec['taints'] = kept;
    return true;
  });
}

const conditions = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

function setStatus(draft: Draft, { name, capacity = plenty }: KubeletNode, address: string, now: string): void {
  Object.assign(ensureChild(draft, 'status'), {
    capacity: { ...capacity },
    allocatable: { ...capacity },
    conditions: conditions.map(([type, status, reason, message]) => ({
      type,
      status,
      lastHeartbeatTime: now,
      lastTransitionTime: now,
      reason,
      message,
    })),
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: '6.1.0',
      osImage: 'Simulated',
      containerRuntimeVersion: 'simulated://1.0.0',
      kubeletVersion: 'v1.36.3',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  });
}

/** Says once more that the node is alive. */
export async function renewLease({ client, clock }: ActorContext, name: string): Promise<void> {
  const ref = { namespace: leaseNamespace, name };
  const renewTime = `${new Date(clock.now()).toISOString().slice(0, -1)}000Z`;
  const renew = (draft: Draft): void => void (ensureChild(draft, 'spec')['renewTime'] = renewTime);
  try {
    if (client.get(leases, ref) !== undefined) {
      await client.change(leases, ref, renew);
      return;
    }
    const node = client.get(nodes, { name });
    if (node === undefined) return;
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid };
    await client.create(leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...ref, ownerReferences: [owner] },
      spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime },
    });
  } catch (error) {
    // The lease or its namespace may be on their way out; the next renewal sees.
    if (!isApiError(error)) throw error;
  }
}
