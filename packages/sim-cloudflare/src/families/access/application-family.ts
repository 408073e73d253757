import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { param } from '../../api/route.ts';
import type { Call, Family, Reply, Route } from '../../api/route.ts';
import { globalScope } from '../../store/table.ts';
import { collectionRoutes, findRow } from '../collection-routes.ts';
import type { Collection } from '../collection-routes.ts';
import { zones } from '../zones/zone.ts';
import { invalidRequest } from './access-rules.ts';
import { accessTags, appPolicies, applications, policies } from './access-tables.ts';
import type { Application, AttachedPolicy, Policy } from './access-tables.ts';
import { buildPolicy, nameOf, stamp, toPolicy } from './policy-family.ts';

const types = new Set([
  'self_hosted',
  'saas',
  'ssh',
  'vnc',
  'rdp',
  'bookmark',
  'app_launcher',
  'warp',
  'biso',
  'dash_sso',
  'infrastructure',
  'mcp',
  'mcp_portal',
  'proxy_endpoint',
]);
const withDomain = new Set(['self_hosted', 'ssh', 'vnc', 'rdp', 'bookmark', 'mcp', 'mcp_portal']);

const written: Fields = {
  session_duration: '24h',
  app_launcher_visible: true,
  http_only_cookie_attribute: true,
  auto_redirect_to_identity: false,
  allow_iframe: false,
  skip_interstitial: false,
  path_cookie_attribute: false,
  options_preflight_bypass: false,
  service_auth_401_redirect: false,
  enable_binding_cookie: false,
};

const collection: Collection<Application> = {
  path: 'access/apps',
  access: accountAccess('Access: Apps and Policies', 'Access: Apps'),
  table: applications,
  page: { defaultSize: 25, maxSize: 1000 },
  notFound: { status: 404, code: 11_021, message: 'access.api.error.not_found: application not found' },
  build,
  toView,
  matches: ({ name, definition, aud }, query) =>
    (query.get('name') ?? name) === name &&
    (query.get('aud') ?? aud) === aud &&
    (query.get('domain') ?? definition['domain']) === definition['domain'],
  // Told once.
  onCreated: ({ definition }, call) => {
    const saas = definition['saas_app'];
    if (!isFields(saas) || saas['client_id'] === undefined) return {};
    return { saas_app: { ...saas, client_secret: call.world.ids.hex(64) } };
  },
  beforeDelete: (row, call) => dropOwn(call, row.policies, []),
};

export const accessApplicationFamily: Family = {
  name: 'access-apps',
  routes: [
    ...collectionRoutes(collection),
    {
      method: 'GET',
      path: '/accounts/:account/access/apps/:app/policies',
      access: collection.access,
      run: (call): Reply => {
        const app = findRow(collection, call, param(call, 'app'));
        return { result: expanded(app, call) };
      },
    },
    ...ownPolicyRoutes(),
  ],
};

/** Policies of one application, one by one, as older clients write them. */
function ownPolicyRoutes(): readonly Route[] {
  const path = '/accounts/:account/access/apps/:app/policies';
  const one = `${path}/:policy`;
  const { access } = collection;
  return [
    { method: 'POST', path, access, run: (call) => putOwnPolicy(call, undefined) },
    { method: 'GET', path: one, access, run: (call) => ({ result: toPolicy(findOwnPolicy(call)) }) },
    { method: 'PUT', path: one, access, run: (call) => putOwnPolicy(call, findOwnPolicy(call)) },
    {
      method: 'DELETE',
      path: one,
      access,
      run: (call) => {
        const { id } = findOwnPolicy(call);
        const app = findRow(collection, call, param(call, 'app'));
        const rest = app.policies.filter((policy) => policy.id !== id);
        call.state.put(applications, param(call, 'account'), app.id, { ...app, policies: rest });
        dropOwn(call, app.policies, rest);
        return { result: { id } };
      },
    },
  ];
}

