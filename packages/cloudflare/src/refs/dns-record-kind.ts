// Kinds do not import kinds; those that make DNSRecords find theirs here.
export { dnsRecordKind } from '../kinds/dns-record/resource.ts';
