import { z } from 'zod';

/** `spec.priority` of kinds whose objects are merged. */
export const priority = z
  .int32()
  .min(1)
  .optional()
  .describe('Lower wins where several objects want different things; 100 when absent');
