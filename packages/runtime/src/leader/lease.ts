import { defineKind } from '../kind.ts';
import type { KubeObject } from '../object.ts';

export type LeaseSpec = {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
};

export type Lease = KubeObject & { readonly spec?: LeaseSpec };

export const leaseKind = defineKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
});

/** The lease in the hands of a new holder. The number of transitions counts the terms, so no two terms share one. */
export function toAcquired(
  lease: Lease,
  holder: { readonly identity: string; readonly leaseDurationMs: number },
  wallMs: number,
): Lease {
  const now = toMicroTime(wallMs);
  return {
    ...lease,
    spec: {
      ...lease.spec,
      holderIdentity: holder.identity,
      leaseDurationSeconds: Math.ceil(holder.leaseDurationMs / 1000),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: lease.spec ? (lease.spec.leaseTransitions ?? 0) + 1 : 0,
    },
  };
}

export function toRenewed(lease: Lease, wallMs: number): Lease {
  return { ...lease, spec: { ...lease.spec, renewTime: toMicroTime(wallMs) } };
}

/** Nobody's, and short, so that even a client that looks only at the duration takes it at once. */
export function toReleased(lease: Lease, wallMs: number): Lease {
  const now = toMicroTime(wallMs);
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now },
  };
}

/** RFC 3339 with six decimals: the only form that the API server takes for these fields. */
export function toMicroTime(wallMs: number): string {
  return new Date(wallMs).toISOString().replace('Z', '000Z');
}
