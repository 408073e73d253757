import { refusal } from '../../api/api-error.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { Zone } from '../zones/zone.ts';
import { invalidRecord } from './dns-refusal.ts';
import type { DnsRecord } from './record.ts';

const addresses: ReadonlySet<string> = new Set(['A', 'AAAA']);
/** All records of one name and type together hold at most so many characters. */
const longestSet = 8192;

/** Throws when the record cannot stand beside the others of its zone. */
export function checkConflicts(record: DnsRecord, others: Iterable<DnsRecord>, zone: Pick<Zone, 'name'>): void {
  let setLength = record.content.length;
  for (const other of others) {
    if (other.name !== record.name || other.id === record.id) continue;
    const conflict = conflictOf(record, other, record.name === zone.name);
    if (conflict) throw conflict;
    if (other.type === record.type) setLength += other.content.length;
  }
  if (setLength > longestSet)
    throw invalidRecord(9012, `The records of this name and type exceed ${longestSet} characters.`);
}

function conflictOf(record: DnsRecord, other: DnsRecord, apex: boolean): ApiError | undefined {
  if (isSame(record, other)) return duplicate(record, other);
  if (record.type === 'CNAME' && (addresses.has(other.type) || other.type === 'CNAME')) {
    return refusal(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.');
  }
  if (other.type === 'CNAME' && (addresses.has(record.type) || record.type === 'NS')) {
    return refusal(400, 81054, 'A CNAME record with that host already exists.');
  }
  return apex ? undefined : delegationConflict(record, other);
}

/** A name below the apex that is delegated holds nothing but NS and DS. */
function delegationConflict(record: DnsRecord, other: DnsRecord): ApiError | undefined {
  if (record.type === other.type || record.type === 'DS' || other.type === 'DS') return undefined;
  if (other.type === 'NS') return refusal(400, 81056, 'NS records with that host already exist.');
  if (record.type !== 'NS') return undefined;
  return addresses.has(other.type)
    ? refusal(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.')
    : refusal(400, 81057, 'The record already exists.');
}

function isSame(a: DnsRecord, b: DnsRecord): boolean {
  return (
    a.type === b.type &&
    a.content.toLowerCase() === b.content.toLowerCase() &&
    a.priority === b.priority &&
    sameCase(a, b)
  );
}

/** Text is compared as it is, names of hosts without regard to case. */
function sameCase(a: DnsRecord, b: DnsRecord): boolean {
  return a.type !== 'TXT' || a.content === b.content;
}

function duplicate(record: DnsRecord, other: DnsRecord): ApiError {
  const identical = record.ttl === other.ttl && record.proxied === other.proxied;
  return identical
    ? refusal(400, 81058, 'An identical record already exists.')
    : refusal(400, 81057, 'The record already exists.');
}
