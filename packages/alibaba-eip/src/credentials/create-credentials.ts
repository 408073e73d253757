import type { FileAccess } from '@tributary/runtime';
import { badCredential } from './access-key.ts';
import type { AccessKeySource } from './access-key.ts';
import { createEcsRole, ecsMetadataEndpoint } from './ecs-role.ts';
import type { EcsRoleDeps } from './ecs-role.ts';
import { createFileCredential } from './file-credential.ts';
import { createSessionCredential } from './session-credential.ts';
import type { SessionProvider } from './session-credential.ts';

export const credentialModes = ['auto', 'file', 'env', 'oidc', 'ecs-role', 'uri'] as const;
export type CredentialMode = (typeof credentialModes)[number];

export type CredentialOptions = {
  readonly mode: CredentialMode;
  /** The original's file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Host of the token service, for OIDC; the public one when absent. */
  readonly stsEndpoint?: string | undefined;
  /** Of the machine's metadata, for its role; the usual one when absent. */
  readonly ecsMetadataEndpoint?: string | undefined;
};

export type CredentialDeps = EcsRoleDeps & { readonly files: FileAccess };

const timeoutMs = 10_000;

/**
 * Where the key comes from: chosen by name, never by trying one after the other. `auto` chooses at each first need, by
 * what there is: role of the ServiceAccount (RRSA), environment, URI, role of the machine, else the file.
 */
export function createCredentials(options: CredentialOptions, deps: CredentialDeps): AccessKeySource {
  const { mode, env } = options;
  return createSource(mode === 'auto' ? chooseMode(env) : mode, options, deps);
}

export function chooseMode(env: CredentialOptions['env']): Exclude<CredentialMode, 'auto'> {
  if (env['ALIBABA_CLOUD_ROLE_ARN'] && env['ALIBABA_CLOUD_OIDC_PROVIDER_ARN'] && env['ALIBABA_CLOUD_OIDC_TOKEN_FILE']) {
    return 'oidc';
  }
  if (env['ALIBABA_CLOUD_ACCESS_KEY_ID'] && env['ALIBABA_CLOUD_ACCESS_KEY_SECRET']) return 'env';
  if (env['ALIBABA_CLOUD_CREDENTIALS_URI']) return 'uri';
  if (env['ALIBABA_CLOUD_ECS_METADATA']) return 'ecs-role';
  return 'file';
}

function createSource(
  mode: Exclude<CredentialMode, 'auto'>,
  options: CredentialOptions,
  deps: CredentialDeps,
): AccessKeySource {
  switch (mode) {
    case 'file':
      return createFileCredential(options.path, deps.files);
    case 'env':
      return createEnvironmentCredential(options.env);
    case 'oidc':
      return createSessionCredential('OIDC', async () => buildOidc(options));
    case 'ecs-role':
      return createSessionCredential('the role of the machine', async () => buildEcsRole(options, deps));
    case 'uri':
      return createSessionCredential('URI', async () => buildUri(options));
    default:
      return mode satisfies never;
  }
}

function createEnvironmentCredential(env: CredentialOptions['env']): AccessKeySource {
  const accessKeyId = env['ALIBABA_CLOUD_ACCESS_KEY_ID'] ?? '';
  const accessKeySecret = env['ALIBABA_CLOUD_ACCESS_KEY_SECRET'] ?? '';
  const securityToken = env['ALIBABA_CLOUD_SECURITY_TOKEN'];
  const key = { accessKeyId, accessKeySecret, ...(securityToken && { securityToken }) };
  return async () => {
    if (accessKeyId !== '' && accessKeySecret !== '') return key;
    throw badCredential('ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET are not both set');
  };
}

/** The token file is read again at each renewal. */
async function buildOidc({ env, stsEndpoint }: CredentialOptions): Promise<SessionProvider> {
  const { OIDCRoleArnCredentialsProvider } = await import('@alicloud/credentials');
  const builder = OIDCRoleArnCredentialsProvider.builder()
    .withRoleArn(env['ALIBABA_CLOUD_ROLE_ARN'] ?? '')
    .withOIDCProviderArn(env['ALIBABA_CLOUD_OIDC_PROVIDER_ARN'] ?? '')
    .withOIDCTokenFilePath(env['ALIBABA_CLOUD_OIDC_TOKEN_FILE'] ?? '')
    .withRoleSessionName(env['ALIBABA_CLOUD_ROLE_SESSION_NAME'] ?? 'alibabacloud-eip-operator')
    .withReadTimeout(timeoutMs)
    .withConnectTimeout(timeoutMs);
  return (stsEndpoint ? builder.withStsEndpoint(stsEndpoint) : builder).build();
}

function buildEcsRole(
  { env, ecsMetadataEndpoint: endpoint }: CredentialOptions,
  deps: CredentialDeps,
): SessionProvider {
  if (isTrue(env['ALIBABA_CLOUD_ECS_METADATA_DISABLED'])) throw new Error('ALIBABA_CLOUD_ECS_METADATA_DISABLED is set');
  const onlyV2 = isTrue(env['ALIBABA_CLOUD_IMDSV1_DISABLED']);
  const role = env['ALIBABA_CLOUD_ECS_METADATA'];
  return createEcsRole({ endpoint: endpoint ?? ecsMetadataEndpoint, role, onlyV2 }, deps);
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}

async function buildUri({ env }: CredentialOptions): Promise<SessionProvider> {
  const { URICredentialsProvider } = await import('@alicloud/credentials');
  return URICredentialsProvider.builder()
    .withCredentialsURI(env['ALIBABA_CLOUD_CREDENTIALS_URI'] ?? '')
    .withReadTimeout(timeoutMs)
    .withConnectTimeout(timeoutMs)
    .build();
}
