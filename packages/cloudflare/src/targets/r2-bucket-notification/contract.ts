import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** What a bucket tells a queue, which is known by its name. */
export type R2BucketNotificationKey = {
  readonly accountId: string;
  readonly jurisdiction: string;
  readonly bucket: string;
  readonly queue: string;
};

const rule = z.object({
  actions: z.array(z.string()),
  prefix: z.string(),
  suffix: z.string(),
  description: z.string(),
});

const config = z.object({ rules: z.array(rule), adopt: z.boolean().optional() });

export type NotificationRule = z.output<typeof rule>;
export type R2BucketNotificationConfig = z.output<typeof config>;

/** Outputs: `queueId`, `foreignRules`. */
export const r2BucketNotificationContract = defineContract<R2BucketNotificationKey, R2BucketNotificationConfig>({
  type: 'R2BucketNotification',
  sources: 'many',
  config,
  readable: ({ bucket, queue }) => `${bucket}-${queue}`,
  cloudflareId: ({ bucket, queue }) => `${bucket}/${queue}`,
});
