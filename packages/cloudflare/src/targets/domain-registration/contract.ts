import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

const config = z.object({
  domainName: z.string(),
  /** Left as it is when absent. */
  autoRenew: z.boolean().optional(),
});

export type DomainRegistrationKey = { readonly accountId: string; readonly domain: string };
export type DomainRegistrationConfig = z.output<typeof config>;

/** Outputs, where Cloudflare tells them: `status`, `autoRenew`, `locked`, `privacy`, `createdAt`, `expiresAt`. */
export const domainRegistrationContract = defineContract<DomainRegistrationKey, DomainRegistrationConfig>({
  type: 'DomainRegistration',
  sources: 'one',
  config,
  readable: ({ domain }) => domain,
  cloudflareId: ({ domain }) => domain,
});
