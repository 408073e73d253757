import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { deletionPolicy, pagesStatus } from '../../refs/pages/pages-shape.ts';
import { fullVersions, versionManagement } from '../../refs/pages/version-management.ts';
import { environmentConfig } from './environment-config.ts';

const text = z.string();
const words = text.optional();
const on = z.boolean().default(true);
const limit = z.int32().min(0).max(100).default(10);

const repository = {
  owner: text,
  repo: text,
  productionDeploymentsEnabled: on,
  previewDeploymentsEnabled: on,
  deploymentsEnabled: on,
};

const source = z.object({
  type: z
    .enum(['github', 'gitlab', 'direct_upload'])
    .default('direct_upload')
    .describe('A project that is uploaded to cannot be given a repository later'),
  github: z.object({ ...repository, prCommentsEnabled: on }).optional(),
  gitlab: z.object(repository).optional(),
});

const buildConfig = z.object({
  buildCommand: words,
  destinationDir: words,
  rootDir: words,
  buildCaching: on,
  webAnalyticsTag: words,
  webAnalyticsToken: words,
});

const spec = z.object({
  name: text
    .regex(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/)
    .max(58)
    .optional()
    .describe('The name of the project; that of this object when absent'),
  productionBranch: text,
  source: source.optional(),
  buildConfig: buildConfig.optional(),
  deploymentConfigs: z
    .object({ preview: environmentConfig.optional(), production: environmentConfig.optional() })
    .optional(),
  cloudflare: cloudflareDetails,
  adoptionPolicy: z
    .enum(['IfExists', 'MustExist', 'MustNotExist'])
    .default('MustNotExist')
    .describe('Whether a project of this name that is there already is taken over'),
  deletionPolicy,
  deploymentHistoryLimit: limit.describe('How many deployments the status lists'),
  revisionHistoryLimit: limit.describe('How many PagesDeployments of versions are kept; all of them when 0'),
  enableWebAnalytics: z
    .boolean()
    .optional()
    .describe('Not carried out: name a site of Web Analytics by webAnalyticsTag and webAnalyticsToken of buildConfig'),
  versionManagement: versionManagement.optional().describe('Which versions are deployed; each has a PagesDeployment'),
  versions: fullVersions.optional().describe('Older form of versionManagement.fullVersions'),
  productionTarget: words.describe('Older form of versionManagement.fullVersions.productionTarget'),
});

const deployment = z.object({
  deploymentId: text,
  version: z.int(),
  url: words,
  environment: words,
  status: words,
  createdAt: words,
});

const status = z.object({
  projectId: words,
  subdomain: words,
  state: z.enum(['Pending', 'Creating', 'Ready', 'Updating', 'Deleting', 'Error']).optional(),
  domains: z.array(text).optional(),
  latestDeployment: z.object({ id: words, url: words, stage: words, createdOn: words }).optional(),
  deploymentHistory: z.array(deployment).optional(),
  lastSuccessfulDeploymentId: words,
  adopted: z.boolean().optional(),
  activePolicy: words,
  managedDeployments: z.int32().optional(),
  managedVersions: z
    .array(z.object({ name: text, deploymentName: text, state: words, isProduction: z.boolean(), deploymentId: words }))
    .optional(),
  versionMapping: z.record(text, text).optional(),
  currentProduction: z
    .object({
      version: text,
      deploymentName: text,
      deploymentId: words,
      url: words,
      hashUrl: words,
      deployedAt: words,
    })
    .optional(),
  ...pagesStatus,
});

export const pagesProjectKind = defineNamespacedKind('PagesProject', ['cfpages', 'pagesproject'], {
  spec,
  status,
  columns: { Project: '.status.projectId', Subdomain: '.status.subdomain', State: '.status.state' },
});

export type PagesProject = NonNullable<(typeof pagesProjectKind)['objectType']>;
