import type { Authorizer } from '../authorizer.ts';
import { mastersGroup } from '../authorizer.ts';
import { ruleAllows } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';
import { rbacGroup } from './rule-resolver.ts';
import type { RoleReference, RuleResolver } from './rule-resolver.ts';

/** Role-based access control as kube-apiserver has it: what no rule allows is forbidden. */
export function createRbacAuthorizer(resolver: RuleResolver): Authorizer {
  return {
    authorize: (attributes) => {
      const { user, namespace } = attributes;
      if (user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
      const missing: string[] = [];
      for (const { rules, role, describe } of resolver.grantsOf(user, namespace)) {
        if (rules === undefined) missing.push(missingRole(role));
        else if (rules.some((rule) => ruleAllows(rule, attributes))) {
          return { allowed: true, reason: `RBAC: allowed by ${describe()}` };
        }
      }
      return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${aggregate(missing)}` };
    },
    rulesFor: (user, namespace) => {
      const rules: PolicyRule[] = [];
      const errors: string[] = [];
      for (const grant of resolver.grantsOf(user, namespace)) {
        if (grant.rules === undefined) errors.push(missingRole(grant.role));
        else rules.push(...grant.rules);
      }
      return { rules, errors };
    },
  };
}

function missingRole({ kind, name }: RoleReference): string {
  return `${kind.toLowerCase()}.${rbacGroup} ${JSON.stringify(name)} not found`;
}

/** Several errors as one, each named once. */
export function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
