import { z } from 'zod';

const text = z.string();

/** A selector of labels, as Kubernetes has them. */
export const labelSelector = z.object({
  matchLabels: z.record(text, text).optional(),
  matchExpressions: z
    .array(
      z.object({
        key: text,
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(text).optional(),
      }),
    )
    .optional(),
});

export type LabelSelector = z.output<typeof labelSelector>;
