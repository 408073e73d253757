import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

type Part = { readonly tag: number; readonly content: Buffer; readonly whole: Buffer };

/** The public key of a certificate signing request that was signed with it; nothing for anything else. */
export function readRequest(pem: string): KeyObject | undefined {
  const [, base64] = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]+)-----END/.exec(pem) ?? [];
  if (base64 === undefined) return undefined;
  try {
    const [request] = partsOf(Buffer.from(base64, 'base64'));
    const [info, , signature] = partsOf(request?.content ?? Buffer.alloc(0));
    const [, , key] = partsOf(info?.content ?? Buffer.alloc(0));
    if (!info || !signature || !key) return undefined;
    const publicKey = createPublicKey({ key: key.whole, format: 'der', type: 'spki' });
    // The first byte of a bit string counts unused bits.
    return verify('sha256', info.whole, publicKey, signature.content.subarray(1)) ? publicKey : undefined;
  } catch {
    return undefined;
  }
}

/** What stands side by side at one level of a DER value. */
function partsOf(der: Buffer): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < der.length;) {
    const { length, size } = lengthAt(der, at + 1);
    const start = at + 1 + size;
    const end = start + length;
    if (end > der.length) throw new Error('cut off');
    parts.push({ tag: der[at] ?? 0, content: der.subarray(start, end), whole: der.subarray(at, end) });
    at = end;
  }
  return parts;
}

function lengthAt(der: Buffer, at: number): { readonly length: number; readonly size: number } {
  const first = der[at] ?? 0;
  if (first < 0x80) return { length: first, size: 1 };
  const bytes = first & 0x7f;
  return { length: der.readUIntBE(at + 1, bytes), size: 1 + bytes };
}
