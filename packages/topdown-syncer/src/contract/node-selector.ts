import { z } from 'zod';

const requirement = z.object({
  key: z.string(),
  operator: z.string(),
  values: z.array(z.string()).optional(),
});

const term = z.object({
  matchExpressions: z.array(requirement).optional(),
  matchFields: z.array(requirement).optional(),
});

/** core/v1 NodeSelector. */
export const nodeSelector = z.object({ nodeSelectorTerms: z.array(term) });

export type NodeSelector = z.output<typeof nodeSelector>;
