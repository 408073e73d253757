import { configMapKind, crdKind, eventKind, secretKind } from '@tributary/runtime';
import type { Permission } from '@tributary/runtime';
import { contributors } from './catalog.ts';
import { tunnelConverters } from './conversion/tunnel-converters.ts';
import type { AnyContributor } from './engine/l2-controllers/contributor.ts';
import { syncStateKind } from './engine/l4-state/sync-state.ts';

// What the operator does, from what its kinds declare, and so what it may do: a test on a real API server runs it with these
// rights and no others.

const seen = ['get', 'list', 'watch'] as const;
const kept = [...seen, 'create', 'patch', 'delete'] as const;
const leases = { group: 'coordination.k8s.io', plural: 'leases' };

/** What one kind needs: its objects, what they refer to, what goes with them. */
function permissionsOf({ kind, reads = [], mayRead = [], childKinds = [] }: AnyContributor): readonly Permission[] {
  return [
    { kind, verbs: [...seen, 'patch'] },
    { kind, subresource: 'status', verbs: ['patch'] },
    // Where owners may not be named without the right to finalize them.
    { kind, subresource: 'finalizers', verbs: ['update'] },
    ...[...reads, ...mayRead].map((read): Permission => ({ kind: read, verbs: seen })),
    ...childKinds.map((child): Permission => ({ kind: child, verbs: kept })),
  ];
}

export const permissions: readonly Permission[] = [
  ...contributors.flatMap(permissionsOf),
  { kind: syncStateKind, verbs: kept },
  { kind: syncStateKind, subresource: 'status', verbs: ['patch'] },
  // Tokens are where their users want them; the operator reads those it is pointed to, writes those it makes, and deletes
  // one of its own that has got another name.
  { kind: secretKind, verbs: kept },
  // The kinds of others come and go.
  { kind: crdKind, verbs: seen },
  // Those with two versions are told whom to trust for their conversion.
  { kind: crdKind, verbs: ['patch'], names: Object.keys(tunnelConverters) },
  { kind: eventKind, verbs: ['create', 'patch'] },
  { kind: configMapKind, verbs: [...seen, 'create', 'delete'], namespace: 'own' },
  { kind: secretKind, verbs: ['update'], namespace: 'own' },
  { kind: leases, verbs: ['get', 'create', 'update'], namespace: 'own' },
];
