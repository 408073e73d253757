import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** A name may be used once in each jurisdiction. */
export type R2BucketKey = { readonly accountId: string; readonly jurisdiction: string; readonly name: string };

const texts = z.array(z.string());

/** Rules have the names of the API. */
const corsRule = z.object({
  id: z.string().optional(),
  allowed: z.object({ origins: texts, methods: texts, headers: texts.optional() }),
  exposeHeaders: texts.optional(),
  maxAgeSeconds: z.int().optional(),
});

const age = z.object({ type: z.literal('Age'), maxAge: z.int() });
const condition = z.union([age, z.object({ type: z.literal('Date'), date: z.string() })]);

const lifecycleRule = z.object({
  id: z.string(),
  enabled: z.boolean(),
  conditions: z.object({ prefix: z.string() }),
  deleteObjectsTransition: z.object({ condition }).optional(),
  abortMultipartUploadsTransition: z.object({ condition: age }).optional(),
  storageClassTransitions: z.array(z.object({ condition, storageClass: z.literal('InfrequentAccess') })).optional(),
});

const config = z.object({
  locationHint: z.string().optional(),
  storageClass: z.string().optional(),
  /** Absent: of no concern to us. */
  cors: z.array(corsRule).optional(),
  lifecycle: z.array(lifecycleRule).optional(),
  adopt: z.boolean().optional(),
});

export type CorsRule = z.output<typeof corsRule>;
export type LifecycleRule = z.output<typeof lifecycleRule>;
export type R2BucketConfig = z.output<typeof config>;

/** Outputs: `location`, `createdAt`, `corsRules`, `lifecycleRules`. */
export const r2BucketContract = defineContract<R2BucketKey, R2BucketConfig>({
  type: 'R2Bucket',
  sources: 'one',
  config,
  readable: ({ name }) => name,
  cloudflareId: ({ jurisdiction, name }) => (jurisdiction === 'default' ? name : `${jurisdiction}/${name}`),
});
