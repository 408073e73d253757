import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family } from '../../api/route.ts';
import { collectionRoutes } from '../collection-routes.ts';
import { appPolicies, applications, groups, policies } from './access-tables.ts';
import type { Group, Policy } from './access-tables.ts';
import { invalidRequest, readRules, refersTo } from './access-rules.ts';

const longestName = 350;
const decisions = ['allow', 'deny', 'non_identity', 'bypass'];
const page = { defaultSize: 25, maxSize: 1000 };

export function stamp(
  call: Call,
  old: { readonly id: string; readonly createdAt: string } | undefined,
): {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
} {
  const now = timestamp(call.world);
  return { id: old?.id ?? call.world.ids.uuid(), createdAt: old?.createdAt ?? now, updatedAt: now };
}

export function nameOf(fields: Fields): string {
  const name = textOf(fields['name']) ?? '';
  if (name === '' || name.length > longestName) throw invalidRequest(`name must have 1 to ${longestName} characters`);
  return name;
}

export function buildPolicy(call: Call, fields: Fields, old: Policy | undefined): Policy {
  const { decision } = fields;
  if (!decisions.includes(textOf(decision) ?? '')) throw invalidRequest('decision is unknown');
  const { id: _id, precedence: _precedence, reusable: _reusable, ...rest } = fields;
  const definition = { session_duration: '24h', ...rest, ...readRules(fields, call) };
  return { ...stamp(call, old), name: nameOf(fields), definition };
}

/** How many applications use a reusable policy. */
function appCount(call: Call, id: string): number {
  const rows = [...call.state.rows(applications, param(call, 'account')).values()];
  return rows.filter(({ policies: attached }) => attached.some((policy) => policy.id === id)).length;
}

/** Accepted, and never shown again. */
const unseen = ['approval_required', 'isolation_required', 'purpose_justification_required'];

export function toPolicy({ id, name, definition, createdAt, updatedAt }: Policy): object {
  const shown = Object.fromEntries(Object.entries(definition).filter(([field]) => !unseen.includes(field)));
  return { ...shown, id, name, created_at: createdAt, updated_at: updatedAt };
}

export const accessPolicyFamily: Family = {
  name: 'access-policies',
  routes: collectionRoutes<Policy>({
    path: 'access/policies',
    access: accountAccess('Access: Apps and Policies', 'Access: Policies'),
    table: policies,
    page,
    notFound: { status: 404, code: 12_135, message: 'access.api.error.not_found: policy not found' },
    build: (call, old) => buildPolicy(call, toFields(call.body), old),
    toView: (row, call) => ({ ...toPolicy(row), reusable: true, app_count: appCount(call, row.id) }),
    beforeDelete: ({ id }, call) => {
      if (appCount(call, id) > 0) throw refusal(400, 12_130, 'access.api.error.invalid_request: policy is in use');
    },
  }),
};

export const accessGroupFamily: Family = {
  name: 'access-groups',
  routes: collectionRoutes<Group>({
    path: 'access/groups',
    access: accountAccess('Access: Organizations, Identity Providers, and Groups'),
    table: groups,
    page,
    notFound: { status: 404, code: 12_152, message: 'access.api.error.not_found: group not found' },
    build: (call, old) => {
      const fields = toFields(call.body);
      return { ...stamp(call, old), name: nameOf(fields), definition: readRules(fields, call) };
    },
    toView: ({ id, name, definition, createdAt, updatedAt }) => ({
      id,
      name,
      ...definition,
      created_at: createdAt,
      updated_at: updatedAt,
    }),
    matches: ({ name }, query) => (query.get('name') ?? name) === name,
    beforeDelete: ({ id }, call) => {
      const account = param(call, 'account');
      const users = [policies, appPolicies, groups].flatMap((table) => [...call.state.rows(table, account).values()]);
      if (users.some(({ definition }) => refersTo(definition, id))) throw invalidRequest('group is used by a policy');
    },
  }),
};
