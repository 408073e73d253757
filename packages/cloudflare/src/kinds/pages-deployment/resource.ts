import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { pagesStatus } from '../../refs/pages/pages-shape.ts';
import { projectRef } from '../../refs/pages/project-of.ts';
import { olderUpload, uploadSource } from '../../refs/pages/upload-source.ts';

const text = z.string();
const words = text.optional();

const git = z.object({
  branch: words.describe('Of production when absent'),
  commitSha: text
    .regex(/^[a-f0-9]{7,40}$/)
    .optional()
    .describe('Told to Cloudflare, which builds the head of the branch'),
  commitMessage: words,
});

const source = z.object({
  type: z.enum(['git', 'directUpload']),
  git: git.optional(),
  directUpload: uploadSource.optional(),
});

const rollback = z.object({
  strategy: z.enum(['LastSuccessful', 'ByVersion', 'ExactDeploymentID']).default('LastSuccessful'),
  version: z.int().min(1).optional(),
  deploymentId: words,
});

const spec = z.object({
  projectRef,
  environment: z
    .enum(['production', 'preview'])
    .optional()
    .describe('Without it: a branch and files are a preview, no branch is production'),
  source: source.optional(),
  versionName: words,
  purgeBuildCache: z.boolean().default(false),
  cloudflare: cloudflareDetails,
  branch: words.describe('Older form of source.git.branch'),
  action: z.enum(['create', 'retry', 'rollback']).default('create').describe('Older form; see PagesPromotion'),
  targetDeploymentId: words.describe('Of a retry or a rollback'),
  directUpload: olderUpload.optional().describe('Older form of source.directUpload'),
  rollback: rollback.optional().describe('Older form; see PagesPromotion'),
});

const status = z.object({
  deploymentId: words,
  projectName: words,
  url: words,
  hashUrl: words,
  branchUrl: words,
  environment: words,
  isCurrentProduction: z.boolean().optional(),
  versionName: words,
  stage: words,
  sourceDescription: words,
  state: z
    .enum([
      ...(['Pending', 'Queued', 'Building', 'Deploying', 'Succeeded'] as const),
      ...(['Failed', 'Cancelled', 'Retrying', 'RollingBack'] as const),
    ])
    .optional(),
  startedAt: words,
  finishedAt: words,
  ...pagesStatus,
});

export const pagesDeploymentKind = defineNamespacedKind('PagesDeployment', ['cfpdeploy', 'pagesdeployment'], {
  spec,
  status,
  columns: {
    Project: '.status.projectName',
    DeploymentID: '.status.deploymentId',
    Environment: '.status.environment',
    Stage: '.status.stage',
    State: '.status.state',
  },
});

export type PagesDeployment = NonNullable<(typeof pagesDeploymentKind)['objectType']>;
