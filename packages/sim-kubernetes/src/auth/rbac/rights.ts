// Tools for a test that every rule of an operator's roles is needed, and that a missing one is seen.
import type { Manifest } from '../../install-objects.ts';
import type { Attributes } from '../attributes.ts';
import { partsOf } from './covers.ts';
import { ruleAllows } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';

/** The smallest thing that a role gives: one verb on one resource, or on one of its objects. */
export type Right = {
  readonly role: Pick<Manifest, 'kind' | 'metadata'>;
  readonly rule: PolicyRule;
  /** As in `Role lease-holder: get coordination.k8s.io/leases/main`. */
  readonly title: string;
};

type Role = Manifest & { readonly rules: readonly PolicyRule[] };

/** Every right that the roles among the manifests give. */
export function rightsIn(manifests: readonly Manifest[]): readonly Right[] {
  return manifests.filter(isRole).flatMap((role) =>
    role.rules.flatMap(partsOf).map((rule) => ({
      role: { kind: role.kind ?? '', metadata: role.metadata },
      rule,
      title: `${role.kind ?? ''} ${role.metadata.name ?? ''}: ${titleOf(rule)}`,
    })),
  );
}

/** The same manifests, with everything but this right. */
export function withoutRight(manifests: readonly Manifest[], right: Right): readonly Manifest[] {
  const { kind, metadata } = right.role;
  const isMeant = (each: Manifest): boolean =>
    each.kind === kind && each.metadata.name === metadata.name && each.metadata.namespace === metadata.namespace;
  const gone = titleOf(right.rule);
  return manifests.map((each) => {
    if (!isRole(each) || !isMeant(each)) return each;
    return { ...each, rules: each.rules.flatMap(partsOf).filter((part) => titleOf(part) !== gone) };
  });
}

/** Whether any of the requests needs the right: it is allowed by it, and by none of the others. */
export function needsRight(requests: readonly Attributes[], right: Right, all: readonly Right[]): boolean {
  const { namespace } = right.role.metadata;
  const others = all.filter(({ title }) => title !== right.title);
  return requests.some((request) => {
    if (namespace !== undefined && request.namespace !== namespace) return false;
    if (!ruleAllows(right.rule, request)) return false;
    return !others.some(({ role, rule }) => {
      const home = role.metadata.namespace;
      return (home === undefined || home === request.namespace) && ruleAllows(rule, request);
    });
  });
}

function isRole(object: Manifest): object is Role {
  return object.kind === 'Role' || object.kind === 'ClusterRole';
}

function titleOf({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): string {
  const [verb = '', name] = [verbs[0], resourceNames[0]];
  if (nonResourceURLs[0] !== undefined) return `${verb} ${nonResourceURLs[0]}`;
  const resource = [apiGroups[0], resources[0]].filter((part) => part !== undefined && part !== '').join('/');
  return `${verb} ${resource}${name === undefined ? '' : ` ${name}`}`;
}
