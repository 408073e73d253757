import { z } from 'zod';
import { uploadSource } from './upload-source.ts';

// `spec.versionManagement` of a PagesProject: which versions of its files are deployed, and which one is production.

const text = z.string();
const words = text.optional();
const versionName = text
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const metadata = z.record(text, text).optional().describe('branch, commitHash, commitMessage and commitDirty are told');
const archiveType = z.enum(['tar.gz', 'tar', 'zip', 'none']).default('tar.gz');
const secret = words.describe('The name of a Secret');

const sourceTemplate = z
  .object({
    type: z.enum(['s3', 'http', 'oci']),
    s3: z
      .object({
        bucket: text,
        keyTemplate: text,
        region: text,
        endpoint: words,
        usePathStyle: z.boolean().default(false),
        credentialsSecretRef: secret,
        archiveType,
      })
      .optional(),
    http: z.object({ urlTemplate: text.regex(/^https?:\/\//), headersSecretRef: secret, archiveType }).optional(),
    oci: z.object({ repository: text, tagTemplate: text, credentialsSecretRef: secret }).optional(),
    metadata,
  })
  .describe('Where a version is: {{.Version}} stands for its name');

const fullVersion = z.object({ name: versionName, source: uploadSource.optional(), metadata });
export const fullVersions = z.array(fullVersion).max(100);
const productionTarget = text.default('latest').describe('`latest` is the first of the list');

const otherwise = z
  .record(text, z.unknown())
  .optional()
  .describe('Refused: name the version, or make a PagesPromotion');

export const versionManagement = z.object({
  type: z.enum(['targetVersion', 'declarativeVersions', 'fullVersions']).optional().describe('Older name of policy'),
  policy: z
    .enum([
      ...(['none', 'targetVersion', 'declarativeVersions', 'fullVersions', 'gitops'] as const),
      ...(['latestPreview', 'autoPromote', 'external', 'gitopsLatest'] as const),
    ])
    .default('none'),
  targetVersion: z.object({ version: versionName, sourceTemplate, metadata }).optional(),
  declarativeVersions: z
    .object({ versions: z.array(versionName).min(1).max(100), sourceTemplate, productionTarget, metadata })
    .optional(),
  fullVersions: z.object({ versions: fullVersions.min(1), productionTarget }).optional(),
  gitops: z
    .object({
      previewVersion: words,
      productionVersion: words,
      sourceTemplate: sourceTemplate.optional(),
      requirePreviewValidation: z.boolean().default(true).describe('Only what has succeeded as a preview is promoted'),
      validationLabels: z.record(text, text).optional().describe('That the PagesDeployment must have, too'),
      previewMetadata: metadata,
      productionMetadata: metadata,
    })
    .optional(),
  gitopsLatest: z
    .object({
      version: versionName,
      sourceTemplate,
      environment: z.enum(['production', 'preview']).default('production'),
      metadata,
    })
    .optional(),
  latestPreview: otherwise,
  autoPromote: otherwise,
  external: otherwise,
});

export type VersionManagement = z.output<typeof versionManagement>;
export type FullVersion = z.output<typeof fullVersion>;
export type SourceTemplate = z.output<typeof sourceTemplate>;
