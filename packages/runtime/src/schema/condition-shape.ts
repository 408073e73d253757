import { z } from 'zod';
import { listMap } from './collection-shapes.ts';
import { timestamp } from './scalar-shapes.ts';

const conditionType =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;

/** The `conditions` of a status, as metav1.Condition defines them. */
export function conditionList(): z.ZodArray<typeof condition> {
  return listMap(condition, ['type']);
}

const condition = z.object({
  type: z.string().regex(conditionType).max(316),
  status: z.enum(['True', 'False', 'Unknown']),
  observedGeneration: z.int().min(0).optional(),
  lastTransitionTime: timestamp(),
  reason: z
    .string()
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
    .min(1)
    .max(1024),
  message: z.string().max(32_768),
});
