import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { jurisdiction, r2Credentials, r2Status } from '../../refs/r2/r2-fields.ts';

const text = z.string();

const spec = z.object({
  bucketName: text.describe('The name of the bucket at Cloudflare'),
  queueName: text.describe('The name of the queue that is told'),
  rules: z
    .array(
      z.object({
        eventTypes: z.array(z.enum(['object-create', 'object-delete'])).min(1),
        prefix: text.optional().describe('Only objects whose names begin so'),
        suffix: text.optional().describe('Only objects whose names end so'),
        description: text.optional(),
      }),
    )
    .min(1),
  jurisdiction,
  credentialsRef: r2Credentials,
});

const status = z.object({
  queueId: text.optional(),
  ruleCount: z.int().optional(),
  state: z.enum(['Pending', 'Active', 'Error']).optional(),
  ...r2Status,
});

export const r2BucketNotificationKind = defineNamespacedKind('R2BucketNotification', ['cfr2n', 'r2notify'], {
  spec,
  status,
  columns: {
    Bucket: '.spec.bucketName',
    Queue: '.spec.queueName',
    Rules: 'integer .status.ruleCount',
    State: '.status.state',
  },
});

export type R2BucketNotification = NonNullable<(typeof r2BucketNotificationKind)['objectType']>;