function putOwnPolicy(call: Call, old: Policy | undefined): Reply {
  const account = param(call, 'account');
  const app = findRow(collection, call, param(call, 'app'));
  const fields = toFields(call.body);
  const policy = buildPolicy(call, fields, old);
  call.state.put(appPolicies, account, policy.id, policy);
  const last = Math.max(0, ...app.policies.map(({ precedence }) => precedence));
  const precedence = typeof fields['precedence'] === 'number' ? fields['precedence'] : last + 1;
  const attached = [...app.policies.filter(({ id }) => id !== policy.id), { id: policy.id, precedence }];
  call.state.put(applications, account, app.id, { ...app, policies: attached });
  return { result: { ...toPolicy(policy), reusable: false, precedence } };
}

function findOwnPolicy(call: Call): Policy {
  const app = findRow(collection, call, param(call, 'app'));
  const attached = app.policies.find(({ id }) => id === param(call, 'policy'));
  const policy = attached && call.state.get(appPolicies, param(call, 'account'), attached.id);
  if (!policy) throw refusal(404, 12_135, 'access.api.error.not_found: policy not found');
  return policy;
}

function build(call: Call, old: Application | undefined): Application {
  const fields = toFields(call.body);
  const type = textOf(fields['type']) ?? old?.type ?? 'self_hosted';
  if (!types.has(type)) throw invalidRequest(`unknown application type ${type}`);
  if (old && old.type !== type) throw invalidRequest('the type of an application cannot be changed');
  const { policies: wished, ...rest } = fields;
  const domains = withDomain.has(type) ? coupledDomains(rest) : {};
  const tags = sortedTags(rest['tags'], call);
  const definition = { ...written, ...rest, ...domains, ...saasOf(rest['saas_app'], call, old), tags };
  for (const domain of domains['self_hosted_domains'] ?? []) checkDomain(call, type, String(domain), old?.id);
  const attached = attach(call, wished, old?.policies ?? []);
  dropOwn(call, old?.policies ?? [], attached);
  const aud = old?.aud ?? call.world.ids.hex(64);
  return {
    ...stamp(call, old),
    aud,
    name: type === 'app_launcher' ? 'App Launcher' : nameOf(fields),
    type,
    definition,
    policies: attached,
  };
}

/** What Cloudflare adds to an application that is a service provider. */
function saasOf(value: unknown, call: Call, old: Application | undefined): Fields {
  if (!isFields(value)) return {};
  const before = isFields(old?.definition['saas_app']) ? old.definition['saas_app'] : {};
  const { ids } = call.world;
  if (value['auth_type'] !== 'oidc') {
    const endpoint =
      before['sso_endpoint'] ?? `https://team.cloudflareaccess.com/cdn-cgi/access/sso/saml/${ids.hex(64)}`;
    return { saas_app: { ...value, sso_endpoint: endpoint, idp_entity_id: endpoint } };
  }
  const clientId = before['client_id'] ?? ids.hex(64);
  const filled = { access_token_lifetime: '5m', allow_pkce_without_client_secret: false };
  return { saas_app: { ...filled, ...value, client_id: clientId } };
}

/** Writing one of `domain`, `self_hosted_domains` and `destinations` rewrites the others. */
function coupledDomains(fields: Fields): { readonly self_hosted_domains?: readonly unknown[] } & Fields {
  const destinations = Array.isArray(fields['destinations'])
    ? (fields['destinations'] as readonly Fields[])
    : undefined;
  const listed = Array.isArray(fields['self_hosted_domains'])
    ? (fields['self_hosted_domains'] as readonly string[])
    : undefined;
  const publicUris = destinations?.filter(({ type }) => (type ?? 'public') === 'public').map(({ uri }) => String(uri));
  const names = publicUris ?? listed ?? [textOf(fields['domain']) ?? ''];
  if (names.length > 5) throw invalidRequest('an application has at most five domains');
  const domain = textOf(fields['domain']) ?? names[0] ?? '';
  if (domain === '' && !destinations?.some(({ type }) => type === 'private'))
    throw invalidRequest('domain is required');
  const all = names.length === 0 || names[0] === '' ? [domain] : names;
  return {
    ...(domain !== '' && { domain }),
    self_hosted_domains: all.filter((name) => name !== ''),
    destinations: destinations ?? all.map((uri) => ({ type: 'public', uri })),
  };
}

