import { configMapKind, eventKind, namespaceKind, secretKind } from '@tributary/runtime';
import type { Permission } from '@tributary/runtime';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import {
  claimKind,
  csiNodeKind,
  nodeKind,
  nodeLeaseKind,
  priorityClassKind,
  replicaSetKind,
  serviceAccountKind,
  serviceKind,
  volumeKind,
} from './contract/cluster-kinds.ts';
import { podKind } from './contract/pod.ts';
import { resourceLeasingPolicyKind } from './contract/resource-leasing-policy.ts';

// What the syncer does, kind by kind, and so what it may do: a test on two real clusters runs it with these rights and no others.

const held = ['list', 'watch'] as const;
const kept = ['get', ...held, 'create', 'patch', 'delete'] as const;

/** In V, for its ServiceAccount. `own` is where the syncer itself runs. */
export const virtualPermissions: readonly Permission[] = [
  { kind: clusterBindingKind, verbs: ['get', ...held, 'patch'] },
  { kind: clusterBindingKind, subresource: 'status', verbs: ['patch'] },
  // By the UID of kube-system a cluster is known; the guards of host ports have a namespace of their own.
  { kind: namespaceKind, verbs: ['get', 'create'] },
  { kind: nodeKind, verbs: [...held, 'create', 'patch', 'delete'] },
  { kind: nodeKind, subresource: 'status', verbs: ['patch'] },
  { kind: csiNodeKind, verbs: [...held, 'create', 'patch', 'delete'] },
  { kind: podKind, verbs: [...held, 'create', 'patch', 'delete'] },
  { kind: podKind, subresource: 'status', verbs: ['patch'] },
  { kind: configMapKind, verbs: [...held, 'patch'] },
  // One is read by name before anything else: the binding's kubeconfig.
  { kind: secretKind, verbs: ['get', ...held, 'patch'] },
  { kind: claimKind, verbs: [...held, 'patch'] },
  { kind: volumeKind, verbs: [...held, 'patch'] },
  { kind: serviceKind, verbs: held },
  { kind: serviceAccountKind, subresource: 'token', verbs: ['create'] },
  { kind: replicaSetKind, verbs: ['get'] },
  { kind: eventKind, verbs: ['create', 'patch'] },
  { kind: nodeLeaseKind, verbs: ['get', 'create', 'update'], namespace: 'own' },
];

/** In V's kube-node-lease: virtual nodes live as long as their leases are renewed. */
export const nodeLeasePermissions: readonly Permission[] = [{ kind: nodeLeaseKind, verbs: ['create', 'patch'] }];

/** In all of P, for the account of the kubeconfig. */
export const physicalPermissions: readonly Permission[] = [
  { kind: nodeKind, verbs: [...held, 'patch'] },
  // Pods of others take resources and ports of nodes that are lent.
  { kind: podKind, verbs: held },
  { kind: csiNodeKind, verbs: held },
  { kind: volumeKind, verbs: kept },
  { kind: priorityClassKind, verbs: [...held, 'create'] },
  { kind: resourceLeasingPolicyKind, verbs: [...held, 'patch'] },
  { kind: resourceLeasingPolicyKind, subresource: 'status', verbs: ['patch'] },
];

/** In P's mount namespace. */
export const mountPermissions: readonly Permission[] = [
  { kind: podKind, verbs: kept },
  { kind: podKind, subresource: 'ephemeralcontainers', verbs: ['patch'] },
  { kind: podKind, subresource: 'resize', verbs: ['patch'] },
  { kind: configMapKind, verbs: kept },
  { kind: secretKind, verbs: kept },
  { kind: claimKind, verbs: kept },
  { kind: eventKind, verbs: held },
];

/** In each namespace of P that receives Secrets of CSI volumes. */
export const csiSecretPermissions: readonly Permission[] = [{ kind: secretKind, verbs: kept }];
