import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import { param } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { collectionRoutes, findRow } from '../collection-routes.ts';
import type { Collection } from '../collection-routes.ts';
import { invalidRequest, refersTo } from './access-rules.ts';
import { appPolicies, policies, serviceTokens } from './access-tables.ts';
import type { ServiceToken } from './access-tables.ts';
import { nameOf, stamp } from './policy-family.ts';

const most = 50;
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const forever = '9999-12-31T23:59:59Z';

const collection: Collection<ServiceToken> = {
  path: 'access/service_tokens',
  access: accountAccess('Access: Service Tokens'),
  table: serviceTokens,
  page: { defaultSize: 25, maxSize: 1000 },
  notFound: { status: 404, code: 12_135, message: 'access.api.error.not_found: service token not found' },
  build,
  toView,
  onCreated: ({ clientSecret }) => ({ client_secret: clientSecret }),
  matches: ({ name }, query) => (query.get('name') ?? name) === name,
  beforeDelete: ({ id }, call) => {
    const account = param(call, 'account');
    const users = [...call.state.rows(policies, account).values(), ...call.state.rows(appPolicies, account).values()];
    if (users.some(({ definition }) => refersTo(definition, id)))
      throw invalidRequest('service token is used by a policy');
  },
};

const one = '/accounts/:account/access/service_tokens/:id';

export const serviceTokenFamily: Family = {
  name: 'access-service-tokens',
  routes: [
    ...collectionRoutes(collection),
    { method: 'POST', path: `${one}/rotate`, access: collection.access, run: rotate },
    { method: 'POST', path: `${one}/refresh`, access: collection.access, run: refresh },
  ],
};

function build(call: Call, old: ServiceToken | undefined): ServiceToken {
  const fields = toFields(call.body);
  const rows = call.state.rows(serviceTokens, param(call, 'account'));
  if (!old && rows.size >= most)
    throw refusal(400, 12_130, 'access.api.error.invalid_request: too many service tokens');
  const duration = textOf(fields['duration']) ?? old?.duration ?? '8760h';
  return {
    ...stamp(call, old),
    name: nameOf(old ? { name: old.name, ...fields } : fields),
    clientId: old?.clientId ?? `${call.world.ids.hex(32)}.access`,
    clientSecret: old?.clientSecret ?? call.world.ids.hex(64),
    duration,
    enabled: fields['enabled'] === undefined ? (old?.enabled ?? true) : fields['enabled'] === true,
    expiresAt: old && old.duration === duration ? old.expiresAt : expiryOf(call, duration),
  };
}

function expiryOf(call: Call, duration: string): string {
  if (duration === 'forever') return forever;
  if (!/^(\d+(h|m|s|ms))+$/.test(duration)) throw invalidRequest(`duration ${duration} is no duration`);
  const parts = [...duration.matchAll(/(\d+)(ms|h|m|s)/g)];
  const lifeMs = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
  return new Date(call.world.now() + lifeMs).toISOString();
}

function toView(token: ServiceToken): object {
  const { id, name, clientId, duration, enabled, expiresAt, createdAt, updatedAt } = token;
  return {
    id,
    name,
    client_id: clientId,
    duration,
    enabled,
    expires_at: expiresAt,
    created_at: createdAt,
    updated_at: updatedAt,
    last_seen_at: null,
  };
}

/** A new secret, told once. The token lives no longer for it; the old secret as long as was asked for. */
function rotate(call: Call): Reply {
  const old = findRow(collection, call);
  const until = textOf(toFields(call.body)['previous_client_secret_expires_at']);
  const next: ServiceToken = {
    ...old,
    ...stamp(call, old),
    clientSecret: call.world.ids.hex(64),
    previousSecret: until === undefined ? undefined : { secret: old.clientSecret, expiresAt: until },
  };
  call.state.put(serviceTokens, param(call, 'account'), next.id, next);
  return { result: { ...toView(next), client_secret: next.clientSecret } };
}

function refresh(call: Call): Reply {
  const old = findRow(collection, call);
  const next = { ...old, ...stamp(call, old), expiresAt: expiryOf(call, old.duration) };
  call.state.put(serviceTokens, param(call, 'account'), next.id, next);
  return { result: toView(next) };
}
