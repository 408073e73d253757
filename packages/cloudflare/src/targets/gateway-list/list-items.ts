import type { GatewayListItem } from './contract.ts';

/** The items as Cloudflare keeps them: each value once, the first of them counts. */
export function canonicalItems(items: readonly GatewayListItem[], type: string): readonly GatewayListItem[] {
  const byValue = new Map<string, GatewayListItem>();
  for (const { value, description } of items) {
    const canonical = canonicalValue(value.trim(), type);
    if (!byValue.has(canonical)) byValue.set(canonical, { value: canonical, ...(description && { description }) });
  }
  return [...byValue.values()];
}

function canonicalValue(value: string, type: string): string {
  if (type === 'DOMAIN' || type === 'EMAIL') return value.toLowerCase();
  return type === 'URL' && URL.canParse(value) ? new URL(value).href : value;
}

export type Delta = { readonly append: readonly GatewayListItem[]; readonly remove: readonly string[] };

/** What has to be added, or written again for its description, and what has to go. */
export function deltaOf(wanted: readonly GatewayListItem[], shown: readonly GatewayListItem[]): Delta {
  const there = new Map(shown.map((item) => [item.value, item.description ?? '']));
  const values = new Set(wanted.map(({ value }) => value));
  return {
    append: wanted.filter(({ value, description = '' }) => there.get(value) !== description),
    remove: shown.map(({ value }) => value).filter((value) => !values.has(value)),
  };
}
