import { items, texts } from '../../kinds/draft-fields.ts';
import type { Draft } from '../../registry/json.ts';
import type { Attributes } from '../attributes.ts';

/** One rule of a Role or ClusterRole, as it is stored. */
export type PolicyRule = {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

/** The rules of a role that is not stored yet, and may be anything. */
export function draftRules(role: Draft): readonly PolicyRule[] {
  return items(role, 'rules').map((rule) => ({
    verbs: texts(rule, 'verbs'),
    apiGroups: texts(rule, 'apiGroups'),
    resources: texts(rule, 'resources'),
    resourceNames: texts(rule, 'resourceNames'),
    nonResourceURLs: texts(rule, 'nonResourceURLs'),
  }));
}

export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  const { verb, path, group, resource, subresource, name } = attributes;
  if (!hasOrAll(rule.verbs, verb)) return false;
  if (path !== undefined) return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, path));
  if (!hasOrAll(rule.apiGroups, group)) return false;
  const names = rule.resourceNames ?? [];
  if (names.length > 0 && !names.includes(name)) return false;
  if (subresource === '') return hasOrAll(rule.resources, resource);
  return hasOrAll(rule.resources, `${resource}/${subresource}`) || has(rule.resources, `*/${subresource}`);
}

/** A star at the end of a path stands for everything that begins so. */
export function urlMatches(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')));
}

export function has(list: readonly string[] | undefined, value: string): boolean {
  return list?.includes(value) ?? false;
}

export function hasOrAll(list: readonly string[] | undefined, value: string): boolean {
  return has(list, '*') || has(list, value);
}
