import { readMark } from '../../engine/l4-state/ownership-mark.ts';
import { canonicalContent } from './canonical-content.ts';
import type { ObservedRecord } from './compare-record.ts';
import type { DesiredRecord } from './desired-record.ts';

// Earlier operators kept a TXT record beside each CNAME to a tunnel: `_managed.<name>`, whose JSON holds the CNAME's id.

const prefix = '_managed.';
const ownerless = 'Managed by cloudflare-operator';

export function mayBeRegistered({ type, content = '' }: DesiredRecord): boolean {
  return type === 'CNAME' && content.endsWith('.cfargotunnel.com');
}

/** Records whose registry names them count as marked, though it does not say for whom. */
export function withRegistry(records: readonly ObservedRecord[]): readonly ObservedRecord[] {
  const registered = new Set(records.filter(({ name }) => name.startsWith(prefix)).map(registeredId));
  return records.map((record) =>
    registered.has(record.id) && !readMark(record.comment) ? { ...record, comment: ownerless } : record,
  );
}

function registeredId(record: ObservedRecord): string | undefined {
  if (record.type !== 'TXT') return undefined;
  try {
    const { DnsId: id } = JSON.parse(canonicalContent(record)) as { readonly DnsId?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    // Somebody else's text.
    return undefined;
  }
}
