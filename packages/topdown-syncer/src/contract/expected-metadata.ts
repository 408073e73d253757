import type { Result } from '@tributary/runtime';

/** What was last pushed, so that what others added on the far side can be told from what was taken away on the near one. */
export type ExpectedMetadata = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Readonly<Record<string, unknown>>[];
};

/** Base64 of what Go's JSON encoder writes: fields in this order, keys sorted, `<`, `>` and `&` escaped, nothing empty. */
export function encodeExpectedMetadata({ labels, annotations, taints }: ExpectedMetadata): string {
  const value = {
    ...(labels && Object.keys(labels).length > 0 && { labels: sorted(labels) }),
    ...(annotations && Object.keys(annotations).length > 0 && { annotations: sorted(annotations) }),
    ...(taints && taints.length > 0 && { taints }),
  };
  return Buffer.from(toGoJson(value), 'utf8').toString('base64');
}

/** Absent means nothing was pushed; what cannot be read is said so. */
export function decodeExpectedMetadata(text: string | undefined): Result<ExpectedMetadata> {
  if (text === undefined || text === '') return { ok: true, value: {} };
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return invalid('it is no base64');
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ok: true, value }
      : invalid('it is no object');
  } catch {
    return invalid('it is no JSON');
  }
}

function invalid(why: string): Result<ExpectedMetadata> {
  return { ok: false, reason: 'Invalid', message: `the expected metadata cannot be read: ${why}` };
}

/** Go sorts by bytes, JavaScript by UTF-16 units: keys of labels and annotations are ASCII, where both agree. */
function sorted(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function toGoJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (found) => escapes[found] ?? found);
}
