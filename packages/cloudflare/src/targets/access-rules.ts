import { canonicalJson } from '@tributary/runtime';
import type { FieldComparison } from './compare-fields.ts';

/** The rules of groups and policies. Their order means nothing, and a single address comes back as a network. */
export const ruleLists = ['include', 'exclude', 'require'] as const;

const lists = new Set<string>(ruleLists);

export const ruleComparison: FieldComparison = {
  sets: lists,
  canonical: (name, value) => (lists.has(name) && Array.isArray(value) ? value.map(ruleText) : value),
};

/** A text, since a selector without fields, `everyone`, says something and would pass for nothing. */
function ruleText(rule: unknown): string {
  const selectors = Object.entries((rule ?? {}) as Readonly<Record<string, unknown>>).map(([selector, fields]) => {
    const given = Object.entries(fields ?? {}).filter(([, value]) => value !== null && value !== '');
    return [selector, Object.fromEntries(given.map(([name, value]) => [name, canonicalValue(selector, value)]))];
  });
  return canonicalJson(Object.fromEntries(selectors) as Record<string, unknown>);
}

function canonicalValue(selector: string, value: unknown): unknown {
  if (selector !== 'ip' || typeof value !== 'string' || value.includes('/')) return value;
  return `${value}/${value.includes(':') ? 128 : 32}`;
}
