import { ruleComparison, ruleLists } from './access-rules.ts';
import { differingFields } from './compare-fields.ts';
import type { FieldComparison, WireFields } from './compare-fields.ts';

const fields = [
  'name',
  'decision',
  ...ruleLists,
  'session_duration',
  'purpose_justification_prompt',
  'approval_groups',
] as const;

const comparison: FieldComparison = {
  ...ruleComparison,
  defaults: { session_duration: '24h' },
  canonical: (name, value) =>
    name === 'session_duration' ? canonicalDuration(value) : ruleComparison.canonical?.(name, value),
};

/** In what a policy, shared or an application's own, differs from what is wanted. */
export function differingPolicyFields(wanted: WireFields, observed: WireFields): readonly string[] {
  return differingFields(wanted, observed, fields, comparison);
}

/** `24h`, `24h0m0s` and `1440m` are the same; what is no duration stands for itself. */
export function canonicalDuration(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(\d+(h|m|s))+$/.test(value)) return value;
  const seconds = { h: 3600, m: 60, s: 1 } as const;
  return [...value.matchAll(/(\d+)(h|m|s)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * seconds[unit as keyof typeof seconds],
    0,
  );
}
