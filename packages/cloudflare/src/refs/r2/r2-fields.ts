import { z } from 'zod';
import { observed } from '../cloudflare-kind.ts';

const text = z.string();

export const jurisdiction = z
  .enum(['default', 'eu', 'us', 'fedramp', 'fedramp-high'])
  .optional()
  .describe('Where the data must stay; part of what a bucket is, and never changed');

export const r2Credentials = z
  .object({ name: text })
  .optional()
  .describe('A CloudflareCredentials; the default ones when absent');

/** What every status of an R2 kind has, beside its state. */
export const r2Status = {
  message: text.optional(),
  ...observed,
};
