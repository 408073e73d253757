import { requestsOf, tally } from '../audit-log.ts';
import type { AuditEntry } from '../audit-log.ts';
import { syncerAgent } from './two-clusters.ts';
import type { TwoClusters } from './two-clusters.ts';

export type PerSide = { readonly virtual: number; readonly physical: number };

/** What the syncer asked of each side since the last look, told to whoever listens. */
export function takeRequests({ virtual, physical }: TwoClusters, say: (line: string) => void): PerSide {
  const [all, below] = [virtual, physical].map(({ audit }) => requestsOf(syncerAgent, audit.take()));
  const [v, p] = [all, below].map((entries) => (entries ?? []).filter(isCounted));
  say(`  leases are answered within ${slowestMs(all ?? [])} ms in V`);
  say(`  V ${JSON.stringify(tally(v ?? []))}`);
  say(`  P ${JSON.stringify(tally(p ?? []))}`);
  return { virtual: v?.length ?? 0, physical: p?.length ?? 0 };
}

/** By V's own clock: what a renewal took longer than this, it waited on our side. */
function slowestMs(entries: readonly AuditEntry[]): number {
  const leases = entries.filter(({ verb, resource }) => resource === 'leases' && verb === 'update');
  return Math.max(0, ...leases.map(({ tookMs }) => tookMs));
}

/** Leases, watches, the ping and events come and go by themselves, however many pods there are. */
function isCounted({ verb, resource }: AuditEntry): boolean {
  if (verb === 'watch' || resource === 'leases' || resource === 'events') return false;
  return !(verb === 'list' && resource === 'resourceleasingpolicies');
}
