import type { Kind } from '../kind.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** What an operator does with a kind, so that its role allows this and nothing more. */
export type Permission = {
  readonly kind: Pick<Kind, 'group' | 'plural'>;
  readonly verbs: readonly Verb[];
  readonly subresource?: string;
  /** Only these objects. Says nothing about `create`, whose objects have no name yet, nor about `list` and `watch` of more than one. */
  readonly names?: readonly string[];
  /** `own`: only where the operator runs. Everywhere when absent. */
  readonly namespace?: 'own';
};

export type PolicyRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly Verb[];
};

const order: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** The rules of a role: one for each group and set of verbs, in an order that does not depend on who asked first. */
export function toPolicyRules(permissions: readonly Permission[]): readonly PolicyRule[] {
  const wholes = new Map<string, Asked>();
  for (const permission of permissions) {
    const asked = toAsked(permission);
    const known = wholes.get(asked.id)?.verbs ?? [];
    wholes.set(asked.id, {
      ...asked,
      verbs: order.filter((verb) => known.includes(verb) || asked.verbs.includes(verb)),
    });
  }
  const rules = new Map<string, Asked & { readonly resources: string[] }>();
  for (const asked of [...wholes.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const like = [asked.group, asked.names.join(), asked.verbs.join()].join(' ');
    const rule = rules.get(like) ?? { ...asked, resources: [] };
    rule.resources.push(asked.resource);
    rules.set(like, rule);
  }
  return [...rules.values()].map(({ group, resources, names, verbs }) => ({
    apiGroups: [group],
    resources,
    ...(names.length > 0 && { resourceNames: names }),
    verbs,
  }));
}

/** What is asked of one resource, or of some of its objects. */
type Asked = {
  readonly id: string;
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[];
  readonly verbs: readonly Verb[];
};

function toAsked({ kind, subresource, names: given = [], verbs }: Permission): Asked {
  const resource = `${kind.plural}${subresource === undefined ? '' : `/${subresource}`}`;
  const names = [...new Set(given)].toSorted();
  return { id: [kind.group, resource, ...names].join(' '), group: kind.group, resource, names, verbs };
}
