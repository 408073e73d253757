import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** What one object wants production to show. */
export type PagesPromotionKey = { readonly accountId: string; readonly project: string; readonly owner: string };

const config = z.object({ deploymentId: z.string() });

export type PagesPromotionConfig = z.output<typeof config>;

/** Outputs: `url`, `hashUrl`, `production` (what is shown now), `promotedAt`, `previousId`, `previousUrl`. */
export const pagesPromotionContract = defineContract<PagesPromotionKey, PagesPromotionConfig>({
  type: 'PagesPromotion',
  sources: 'one',
  finalizer: 'pages-promotion',
  config,
  readable: ({ owner }) => owner.replace(/^[^/]*\//, ''),
  cloudflareId: ({ project, owner }) => `${project}/${owner}`,
});
