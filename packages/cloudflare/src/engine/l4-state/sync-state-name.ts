import { hash } from 'node:crypto';

/** What a target is identified by. Every value is known before anything exists at Cloudflare. */
export type TargetKey = Readonly<Record<string, string>>;

const hashLength = 10;
const readableLength = 40;

/**
 * The name of the SyncState of a target: a function of type and key alone, so it never moves when Cloudflare hands
 * out an id, and two keys that read alike still differ by their hash.
 */
export function syncStateName(type: string, key: TargetKey, readable: string): string {
  const slug = toSlug(readable).slice(0, readableLength).replace(/-+$/, '');
  return [toSlug(toKebab(type)), slug, keyHash(type, key)].filter((part) => part !== '').join('-');
}

function keyHash(type: string, key: TargetKey): string {
  const entries = Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([type, entries])).slice(0, hashLength);
}

/** `DNSRecord` → `dns-record`, `R2BucketDomain` → `r2-bucket-domain`. */
function toKebab(type: string): string {
  return type.replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2').replace(/([a-z0-9])([A-Z])/g, '$1-$2');
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\*\./, 'any-')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
