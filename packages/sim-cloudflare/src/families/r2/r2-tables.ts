import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';

export type CustomDomain = {
  readonly domain: string;
  readonly enabled: boolean;
  readonly zoneId: string;
  readonly zoneName: string;
  readonly minTLS: string;
  readonly ciphers: readonly string[] | undefined;
  /** When ownership and certificate are done. */
  readonly activeAt: number;
};

export type Bucket = {
  readonly name: string;
  readonly jurisdiction: string;
  readonly location: string;
  readonly storageClass: string;
  readonly createdAt: string;
  readonly cors: readonly Fields[] | undefined;
  readonly lifecycle: readonly Fields[];
  readonly lock: readonly Fields[];
  readonly domains: readonly CustomDomain[];
  readonly managedEnabled: boolean;
  /** For tests: a bucket that holds something cannot be deleted. */
  readonly objects: number;
};

export type NotificationRule = {
  readonly ruleId: string;
  readonly actions: readonly string[];
  readonly prefix: string;
  readonly suffix: string;
  readonly description: string;
  readonly createdAt: string;
};

/** By account; keys are jurisdiction and name. */
export const buckets = defineTable<Bucket>('r2_buckets');
/** By account; keys are bucket and queue. The configuration outlives the bucket. */
export const notifications = defineTable<{
  readonly bucket: string;
  readonly queue: string;
  readonly rules: readonly NotificationRule[];
}>('r2_notifications');

export type Queue = {
  readonly id: string;
  readonly name: string;
  readonly createdOn: string;
  readonly settings: Fields;
};
export const queues = defineTable<Queue>('queues');
