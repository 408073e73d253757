import { child, items, text } from '../../kinds/draft-fields.ts';
import type { UserInfo } from '../../registry/admission.ts';
import type { Draft, StoredObject } from '../../registry/json.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import type { PolicyRule } from './policy-rule.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';

/** A binding that applies to a user: its rules, or the role that it names in vain. */
export type Grant = {
  /** As reasons name it: which binding of which role to whom. */
  readonly describe: () => string;
  readonly role: RoleReference;
  readonly rules: readonly PolicyRule[] | undefined;
};

export type RoleReference = { readonly kind: string; readonly name: string };

export type RuleResolver = {
  /** Bindings of the cluster first, then those of the namespace. */
  readonly grantsOf: (user: UserInfo, namespace: string) => Iterable<Grant>;
  /** `undefined` when there is no such role. */
  readonly rulesOf: (role: RoleReference, namespace: string) => readonly PolicyRule[] | undefined;
};

/** Reads roles and bindings as they are now: a change counts from the next request on. */
export function createRuleResolver({ get, list }: Pick<HookContext, 'get' | 'list'>): RuleResolver {
  const rulesOf: RuleResolver['rulesOf'] = ({ kind, name }, namespace) => {
    const role =
      kind === 'ClusterRole'
        ? get(rbacGroup, 'clusterroles', undefined, name)
        : get(rbacGroup, 'roles', namespace, name);
    return role === undefined ? undefined : ((role['rules'] ?? []) as readonly unknown[] as readonly PolicyRule[]);
  };
  const grantOf = (binding: StoredObject, user: UserInfo, namespace: string): Grant | undefined => {
    const subject = items(binding, 'subjects').find((each) => appliesTo(each, user, namespace));
    if (subject === undefined) return undefined;
    const reference = child(binding, 'roleRef');
    const role = { kind: text(reference, 'kind'), name: text(reference, 'name') };
    return { role, rules: rulesOf(role, namespace), describe: () => description(binding, role, subject) };
  };
  return {
    rulesOf,
    grantsOf: function* (user, namespace) {
      for (const binding of list(rbacGroup, 'clusterrolebindings')) {
        const grant = grantOf(binding, user, '');
        if (grant !== undefined) yield grant;
      }
      if (namespace === '') return;
      for (const binding of list(rbacGroup, 'rolebindings', namespace)) {
        const grant = grantOf(binding, user, namespace);
        if (grant !== undefined) yield grant;
      }
    },
  };
}

function appliesTo(subject: Draft, user: UserInfo, namespace: string): boolean {
  const name = text(subject, 'name');
  switch (text(subject, 'kind')) {
    case 'User':
      return user.username === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount': {
      // An account without a namespace is meant to be one of the binding's own.
      const home = text(subject, 'namespace') || namespace;
      return home !== '' && user.username === `system:serviceaccount:${home}:${name}`;
    }
    default:
      return false;
  }
}

function description({ kind, metadata }: StoredObject, role: RoleReference, subject: Draft): string {
  const { name, namespace = '' } = metadata;
  const account = text(subject, 'kind') === 'ServiceAccount';
  const home = account ? `/${text(subject, 'namespace') || namespace}` : '';
  const whom = `${text(subject, 'kind')} ${JSON.stringify(text(subject, 'name') + home)}`;
  const binding = JSON.stringify(namespace === '' ? name : `${name}/${namespace}`);
  return `${kind} ${binding} of ${role.kind} ${JSON.stringify(role.name)} to ${whom}`;
}
