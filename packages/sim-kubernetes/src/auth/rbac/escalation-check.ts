// Nobody gives away what they do not hold: whoever writes a role must hold all of its rules or be allowed to
// `escalate` it, and whoever binds a role must hold its rules or be allowed to `bind` it.
import { child, items, maybeChild, text } from '../../kinds/draft-fields.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../registry/admission.ts';
import { ApiError, badRequest, forbidden, notFound } from '../../registry/api-error.ts';
import type { Draft } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { everything, mastersGroup } from '../authorizer.ts';
import type { Authorizer, SubjectRules } from '../authorizer.ts';
import { describeRules, goList, uncovered } from './covers.ts';
import { draftRules } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';
import { rbacGroup } from './rule-resolver.ts';
import type { RoleReference, RuleResolver } from './rule-resolver.ts';

type Deps = { readonly authorizer: Authorizer; readonly resolver: RuleResolver };
type Check = (deps: Deps, attributes: AdmissionAttributes, object: Draft) => void;

const checks: Readonly<Record<string, Check>> = {
  roles: checkRole,
  clusterroles: checkRole,
  rolebindings: checkBinding,
  clusterrolebindings: checkBinding,
};

/** Runs as the last of the mutating plugins: what they made of the object is what is judged. */
export function createEscalationCheck(deps: Deps): AdmissionPlugin {
  return {
    name: 'rbac-escalation',
    mutate: (attributes) => {
      const { type, object, user, operation } = attributes;
      const check = type.group === rbacGroup ? checks[type.plural] : undefined;
      if (check === undefined || object === undefined || operation === 'DELETE') return;
      if (user.groups.includes(mastersGroup) || changesOwnersOnly(attributes, object)) return;
      check(deps, attributes, object);
    },
  };
}

function checkRole(deps: Deps, attributes: AdmissionAttributes, object: Draft): void {
  const { type, user, namespace = '', name, old } = attributes;
  const right = { user, verb: 'escalate', group: rbacGroup, resource: type.plural, subresource: '', name, namespace };
  if (deps.authorizer.authorize(right).allowed) return;
  confirmHeld(deps, attributes, object, draftRules(object));
  if (!aggregates(object) && !(old !== undefined && aggregates(old))) return;
  // What is gathered may be anything, now or later.
  if (uncovered(heldBy(deps, attributes).rules, everything).length === 0) return;
  throw refusal(attributes, object, 'must have cluster-admin privileges to use the aggregationRule');
}

function checkBinding(deps: Deps, attributes: AdmissionAttributes, object: Draft): void {
  const { user, namespace = '' } = attributes;
  const reference = child(object, 'roleRef');
  const role = { kind: text(reference, 'kind'), name: text(reference, 'name') };
  const resource = role.kind === 'Role' ? 'roles' : role.kind === 'ClusterRole' ? 'clusterroles' : undefined;
  if (resource !== undefined) {
    const group = text(reference, 'apiGroup');
    const right = { user, verb: 'bind', group, resource, subresource: '', name: role.name, namespace };
    if (deps.authorizer.authorize(right).allowed) return;
  }
  confirmHeld(deps, attributes, object, rulesToBind(deps, attributes, role));
}

/** The server reads the role as part of the request for the binding, and its errors name the binding's resource. */
function rulesToBind(
  { resolver }: Deps,
  { type, namespace = '' }: AdmissionAttributes,
  role: RoleReference,
): readonly PolicyRule[] {
  if (role.kind !== 'Role' && role.kind !== 'ClusterRole') {
    throw new ApiError(500, '', `unsupported role reference kind: ${JSON.stringify(role.kind)}`);
  }
  if (role.kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.');
  const rules = resolver.rulesOf(role, namespace);
  if (rules === undefined) throw notFound(type, role.name);
  return rules;
}

function heldBy({ resolver }: Deps, { type, user, namespace = '' }: AdmissionAttributes): SubjectRules {
  const rules: PolicyRule[] = [];
  const errors: string[] = [];
  for (const grant of resolver.grantsOf(user, namespace)) {
    if (grant.rules === undefined) errors.push(notFound(type, grant.role.name).message);
    else rules.push(...grant.rules);
  }
  return { rules, errors };
}

function confirmHeld(deps: Deps, attributes: AdmissionAttributes, object: Draft, wanted: readonly PolicyRule[]): void {
  const held = heldBy(deps, attributes);
  const missing = uncovered(held.rules, wanted);
  if (missing.length === 0) return;
  const { username, groups } = attributes.user;
  const who = `user ${JSON.stringify(username)} (groups=${goList(groups)})`;
  const what = `is attempting to grant RBAC permissions not currently held:\n${describeRules(missing).join('\n')}`;
  const unresolved = held.errors.length === 0 ? '' : `; resolution errors: [${held.errors.join(', ')}]`;
  throw refusal(attributes, object, `${who} ${what}${unresolved}`);
}

function refusal({ type }: AdmissionAttributes, object: Draft, cause: string): ApiError {
  return forbidden(type, text(child(object, 'metadata'), 'name'), cause);
}

function aggregates(role: Parameters<typeof maybeChild>[0]): boolean {
  return items(maybeChild(role, 'aggregationRule'), 'clusterRoleSelectors').length > 0;
}

/** The garbage collector must be able to let go of what it may not write. */
function changesOwnersOnly({ old }: AdmissionAttributes, object: Draft): boolean {
  if (old === undefined) return false;
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  const metadata = { ...child(object, 'metadata'), ownerReferences, finalizers, managedFields };
  return sameJson({ ...object, metadata }, old);
}
