import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { jurisdiction, r2Credentials, r2Status } from '../../refs/r2/r2-fields.ts';

const text = z.string();
const texts = z.array(text).optional();
const storageClass = z.enum(['Standard', 'InfrequentAccess']);

const cors = z.object({
  id: text.optional(),
  allowedOrigins: z.array(text).min(1),
  allowedMethods: z.array(text).min(1),
  allowedHeaders: texts,
  exposeHeaders: texts,
  maxAgeSeconds: z.int32().min(0).optional(),
});

const when = {
  days: z.int32().min(1).optional().describe('After so many days'),
  date: text.optional().describe('From this day on, such as 2027-01-31'),
};

const lifecycle = z.object({
  id: text,
  enabled: z.boolean().default(true),
  prefix: text.optional().describe('Only objects whose names begin so'),
  expiration: z.object(when).optional().describe('Objects are deleted'),
  abortIncompleteMultipartUpload: z.object({ daysAfterInitiation: z.int32().min(1) }).optional(),
  storageClassTransitions: z
    .array(z.object({ ...when, storageClass: z.enum(['InfrequentAccess']).default('InfrequentAccess') }))
    .optional()
    .describe('Objects move to another storage class'),
});

const spec = z.object({
  name: text
    .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
    .optional()
    .describe('The name of the bucket; that of this object when absent'),
  locationHint: z
    .enum(['apac', 'eeur', 'enam', 'weur', 'wnam'])
    .optional()
    .describe('Where the bucket is made, if possible; of no effect later'),
  jurisdiction,
  storageClass: storageClass.optional().describe('Of objects that say nothing else'),
  cors: z.array(cors).optional().describe('All rules of the bucket; those that are there stay when this is absent'),
  lifecycle: z.array(lifecycle).optional().describe('All rules of the bucket; those that are there stay when absent'),
  credentialsRef: r2Credentials,
  deletionPolicy: z
    .enum(['Delete', 'Orphan'])
    .default('Delete')
    .describe('A bucket that holds objects is never deleted'),
});

const status = z.object({
  bucketName: text.optional(),
  location: text.optional(),
  jurisdiction: text.optional(),
  createdAt: text.optional(),
  corsRulesCount: z.int().optional(),
  lifecycleRulesCount: z.int().optional(),
  state: z.enum(['Pending', 'Creating', 'Ready', 'Deleting', 'Error']).optional(),
  ...r2Status,
});

export const r2BucketKind = defineNamespacedKind('R2Bucket', ['cfr2', 'r2bucket'], {
  spec,
  status,
  columns: { Bucket: '.status.bucketName', Location: '.status.location', State: '.status.state' },
});

export type R2Bucket = NonNullable<(typeof r2BucketKind)['objectType']>;
