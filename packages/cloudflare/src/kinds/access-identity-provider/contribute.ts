import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { secretKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { accessWords, commonStatus, nameAtCloudflare } from '../../refs/access/access-shape.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { toSnakeCase } from '../../refs/snake-case.ts';
import { accessIdentityProviderContract } from '../../targets/access-identity-provider/contract.ts';
import { secretsOf } from './provider-secrets.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import { accessIdentityProviderKind } from './resource.ts';
import type { AccessIdentityProvider } from './resource.ts';

type Resolved = { readonly account: Account; readonly secrets: ProviderSecrets };

export const accessIdentityProviderContributor = defineContributor<AccessIdentityProvider, Resolved>({
  kind: accessIdentityProviderKind,
  ...finalizersOf('accessidentityprovider'),
  childKinds: [secretKind],
  resolve: (object, refs): Resolution<Resolved> => {
    const account = credentialsOf(refs, object.spec.cloudflare, undefined);
    if (!account.ok) return account;
    const requiring = object.spec.config?.headerAttributes?.findIndex(({ required }) => required) ?? -1;
    if (requiring >= 0) {
      const message = `spec.config.headerAttributes[${requiring}].required: Cloudflare has no such option any more`;
      return { ok: false, state: 'broken', reason: 'InvalidConfig', message };
    }
    const secrets = secretsOf(object, refs);
    return secrets.ok ? { ok: true, value: { account: account.value, secrets: secrets.value } } : secrets;
  },
  contribute: ({ metadata, spec }, { account, secrets }) => {
    const { accountId, credentials } = account;
    const { type, scimConfig: { secret: _secret, ...scim } = {} } = spec;
    const key = { accountId, owner: `AccessIdentityProvider/${metadata.name ?? ''}`, type };
    const config = {
      name: nameAtCloudflare(metadata, spec),
      config: toConfig(spec.config ?? {}),
      ...(spec.scimConfig && { scimConfig: toSnakeCase(scim) as Record<string, unknown> }),
      ...(secrets.use && { secrets: secrets.use }),
      // There is one for one-time pins in an account, and nobody's: it is taken as it is.
      ...(type === 'onetimepin' ? { adopt: true } : adoptWish(metadata)),
    };
    return [contribution(accessIdentityProviderContract, key, config, { credentials })];
  },
  children: (_object, { secrets }) => (secrets.child ? [secrets.child] : []),
  status: ({ status }, view) => commonStatus(view, status, 'providerId'),
  ready: accessWords,
});

/** In the names of the API and without the secrets. */
function toConfig(config: NonNullable<AccessIdentityProvider['spec']['config']>): Record<string, unknown> {
  const {
    clientSecret: _clientSecret,
    apiToken: _apiToken,
    idpPublicCert,
    idpPublicCerts,
    oktaAuthorizationServerId,
    headerAttributes,
    ...rest
  } = config;
  const certificates = idpPublicCert ? [idpPublicCert] : idpPublicCerts;
  return {
    ...(toSnakeCase(rest) as Record<string, unknown>),
    ...(certificates && { idp_public_certs: certificates }),
    ...(oktaAuthorizationServerId && { authorization_server_id: oktaAuthorizationServerId }),
    ...(headerAttributes && {
      header_attributes: headerAttributes.map(({ attributeName, headerName }) => ({
        attribute_name: attributeName,
        header_name: headerName,
      })),
    }),
  };
}
