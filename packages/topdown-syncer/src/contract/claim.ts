import type { KubeObject } from '@tributary/runtime';
import { isOwnerAnnotation, managedByLabel, managedByValue, ownerAnnotation } from './keys.ts';

/** Whom an object of the physical cluster belongs to, by the marks on it. */
export type Claim =
  /** This binding uses it; others of the same virtual cluster may, too. */
  | { readonly of: 'us'; readonly shared: boolean }
  /** Another binding of the same virtual cluster made it. */
  | { readonly of: 'sibling'; readonly clusterIds: readonly string[] }
  /** Another virtual cluster made it. */
  | { readonly of: 'stranger'; readonly virtualCluster: string; readonly clusterIds: readonly string[] }
  /** A syncer made it that left no mark: the original did. */
  | { readonly of: 'unmarked' }
  /** No syncer made it. */
  | { readonly of: 'nobody' };

export type Identity = { readonly clusterId: string; readonly virtualCluster: string };

/** Reads the marks. Where marks of two virtual clusters stand side by side, the object is not ours. */
export function claimOf(object: KubeObject, { clusterId, virtualCluster }: Identity): Claim {
  const marks = Object.entries(object.metadata.annotations ?? {}).filter(([key]) => isOwnerAnnotation(key));
  const clusterIds = marks.map(([key]) => key.slice(ownerAnnotation('').length));
  const stranger = marks.find(([, value]) => value !== virtualCluster);
  if (stranger) return { of: 'stranger', virtualCluster: stranger[1], clusterIds };
  if (marks.some(([key]) => key === ownerAnnotation(clusterId))) return { of: 'us', shared: marks.length > 1 };
  if (marks.length > 0) return { of: 'sibling', clusterIds };
  return object.metadata.labels?.[managedByLabel] === managedByValue ? { of: 'unmarked' } : { of: 'nobody' };
}

/** For events and logs: who holds a name that somebody else wants. */
export function describeHolder(claim: Claim): string {
  switch (claim.of) {
    case 'us':
      return 'this binding';
    case 'sibling':
      return `the binding with cluster id ${claim.clusterIds.join(', ')}`;
    case 'stranger':
      return `virtual cluster ${claim.virtualCluster} (cluster id ${claim.clusterIds.join(', ')})`;
    case 'unmarked':
      return 'another syncer that left no mark of its virtual cluster';
    case 'nobody':
      return 'somebody who is no syncer';
    default:
      return claim satisfies never;
  }
}
