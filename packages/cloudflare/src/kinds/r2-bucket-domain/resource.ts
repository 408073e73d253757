import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { jurisdiction, r2Credentials, r2Status } from '../../refs/r2/r2-fields.ts';

const text = z.string();
const flag = z.boolean().optional();
const host = /^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}$/;

const spec = z.object({
  bucketName: text.min(3).describe('The name of the bucket at Cloudflare'),
  domain: text.regex(host).describe('The host at which the bucket is served'),
  zoneId: text.optional().describe('The zone of the host; it is looked up when absent'),
  minTls: z.enum(['1.0', '1.1', '1.2', '1.3']).default('1.2'),
  enablePublicAccess: z.boolean().default(true).describe('Whether the bucket can be read at this host'),
  jurisdiction,
  credentialsRef: r2Credentials,
});

const status = z.object({
  domainId: text.optional(),
  zoneId: text.optional(),
  enabled: flag,
  minTls: text.optional(),
  publicAccessEnabled: flag,
  url: text.optional(),
  state: z.enum(['Pending', 'Initializing', 'Active', 'Error']).optional(),
  ...r2Status,
});

export const r2BucketDomainKind = defineNamespacedKind('R2BucketDomain', ['cfr2d', 'r2domain'], {
  spec,
  status,
  columns: {
    Bucket: '.spec.bucketName',
    Domain: '.spec.domain',
    State: '.status.state',
    Public: 'boolean .status.publicAccessEnabled',
  },
});

export type R2BucketDomain = NonNullable<(typeof r2BucketDomainKind)['objectType']>;
