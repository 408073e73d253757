// Whether somebody holds all that a role would give: rules are taken apart into their smallest parts, and each part
// must be covered by one rule of the holder.
import { has, hasOrAll, urlMatches } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';

/** The parts of `wanted` that `held` does not cover, each with one verb. */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(partsOf).filter((part) => !held.some((rule) => coversPart(rule, part)));
}

/** The rule as rules with one verb on one resource each. */
export function partsOf(rule: PolicyRule): readonly PolicyRule[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb): readonly PolicyRule[] => {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        return resourceNames.length === 0 ? [part] : resourceNames.map((name) => ({ ...part, resourceNames: [name] }));
      }),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  return [...ofResources, ...ofPaths];
}

function coversPart(rule: PolicyRule, part: PolicyRule): boolean {
  if (!part.verbs.every((verb) => hasOrAll(rule.verbs, verb))) return false;
  const names = rule.resourceNames ?? [];
  const name = part.resourceNames?.[0];
  if (names.length > 0 && (name === undefined || !names.includes(name))) return false;
  const url = part.nonResourceURLs?.[0];
  if (url !== undefined) return (rule.nonResourceURLs ?? []).some((each) => urlMatches(each, url));
  const [group = '', resource = ''] = [part.apiGroups?.[0], part.resources?.[0]];
  return hasOrAll(rule.apiGroups, group) && coversResource(rule.resources, resource);
}

function coversResource(resources: readonly string[] | undefined, resource: string): boolean {
  const slash = resource.indexOf('/');
  return hasOrAll(resources, resource) || (slash >= 0 && has(resources, `*${resource.slice(slash)}`));
}

/** Parts of the same resource as one line with all their verbs, in the order of the alphabet. */
export function describeRules(parts: readonly PolicyRule[]): readonly string[] {
  const merged = new Map<string, PolicyRule>();
  parts.forEach((part, index) => {
    const { apiGroups, resources, resourceNames } = part;
    const key = resources === undefined ? String(index) : JSON.stringify([apiGroups, resources, resourceNames]);
    merged.set(key, { ...part, verbs: [...(merged.get(key)?.verbs ?? []), ...part.verbs] });
  });
  return [...new Set([...merged.values()].map(describeRule))].toSorted();
}

const shownFields = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

function describeRule(rule: PolicyRule): string {
  const fields = shownFields
    .filter(([, key]) => (rule[key] ?? []).length > 0)
    .map(([title, key]) => `${title}:${goList(rule[key] ?? [])}`);
  return `{${fields.join(', ')}}`;
}

/** A list of texts as Go quotes it. */
export function goList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
