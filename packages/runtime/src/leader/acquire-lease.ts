import { isAlreadyExists, isConflict, isNotFound } from '../client/error-checks.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { momentOf, sinceMs } from './leader-term.ts';
import type { Moment } from './leader-term.ts';
import { leaseKind, toAcquired } from './lease.ts';
import type { Lease } from './lease.ts';
import type { ObservedLease } from './observed-lease.ts';

export type LeaderElectorDeps = {
  /** Not fenced, and best not throttled: a renewal must not wait behind other requests. */
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
};

/** One who wants a lease or has it. */
export type Contender = LeaderElectorDeps & {
  readonly settings: {
    readonly lease: { readonly namespace: string; readonly name: string };
    readonly leaseDurationMs: number;
    readonly renewDeadlineMs: number;
    readonly retryPeriodMs: number;
  };
  readonly identity: string;
  readonly observed: ObservedLease;
};

/** By how much waits are spread, so that candidates do not move in step. */
export const jitterFactor = 1.2;

export type Acquired = { readonly lease: Lease; readonly sentAt: Moment };

/** Resolves with nothing when the signal is aborted first. */
export async function acquireLease(contender: Contender, signal: AbortSignal): Promise<Acquired | undefined> {
  const { clock, log, settings } = contender;
  while (!signal.aborted) {
    try {
      const acquired = await tryAcquire(contender, signal);
      // An answer that comes too late, because the process was frozen, is no basis for a term.
      if (acquired && sinceMs(acquired.sentAt, clock) < settings.renewDeadlineMs) return acquired;
      await sleep(clock, candidateWaitMs(contender), signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      log.warn({ err: error }, 'could not look at the lease');
      await sleep(clock, candidateWaitMs(contender), signal).catch(() => undefined);
    }
  }
  return undefined;
}

/**
 * A takeover takes as long as the lease, plus the time until a candidate saw its last change. So candidates look at
 * 0.33 to 0.73 retry periods, spread by the usual factor, and at the moment of expiry.
 */
function candidateWaitMs({ settings, random, observed, identity }: Contender): number {
  const lookMs = (settings.retryPeriodMs / 3) * (1 + jitterFactor * random());
  const heldForMs = observed.holder() === identity ? 0 : observed.heldForMs();
  const shortestMs = settings.retryPeriodMs / 100;
  return heldForMs > 0 ? Math.max(Math.min(lookMs, heldForMs), shortestMs) : lookMs;
}

/** Always on a fresh read: what is taken is the version that was seen to be free, or nothing. */
async function tryAcquire(contender: Contender, signal: AbortSignal): Promise<Acquired | undefined> {
  const { client, clock, identity, observed, settings } = contender;
  const lease = await readLease(contender, signal);
  observed.see(lease);
  if (observed.holder() !== identity && observed.heldForMs() > 0) return undefined;
  const sentAt = momentOf(clock);
  const wanted = toAcquired(lease ?? newLease(contender), { ...settings, identity }, sentAt.wallMs);
  try {
    const call = { signal, timeoutMs: requestTimeoutMs(settings) };
    const taken = await (lease ? client.update(leaseKind, wanted, call) : client.create(leaseKind, wanted, call));
    observed.see(taken);
    return { lease: taken, sentAt };
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return undefined;
    throw error;
  }
}

export async function readLease({ client, settings }: Contender, signal: AbortSignal): Promise<Lease | undefined> {
  try {
    return await client.get(leaseKind, settings.lease, { signal, timeoutMs: requestTimeoutMs(settings) });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A lease that was deleted goes on counting its terms, as far as we have seen them. */
function newLease({ settings, observed }: Contender): Lease {
  const spec = observed.transitions() === undefined ? {} : { spec: { leaseTransitions: observed.transitions() ?? 0 } };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...settings.lease }, ...spec };
}

/** So that a request that hangs leaves time for another before the deadline. */
export function requestTimeoutMs({ renewDeadlineMs }: Contender['settings']): number {
  return renewDeadlineMs / 3;
}
