import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { collectionRoutes } from '../collection-routes.ts';
import { invalidRequest, refersTo } from './access-rules.ts';
import { accessTags, appPolicies, applications, groups, identityProviders, policies } from './access-tables.ts';
import type { AccessTag, IdentityProvider } from './access-tables.ts';
import { nameOf, stamp } from './policy-family.ts';

const access = accountAccess('Access: Organizations, Identity Providers, and Groups');
const types = new Set([
  'onetimepin',
  'azureAD',
  'saml',
  'centrify',
  'facebook',
  'github',
  'google',
  'google-apps',
  'linkedin',
  'oidc',
  'okta',
  'onelogin',
  'pingone',
  'yandex',
  'cloudflare',
]);

export const identityProviderFamily: Family = {
  name: 'access-identity-providers',
  routes: collectionRoutes<IdentityProvider>({
    path: 'access/identity_providers',
    access,
    table: identityProviders,
    page: { defaultSize: 25, maxSize: 1000 },
    notFound: { status: 404, code: 12_135, message: 'access.api.error.not_found: identity provider not found' },
    build,
    toView,
    beforeDelete: ({ id }, call) => {
      const account = param(call, 'account');
      const tables = [policies, appPolicies, groups, applications];
      const users = tables.flatMap((table) => [...call.state.rows(table, account).values()]);
      if (users.some(({ definition }) => refersTo(definition, id))) throw invalidRequest('identity provider is in use');
    },
  }),
};

function build(call: Call, old: IdentityProvider | undefined): IdentityProvider {
  const fields = toFields(call.body);
  const type = textOf(fields['type']) ?? '';
  if (!types.has(type)) throw invalidRequest(`unknown identity provider type ${type}`);
  if (old && old.type !== type) throw invalidRequest('the type of an identity provider cannot be changed');
  if (!isFields(fields['config'])) throw invalidRequest('config is required');
  const others = [...call.state.rows(identityProviders, param(call, 'account')).values()];
  if (type === 'onetimepin' && others.some((other) => other.type === type && other.id !== old?.id)) {
    throw refusal(409, 12_130, 'access.api.error.conflict: a onetimepin identity provider exists already');
  }
  // A secret that is not sent again stays.
  const kept = Object.fromEntries(secrets.flatMap((name) => (old?.config[name] ? [[name, old.config[name]]] : [])));
  const config = { ...kept, ...fields['config'] };
  const scim = fields['scim_config'];
  return {
    ...stamp(call, old),
    name: nameOf(fields),
    type,
    config,
    scimConfig: isFields(scim) ? scim : old?.scimConfig,
  };
}

const secrets = ['client_secret', 'api_token'];

/** Secrets do not come back, and what is false may be left out. */
function toView({ id, name, type, config, scimConfig }: IdentityProvider): object {
  const shown = Object.entries(config).filter(([key, value]) => !secrets.includes(key) && value !== false);
  return {
    id,
    name,
    type,
    config: Object.fromEntries(shown),
    ...(scimConfig && { scim_config: withoutSecret(scimConfig) }),
  };
}

function withoutSecret({ secret: _secret, ...rest }: Fields): Fields {
  return rest;
}

const tags = '/accounts/:account/access/tags';

/** Tags are known by their names. */
export const accessTagFamily: Family = {
  name: 'access-tags',
  routes: [
    {
      method: 'GET',
      path: tags,
      access,
      run: (call): Reply => {
        const rows = [...call.state.rows(accessTags, param(call, 'account')).values()].map(toTag);
        return toPage(call.query, rows, { defaultSize: 25, maxSize: 1000 });
      },
    },
    {
      method: 'POST',
      path: tags,
      access,
      run: (call): Reply => {
        const name = nameOf(toFields(call.body));
        const now = timestamp(call.world);
        const tag = { id: name, name, createdAt: now, updatedAt: now };
        call.state.put(accessTags, param(call, 'account'), name, tag);
        return { result: toTag(tag) };
      },
    },
    { method: 'GET', path: `${tags}/:tag`, access, run: (call): Reply => ({ result: toTag(findTag(call)) }) },
    {
      method: 'DELETE',
      path: `${tags}/:tag`,
      access,
      run: (call): Reply => {
        const { name } = findTag(call);
        call.state.remove(accessTags, param(call, 'account'), name);
        return { result: { name } };
      },
    },
  ],
};

function findTag(call: Call): AccessTag {
  const tag = call.state.get(accessTags, param(call, 'account'), param(call, 'tag'));
  if (!tag) throw refusal(404, 12_135, 'access.api.error.not_found: tag not found');
  return tag;
}

function toTag({
  name,
  createdAt,
  updatedAt,
}: {
  readonly name: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}): object {
  return { name, created_at: createdAt, updated_at: updatedAt };
}
