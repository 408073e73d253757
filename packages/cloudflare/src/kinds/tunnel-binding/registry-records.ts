import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { sharedRecord } from '../../refs/tunnels/tunnel-records.ts';
import type { HostRecord, RecordsQuestion } from '../../refs/tunnels/tunnel-records.ts';
import { dnsRecordContract } from '../../targets/dns-record/contract.ts';

/**
 * The TXT records by which operators of this family tell each other whose a CNAME is: `_managed.<host>` with the id of the
 * CNAME and the tunnel, as JSON. The id is known once the CNAME is there, so they come second.
 */
export function registryRecords(
  records: readonly HostRecord[],
  { tunnel, priority }: RecordsQuestion,
  refs: Pick<Refs, 'syncState'>,
): readonly Contribution[] {
  return records.flatMap(({ host, zone, contribution: cname }) => {
    const id = refs.syncState(cname.syncState.name)?.status?.cloudflareID;
    // A name cannot have a label before the wildcard.
    if (id === undefined || host.startsWith('*.')) return [];
    const name = `_managed.${host}`;
    const key = sharedRecord(tunnel, zone, name);
    const content = JSON.stringify({ DnsId: id, TunnelName: tunnel.tunnelName, TunnelId: tunnel.tunnelId });
    const config = { name, type: 'TXT', content, ttl: 1 };
    return [contribution(dnsRecordContract, key, config, { credentials: zone.credentials, priority })];
  });
}
