import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** Nothing is made at Cloudflare: the credentials are tried, and the name of their account is asked for. */
export const cloudflareCredentialsContract = defineContract({
  type: 'CloudflareCredentials',
  sources: 'one',
  config: z.object({
    accountId: z.string(),
    authType: z.enum(['apiToken', 'globalAPIKey']),
  }),
  readable: ({ name }: { readonly name: string }) => name,
  cloudflareId: ({ name }) => name,
});
