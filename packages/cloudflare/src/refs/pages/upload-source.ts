import { z } from 'zod';

// Where the files of a deployment come from: of PagesDeployments, and of the versions of a PagesProject.

const text = z.string();
const words = text.optional();
const secretRef = z.object({ name: text.default('') }).optional();

const http = z.object({
  url: text.regex(/^https?:\/\//).describe('What stands behind `?` is kept in a Secret'),
  headers: z.record(text, text).optional().describe('Kept in a Secret'),
  headersSecretRef: secretRef.describe('A Secret whose entries are headers'),
  timeout: text.default('5m'),
  insecureSkipVerify: z.boolean().default(false).describe('Refused: what cannot be trusted is not deployed'),
});

const s3 = z.object({
  bucket: text,
  key: text,
  region: words,
  endpoint: words.describe('Of MinIO, R2 and others'),
  credentialsSecretRef: secretRef.describe(
    'A Secret with accessKeyId, secretAccessKey and, where needed, sessionToken',
  ),
  usePathStyle: z.boolean().default(false),
});

const oci = z.object({
  image: text.describe('Its first layer is the archive'),
  credentialsSecretRef: secretRef.describe('A Secret with .dockerconfigjson, or with username and password'),
  insecureRegistry: z.boolean().default(false).describe('Without TLS'),
});

const source = z.object({ http: http.optional(), s3: s3.optional(), oci: oci.optional() }).describe('One of them');

const checksum = z.object({
  algorithm: z.enum(['sha256', 'sha512', 'md5']).default('sha256'),
  value: text.regex(/^[a-fA-F0-9]+$/),
});

const archive = z.object({
  type: z.enum(['tar.gz', 'tar', 'zip', 'none']).default('tar.gz'),
  stripComponents: z.int32().min(0).max(10).default(0),
  subPath: words.describe('Only what is below this folder'),
});

const uploadFields = { checksum: checksum.optional(), archive: archive.optional() };

export const deploymentMetadata = z.object({
  branch: words,
  commitHash: words,
  commitMessage: words,
  commitDirty: z.boolean().optional(),
});

/** `source.directUpload`, and a version's `source`. */
export const uploadSource = z.object({
  source,
  ...uploadFields,
  branch: words.describe('Of a preview; `preview` when absent'),
  deploymentMetadata: deploymentMetadata.optional(),
});

/** The older form, with files in the object itself or in a ConfigMap. */
export const olderUpload = z.object({
  source: source.optional(),
  ...uploadFields,
  manifestConfigMapRef: words.describe('A ConfigMap beside this object: names and contents of files'),
  manifest: z.record(text, text).optional().describe('Names and contents of files'),
});

export type UploadSource = z.output<typeof uploadSource>;
export type OlderUpload = z.output<typeof olderUpload>;
