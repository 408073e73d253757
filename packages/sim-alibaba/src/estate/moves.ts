import type { Estate } from './create-estate.ts';
import type { Binding, Eip } from './eip.ts';
import { without } from './without.ts';

/** The changes that take their time, as the API and the dashboard both do them; whether they may is asked before. */

export function associate(estate: Estate, eip: Eip, binding: Binding, afterMs: number): void {
  const now: Eip = { ...eip, status: 'Associating', binding };
  estate.transit('status', { now, afterMs, becomes: (later) => ({ ...later, status: 'InUse' }) });
}

export function unassociate(estate: Estate, eip: Eip, afterMs: number): void {
  const now: Eip = { ...eip, status: 'Unassociating' };
  estate.transit('status', {
    now,
    afterMs,
    becomes: (later) => ({ ...without(later, 'binding'), status: 'Available' }),
  });
}

export function release(estate: Estate, eip: Eip, afterMs: number): void {
  estate.transit('status', { now: { ...eip, status: 'Releasing' }, afterMs, becomes: () => undefined });
}

export function joinPackage(estate: Estate, eip: Eip, packageId: string, afterMs: number): void {
  const now: Eip = { ...eip, membership: { packageId, relation: 'BINDING' } };
  const becomes = (later: Eip): Eip => ({ ...later, membership: { packageId, relation: 'BINDED' } });
  estate.transit('membership', { now, afterMs, becomes });
}

export function leavePackage(estate: Estate, eip: Eip, packageId: string, afterMs: number): void {
  const now: Eip = { ...eip, membership: { packageId, relation: 'UNBINDING' } };
  estate.transit('membership', { now, afterMs, becomes: (later) => without(later, 'membership') });
}
