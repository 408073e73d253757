import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/**
 * A deployment never changes: another wish of the same object is another deployment, told apart by the hash of what is
 * wanted. `owner` is `Kind/namespace/name`.
 */
export type PagesDeploymentKey = {
  readonly accountId: string;
  readonly project: string;
  readonly owner: string;
  readonly revision: string;
};

const text = z.string();
const secret = z.object({ namespace: text, name: text }).optional();

/** Where files come from. Of Secrets only the names; `own` holds what stood in the object in clear text. */
const source = z.discriminatedUnion('type', [
  z.object({ type: z.literal('git') }),
  z.object({ type: z.literal('retry'), deploymentId: text }),
  z.object({ type: z.literal('files'), files: z.record(text, text) }),
  z.object({ type: z.literal('http'), url: text, timeoutMs: z.int().optional(), headers: secret, own: secret }),
  z.object({
    type: z.literal('s3'),
    bucket: text,
    key: text,
    region: text.optional(),
    endpoint: text.optional(),
    usePathStyle: z.boolean().optional(),
    credentials: secret,
  }),
  z.object({ type: z.literal('oci'), image: text, insecure: z.boolean().optional(), credentials: secret }),
]);

const config = z.object({
  source,
  /** How a person would tell where it comes from. */
  description: text,
  /** Absent: the branch of production. */
  branch: text.optional(),
  commitHash: text.optional(),
  commitMessage: text.optional(),
  commitDirty: z.boolean().optional(),
  purgeBuildCache: z.boolean().optional(),
  checksum: z.object({ algorithm: text, value: text }).optional(),
  archive: z.object({ type: text, stripComponents: z.int(), subPath: text }).optional(),
});

export type PagesDeploymentConfig = z.output<typeof config>;
export type FileSource = Exclude<PagesDeploymentConfig['source'], { readonly type: 'git' | 'retry' }>;

/** Outputs: `deploymentId`, `stage`, `stageStatus`, `url`, `branchUrl`, `environment`, `isCurrentProduction`, `startedAt`, `finishedAt`. */
export const pagesDeploymentContract = defineContract<PagesDeploymentKey, PagesDeploymentConfig>({
  type: 'PagesDeployment',
  sources: 'one',
  finalizer: 'pages-deployment',
  config,
  readable: ({ owner }) => owner.replace(/^[^/]*\//, ''),
  cloudflareId: ({ owner, revision }) => `${owner}#${revision}`,
});
