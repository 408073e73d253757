import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/**
 * One record. `owner` is its source (`Kind/namespace/name`), and `record` tells several of one owner apart: empty where there
 * is one, or the address for those that differ in it alone. Without an owner it is the one record of the name `record`, which
 * several objects may want together: it is there as long as one of them is.
 */
export type DnsRecordKey = {
  readonly accountId: string;
  readonly zoneId: string;
  readonly owner: string;
  readonly record: string;
};

const config = z.object({
  /** The whole name, without a dot at its end. */
  name: z.string(),
  type: z.string(),
  content: z.string().optional(),
  ttl: z.int().optional(),
  proxied: z.boolean().optional(),
  priority: z.int().optional(),
  comment: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** With the keys of `spec.data`. */
  data: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** The plan of the zone, where it is known: it says how long a comment may be. */
  plan: z.string().optional(),
  adopt: z.boolean().optional(),
  /** Leave to adopt ends at records that an operator of this family has registered or marked. */
  respectRegistry: z.boolean().optional(),
});

export type DnsRecordConfig = z.output<typeof config>;

/** Outputs: `recordId`, `name`, `content`. */
export const dnsRecordContract = defineContract<DnsRecordKey, DnsRecordConfig>({
  type: 'DNSRecord',
  sources: 'one',
  finalizer: 'dns',
  config,
  readable: ({ owner, record }) => (record === '' ? owner.replace(/^[^/]*\//, '') : record),
  cloudflareId: ({ owner, record }) => [owner, record].filter((part) => part !== '').join('#'),
});
