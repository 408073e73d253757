import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { pagesStatus } from '../../refs/pages/pages-shape.ts';
import { projectRef } from '../../refs/pages/project-of.ts';

const text = z.string();
const words = text.optional();

const deploymentRef = z
  .object({
    name: words.describe('A PagesDeployment beside this object'),
    deploymentId: words.describe('An id of Cloudflare; comes before the others'),
    versionName: words.describe('A version of the project; comes last'),
  })
  .describe('The deployment that production shall show, by one of these; it must have been made for production');

const spec = z.object({
  projectRef,
  deploymentRef,
  cloudflare: cloudflareDetails,
  requireSuccessfulDeployment: z
    .boolean()
    .default(true)
    .describe('Wait until a PagesDeployment has succeeded; Cloudflare takes no other'),
});

const status = z.object({
  projectName: words,
  state: z.enum(['Pending', 'Validating', 'Promoting', 'Promoted', 'Failed']).optional(),
  promotedDeployment: z
    .object({ deploymentId: text, url: words, hashUrl: words, sourceDeploymentName: words, promotedAt: words })
    .optional(),
  previousDeployment: z.object({ deploymentId: text, url: words, hashUrl: words, replacedAt: words }).optional(),
  lastPromotionTime: words,
  ...pagesStatus,
});

export const pagesPromotionKind = defineNamespacedKind('PagesPromotion', ['cfppromo', 'pagespromotion'], {
  spec,
  status,
  columns: {
    Project: '.status.projectName',
    Deployment: '.spec.deploymentRef.name',
    State: '.status.state',
    URL: '.status.promotedDeployment.url',
  },
});

export type PagesPromotion = NonNullable<(typeof pagesPromotionKind)['objectType']>;
