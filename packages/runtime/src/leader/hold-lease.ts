import { isConflict, isNotFound } from '../client/error-checks.ts';
import { sleep } from '../clock.ts';
import { readLease, requestTimeoutMs } from './acquire-lease.ts';
import type { Contender } from './acquire-lease.ts';
import { momentOf, sinceMs } from './leader-term.ts';
import type { LeaderTerm } from './leader-term.ts';
import { leaseKind, toReleased, toRenewed } from './lease.ts';
import type { Lease } from './lease.ts';

/** Renews and renews. Returns the lease as last written, when the work has ended or the term is over. */
export async function holdLease(
  contender: Contender,
  term: LeaderTerm,
  acquired: Lease,
  enough: AbortSignal,
): Promise<Lease> {
  const { clock, log, settings } = contender;
  let lease = acquired;
  let triedAt = momentOf(clock);
  while (!enough.aborted) {
    try {
      await sleep(clock, settings.retryPeriodMs - sinceMs(triedAt, clock), enough);
      triedAt = momentOf(clock);
      lease = await renew(contender, term, lease, enough);
    } catch (error) {
      if (!enough.aborted) log.warn({ err: error }, 'could not renew the lease');
    }
  }
  return lease;
}

async function renew(contender: Contender, term: LeaderTerm, lease: Lease, enough: AbortSignal): Promise<Lease> {
  try {
    return await writeRenewal(contender, term, lease, enough);
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
  // Somebody wrote the lease since: we ourselves, if an answer was lost, or a new holder.
  const current = await readLease(contender, enough);
  if (!current) return writeRenewal(contender, term, withoutVersion(lease), enough);
  contender.observed.see(current);
  const holder = current.spec?.holderIdentity;
  if (holder === contender.identity) return writeRenewal(contender, term, current, enough);
  term.lose(holder ? `${holder} holds it` : 'somebody took it away');
  return current;
}

async function writeRenewal(contender: Contender, term: LeaderTerm, lease: Lease, enough: AbortSignal): Promise<Lease> {
  const { client, clock, observed, settings } = contender;
  if (!term.holds()) return lease;
  const sentAt = momentOf(clock);
  const wanted = toRenewed(lease, sentAt.wallMs);
  const call = { signal: enough, timeoutMs: requestTimeoutMs(settings) };
  const exists = lease.metadata.resourceVersion !== undefined;
  const written = await (exists ? client.update(leaseKind, wanted, call) : client.create(leaseKind, wanted, call));
  observed.see(written);
  term.renewed(sentAt);
  return written;
}

function withoutVersion({ spec, ...lease }: Lease): Lease {
  const { namespace, name } = lease.metadata;
  return { ...lease, metadata: { ...(namespace && { namespace }), ...(name && { name }) }, ...(spec && { spec }) };
}

/** Best effort: when it fails the lease expires by itself. */
export async function releaseLease(contender: Contender, lease: Lease): Promise<void> {
  const { client, clock, identity, log, settings } = contender;
  const timeoutMs = requestTimeoutMs(settings);
  try {
    try {
      await client.update(leaseKind, toReleased(lease, clock.now()), { timeoutMs });
    } catch (error) {
      if (!isConflict(error)) throw error;
      // The answer to our last renewal was lost.
      const current = await client.get(leaseKind, settings.lease, { timeoutMs });
      if (current.spec?.holderIdentity !== identity) return;
      await client.update(leaseKind, toReleased(current, clock.now()), { timeoutMs });
    }
    log.info({}, 'lease released');
  } catch (error) {
    log.warn({ err: error }, 'could not release the lease; it will expire');
  }
}
