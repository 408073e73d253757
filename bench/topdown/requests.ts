import { requestsOf, tally } from '../audit-log.ts';
import type { AuditEntry, AuditLog } from '../audit-log.ts';
import { syncerAgent } from './two-clusters.ts';
import type { TwoClusters } from './two-clusters.ts';

export type PerSide = { readonly virtual: number; readonly physical: number };

/** What the syncer asked of each side since the last look, told to whoever listens. */
export function takeRequests({ virtual, physical }: TwoClusters, say: (line: string) => void): PerSide {
  const [v, p] = [virtual, physical].map(({ audit }) => countedIn(audit));
  say(`  V ${JSON.stringify(tally(v ?? []))}`);
  say(`  P ${JSON.stringify(tally(p ?? []))}`);
  return { virtual: v?.length ?? 0, physical: p?.length ?? 0 };
}

function countedIn(audit: AuditLog): readonly AuditEntry[] {
  return requestsOf(syncerAgent, audit.take()).filter(isCounted);
}

/** Leases, watches, the ping and events come and go by themselves, however many pods there are. */
function isCounted({ verb, resource }: AuditEntry): boolean {
  if (verb === 'watch' || resource === 'leases' || resource === 'events') return false;
  return !(verb === 'list' && resource === 'resourceleasingpolicies');
}
