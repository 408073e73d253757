import { accountAccess } from '../api/access.ts';
import { refusal } from '../api/api-error.ts';
import { toFields } from '../api/fields.ts';
import { toPage } from '../api/page.ts';
import { param, timestamp } from '../api/route.ts';
import type { Call, Family, Reply } from '../api/route.ts';
import { defineTable, globalScope } from '../store/table.ts';
import { zones } from './zones/zone.ts';

type Registration = {
  readonly id: string;
  readonly status: string;
  readonly autoRenew: boolean;
  readonly locked: boolean;
  readonly privacyMode: string;
  readonly createdAt: string;
  readonly expiresAt: string;
};

/** By account; the id is the domain. Each zone of an account is registered there from the start. */
const registrations = defineTable<Registration>('registrations');
const access = accountAccess('Domain', 'Registrar Domains');
const all = '/accounts/:account/registrar/registrations';
const yearMs = 31_536_000_000;

export const registrarFamily: Family = {
  name: 'registrar',
  routes: [
    { method: 'GET', path: all, access, run: list },
    { method: 'GET', path: `${all}/:domain`, access, run: (call) => ({ result: toView(find(call)) }) },
    { method: 'PATCH', path: `${all}/:domain`, access, run: edit },
    {
      method: 'GET',
      path: `${all}/:domain/update-status`,
      access,
      run: (call) => ({ result: toWorkflow(find(call)) }),
    },
  ],
};

function seeded(call: Call, name: string): Registration {
  const now = call.world.now();
  return {
    id: name,
    status: 'active',
    autoRenew: true,
    locked: true,
    privacyMode: 'redaction',
    createdAt: new Date(now - yearMs).toISOString(),
    expiresAt: new Date(now + yearMs).toISOString(),
  };
}

function find(call: Call): Registration {
  const domain = param(call, 'domain');
  const stored = call.state.get(registrations, param(call, 'account'), domain);
  if (stored) return stored;
  const zone = [...call.state.rows(zones, globalScope).values()].find(({ name }) => name === domain);
  if (zone?.accountId !== param(call, 'account')) throw refusal(403, 10_000, "the domain doesn't belong to the user");
  return seeded(call, domain);
}

function list(call: Call): Reply {
  const account = param(call, 'account');
  const own = [...call.state.rows(zones, globalScope).values()].filter(({ accountId }) => accountId === account);
  const rows = own.map(({ name }) => toView(call.state.get(registrations, account, name) ?? seeded(call, name)));
  return toPage(call.query, rows, { defaultSize: 20, maxSize: 100 });
}

/** Only the renewal can be changed. */
function edit(call: Call): Reply {
  const fields = toFields(call.body);
  const others = Object.keys(fields).filter((name) => name !== 'auto_renew');
  if (others.length > 0) throw refusal(422, 10_101, `${others.join(', ')} cannot be updated`);
  if (typeof fields['auto_renew'] !== 'boolean') throw refusal(400, 10_102, 'auto_renew must be a boolean');
  const next = { ...find(call), autoRenew: fields['auto_renew'] };
  call.state.put(registrations, param(call, 'account'), next.id, next);
  return { result: { ...toWorkflow(next), updated_at: timestamp(call.world) } };
}

function toWorkflow({ id }: Registration): object {
  return {
    domain_name: id,
    state: 'succeeded',
    completed: true,
    links: { self: `/registrar/registrations/${id}/update-status` },
  };
}

function toView({ id, status, autoRenew, locked, privacyMode, createdAt, expiresAt }: Registration): object {
  return {
    domain_name: id,
    status,
    auto_renew: autoRenew,
    locked,
    privacy_mode: privacyMode,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}
