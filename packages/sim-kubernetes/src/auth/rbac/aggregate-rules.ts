import { items, maybeChild } from '../../kinds/draft-fields.ts';
import { selectorMatches } from '../../kinds/validation/field-checks.ts';
import type { StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import type { PolicyRule } from './policy-rule.ts';

/** The rules that an aggregated ClusterRole gathers from the others; `undefined` for one that gathers nothing. */
export function aggregatedRules(role: StoredObject, all: readonly StoredObject[]): readonly PolicyRule[] | undefined {
  const rule = maybeChild(role, 'aggregationRule');
  if (rule === undefined) return undefined;
  const rules: PolicyRule[] = [];
  for (const selector of items(rule, 'clusterRoleSelectors')) {
    for (const other of all) {
      if (other.metadata.name === role.metadata.name) continue;
      if (!selectorMatches(selector, other.metadata.labels ?? {})) continue;
      for (const each of (other['rules'] ?? []) as readonly unknown[] as readonly PolicyRule[]) {
        if (!rules.some((known) => sameJson(known, each))) rules.push(each);
      }
    }
  }
  return rules;
}
