import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { dnsRecordContract } from '../../targets/dns-record/contract.ts';
import type { DnsRecordKey } from '../../targets/dns-record/contract.ts';
import type { TunnelFound } from '../tunnel-of.ts';
import { coveringDomain, zoneOf } from '../zone-of.ts';
import type { Zone } from '../zone-of.ts';
import { tunnelHost } from './tunnel-host.ts';

export type RecordsQuestion = {
  readonly hosts: readonly string[];
  readonly tunnel: TunnelFound;
  /** Of a Tunnel; none for a ClusterTunnel. */
  readonly tunnelNamespace: string | undefined;
  /** `Kind/namespace/name` of who asks. */
  readonly owner: string;
  readonly proxied: boolean;
  readonly adopt?: true;
  /** With `adopt`: but not what another operator has registered. */
  readonly respectRegistry?: true;
  readonly priority: number;
};

export type TunnelRecords = {
  readonly records: readonly HostRecord[];
  /** Hosts that no zone is known for, and why. */
  readonly problems: readonly string[];
  /** Those of them that a person has to mend: nothing is on its way. */
  readonly broken: readonly string[];
};

export type HostRecord = { readonly host: string; readonly zone: ZoneFacts; readonly contribution: Contribution };
export type ZoneFacts = Pick<Zone, 'zoneId' | 'credentials'>;

/**
 * Records that lead hosts to a tunnel, each in its own zone. A host whose zone is not known for the moment keeps the record
 * that it has: what is not asked for any more is deleted, and a reference that is gone is no such wish.
 */
export function recordsOf(question: RecordsQuestion, refs: Refs): TunnelRecords {
  const answers = question.hosts.map((host) => {
    const zone = zoneOfHost(host, question, refs);
    const found = zone.ok ? zone.value : knownZone(host, question, refs);
    return { host, zone, found };
  });
  return {
    records: answers.flatMap(({ host, found }) => (found ? [toRecord(host, found, question)] : [])),
    problems: answers.flatMap(({ host, zone }) => (zone.ok ? [] : [`${host}: ${zone.message}`])),
    broken: answers.flatMap(({ host, zone }) =>
      zone.ok || zone.state === 'waiting' ? [] : [`${host}: ${zone.message}`],
    ),
  };
}

/** A CloudflareDomain that covers the host comes before the zone that the tunnel names. */
function zoneOfHost(
  name: string,
  { tunnel, tunnelNamespace: namespace }: RecordsQuestion,
  refs: Refs,
): ReturnType<typeof zoneOf> {
  const { zoneId: _ofTunnel, ...others } = tunnel.cloudflare;
  const question = { namespace, name, domainIsDefault: true };
  const found = coveringDomain(refs, name) && zoneOf(refs, { ...question, cloudflare: others });
  return found?.ok ? found : zoneOf(refs, { ...question, cloudflare: tunnel.cloudflare });
}

function knownZone(host: string, { tunnel, owner }: RecordsQuestion, refs: Refs): ZoneFacts | undefined {
  const known = refs.syncStatesUsing(tunnel.credentials.name).find(({ spec: { resourceType, key, sources = [] } }) => {
    const isOfHost = resourceType === 'DNSRecord' && key?.['owner'] === '' && key['record'] === host;
    return isOfHost && sources.some(({ ref }) => sourceId(ref) === owner);
  });
  const zoneId = known?.spec.key?.['zoneId'];
  return known && zoneId !== undefined ? { zoneId, credentials: known.spec.credentialsRef } : undefined;
}

function toRecord(host: string, zone: ZoneFacts, question: RecordsQuestion): HostRecord {
  const { tunnel, proxied, adopt, respectRegistry, priority } = question;
  const key = sharedRecord(tunnel, zone, host);
  const content = tunnelHost(tunnel.tunnelId);
  const config = {
    name: host,
    type: 'CNAME',
    content,
    ttl: 1,
    proxied,
    ...(adopt && { adopt }),
    ...(respectRegistry && { respectRegistry }),
  };
  const { credentials } = zone;
  return { host, zone, contribution: contribution(dnsRecordContract, key, config, { credentials, priority }) };
}

/** Several objects may serve paths of one host: its records are theirs together. */
export function sharedRecord({ accountId }: TunnelFound, { zoneId }: ZoneFacts, record: string): DnsRecordKey {
  return { accountId, zoneId, owner: '', record };
}
