import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';

/** As stored and as answered: reading back shows exactly this. */
export type DnsRecord = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly proxiable: boolean;
  readonly proxied: boolean;
  readonly ttl: number;
  readonly settings: Fields;
  /** `read_only` marks records that another product of Cloudflare manages. */
  readonly meta: Fields;
  readonly comment: string | null;
  readonly tags: readonly string[];
  readonly created_on: string;
  readonly modified_on: string;
  readonly comment_modified_on?: string;
  readonly tags_modified_on?: string;
  readonly data?: Fields;
  readonly priority?: number;
};

/** By zone. */
export const dnsRecords = defineTable<DnsRecord>('dns_records');

export const proxiableTypes: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);