function checkDomain(call: Call, type: string, domain: string, self: string | undefined): void {
  const account = param(call, 'account');
  const [host = ''] = domain.split('/');
  const inZone = [...call.state.rows(zones, globalScope).values()].some(
    (zone) =>
      zone.accountId === account && zone.status === 'active' && (host === zone.name || host.endsWith(`.${zone.name}`)),
  );
  if (!inZone && type !== 'bookmark') throw invalidRequest(`domain does not belong to zone: ${domain}`);
  for (const other of call.state.rows(applications, account).values()) {
    const taken = (other.definition['self_hosted_domains'] as readonly string[] | undefined) ?? [];
    if (other.id !== self && taken.includes(domain)) {
      throw refusal(409, 11_010, `access.api.error.conflict: ${domain} belongs to another application`);
    }
  }
}

function sortedTags(value: unknown, call: Call): readonly string[] {
  const tags = Array.isArray(value) ? value.map(String).toSorted() : [];
  for (const tag of tags) {
    if (!call.state.get(accessTags, param(call, 'account'), tag)) throw invalidRequest(`tag ${tag} does not exist`);
  }
  return tags;
}

/** Nothing said: as before. An empty list: none. An id names a reusable policy, an object without one is the application's own. */
function attach(call: Call, wished: unknown, before: readonly AttachedPolicy[]): readonly AttachedPolicy[] {
  if (wished === undefined || wished === null) return before;
  if (!Array.isArray(wished)) throw invalidRequest('policies must be a list');
  return wished.map((item: unknown, index) => {
    const fields = isFields(item) ? item : { id: item };
    const precedence = typeof fields['precedence'] === 'number' ? fields['precedence'] : index + 1;
    return { id: policyIdOf(call, fields), precedence };
  });
}

function policyIdOf(call: Call, fields: Fields): string {
  const account = param(call, 'account');
  const id = textOf(fields['id']);
  const own = id === undefined ? undefined : call.state.get(appPolicies, account, id);
  if (id !== undefined && !own) {
    if (!call.state.get(policies, account, id)) throw invalidRequest(`policy ${id} does not exist`);
    return id;
  }
  if (own && fields['decision'] === undefined) return own.id;
  const policy = buildPolicy(call, fields, own);
  call.state.put(appPolicies, account, policy.id, policy);
  return policy.id;
}

/** A policy of the application's own goes when the application lets go of it. */
function dropOwn(call: Call, before: readonly AttachedPolicy[], after: readonly AttachedPolicy[]): void {
  const kept = new Set(after.map(({ id }) => id));
  for (const { id } of before) if (!kept.has(id)) call.state.remove(appPolicies, param(call, 'account'), id);
}

function expanded({ policies: attached }: Application, call: Call): readonly object[] {
  const account = param(call, 'account');
  return attached.flatMap(({ id, precedence }) => {
    const reusable = call.state.get(policies, account, id);
    const policy: Policy | undefined = reusable ?? call.state.get(appPolicies, account, id);
    return policy ? [{ ...toPolicy(policy), reusable: reusable !== undefined, precedence }] : [];
  });
}

function toView(app: Application, call: Call): object {
  const { id, aud, name, type, definition, createdAt, updatedAt } = app;
  const times = { created_at: createdAt, updated_at: updatedAt };
  return { ...definition, id, aud, name, type, ...times, policies: expanded(app, call) };
}
