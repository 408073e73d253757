import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';
import { secretUse } from '../../engine/l4-state/secret-use.ts';

/** A project of Pages; its name is all that it is known by. */
export type PagesProjectKey = { readonly accountId: string; readonly name: string };

const config = z.object({
  /** The request, but for the name and the values of secrets. */
  body: z.record(z.string(), z.unknown()),
  secrets: z.array(secretUse).optional(),
  /** It is not ours to make. */
  mustExist: z.boolean().optional(),
  adopt: z.boolean().optional(),
});

export type PagesProjectConfig = z.output<typeof config>;

/** Outputs: `subdomain`, `domains` (with commas), `productionBranch`, `production` (an id), `latest` (JSON). */
export const pagesProjectContract = defineContract<PagesProjectKey, PagesProjectConfig>({
  type: 'PagesProject',
  sources: 'one',
  finalizer: 'pages-project',
  config,
  readable: ({ name }) => name,
  cloudflareId: ({ name }) => name,
});
