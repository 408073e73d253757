import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** A host of the user's own at which a bucket is served. */
export type R2BucketDomainKey = {
  readonly accountId: string;
  readonly jurisdiction: string;
  readonly bucket: string;
  readonly domain: string;
};

const config = z.object({
  /** The zone that the host lies in; absent: it is looked for when the host is attached. */
  zoneId: z.string().optional(),
  minTls: z.string(),
  enabled: z.boolean(),
  adopt: z.boolean().optional(),
});

export type R2BucketDomainConfig = z.output<typeof config>;

/** Outputs: `zoneId`, `enabled`, `minTls`, `ownership`, `ssl`. */
export const r2BucketDomainContract = defineContract<R2BucketDomainKey, R2BucketDomainConfig>({
  type: 'R2BucketDomain',
  sources: 'one',
  config,
  readable: ({ domain }) => domain,
  cloudflareId: ({ bucket, domain }) => `${bucket}/${domain}`,
});
