import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** A zone by its name: looked up for whoever needs its id, its settings kept for the CloudflareDomains that have some. */
export const cloudflareDomainContract = defineContract({
  type: 'CloudflareDomain',
  noun: 'zone',
  sources: 'many',
  config: z.object({
    /** Only the id of the zone is wanted. */
    lookup: z.boolean().optional(),
    /** The zone where it is known: nothing is looked up by name then. */
    zoneId: z.string().optional(),
    /** By the names that the API gives them. */
    settings: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
  readable: ({ domain }: { readonly accountId: string; readonly domain: string }) => domain,
  cloudflareId: ({ domain }) => domain,
});
