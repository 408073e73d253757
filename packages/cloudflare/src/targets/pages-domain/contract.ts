import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** A host of the user's own at which a project is served. */
export type PagesDomainKey = { readonly accountId: string; readonly project: string; readonly domain: string };

const config = z.object({ adopt: z.boolean().optional() });

export type PagesDomainConfig = z.output<typeof config>;

/** Outputs: `domainId`, `status`, `zoneId`, `authority`, `method`, `validation`, `txtName`, `txtValue`, `problem`. */
export const pagesDomainContract = defineContract<PagesDomainKey, PagesDomainConfig>({
  type: 'PagesDomain',
  sources: 'one',
  finalizer: 'pages-domain',
  config,
  readable: ({ domain }) => domain,
  cloudflareId: ({ project, domain }) => `${project}/${domain}`,
});
