import type { Clock } from '../clock.ts';
import type { Lease, LeaseSpec } from './lease.ts';

/**
 * What a candidate knows about somebody else's lease. It counts by its own monotonic clock from the moment it saw
 * the lease change: the times written in the lease come from another machine's clock and decide nothing.
 */
export type ObservedLease = {
  readonly see: (lease: Lease | undefined) => void;
  readonly holder: () => string | undefined;
  readonly transitions: () => number | undefined;
  /** How long the holder may still believe that it leads; 0 when anybody may take the lease. */
  readonly heldForMs: () => number;
};

export function createObservedLease(ownDurationMs: number, clock: Pick<Clock, 'monotonic'>): ObservedLease {
  let seen: LeaseSpec | undefined;
  let changedAt = 0;

  return {
    see: (lease) => {
      // A lease that was deleted ends as if it stood still: its holder has not heard of it.
      const spec = lease ? (lease.spec ?? {}) : seen;
      if (spec === seen || isSameRecord(spec, seen)) return;
      seen = spec;
      changedAt = clock.monotonic();
    },
    holder: () => seen?.holderIdentity,
    transitions: () => seen?.leaseTransitions,
    heldForMs: () => {
      if (!seen?.holderIdentity) return 0;
      const durationMs = seen.leaseDurationSeconds === undefined ? ownDurationMs : seen.leaseDurationSeconds * 1000;
      return Math.max(0, changedAt + durationMs - clock.monotonic());
    },
  };
}

function isSameRecord(left: LeaseSpec | undefined, right: LeaseSpec | undefined): boolean {
  return (
    left?.holderIdentity === right?.holderIdentity &&
    left?.leaseDurationSeconds === right?.leaseDurationSeconds &&
    left?.acquireTime === right?.acquireTime &&
    left?.renewTime === right?.renewTime &&
    left?.leaseTransitions === right?.leaseTransitions
  );
}
