import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalQuery, percentEncode } from './percent-encode.ts';

export const v3Algorithm = 'ACS3-HMAC-SHA256';

export type V3Request = {
  readonly method: string;
  readonly path: string;
  readonly query: Iterable<readonly [string, string]>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signedHeaders: readonly string[];
  readonly contentHash: string;
};

export function signV3(request: V3Request, secret: string): string {
  const headers = request.signedHeaders.map((name) => `${name}:${(request.headers[name] ?? '').trim()}\n`).join('');
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    headers,
    request.signedHeaders.join(';'),
    request.contentHash,
  ].join('\n');
  return createHmac('sha256', secret)
    .update(`${v3Algorithm}\n${sha256(canonical)}`)
    .digest('hex');
}

export function v1StringToSign(method: string, pairs: Iterable<readonly [string, string]>): string {
  const unsigned = [...pairs].filter(([name]) => name !== 'Signature');
  return `${method}&%2F&${percentEncode(canonicalQuery(unsigned))}`;
}

export function signV1(method: string, pairs: Iterable<readonly [string, string]>, secret: string): string {
  return createHmac('sha1', `${secret}&`).update(v1StringToSign(method, pairs)).digest('base64');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function isSameSignature(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
