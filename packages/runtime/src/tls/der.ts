// Just enough ASN.1 to write a certificate. A library does more, but loading it takes longer than all the rest of
// the server's start.

type Part = Uint8Array;

export function derSequence(...parts: readonly Part[]): Part {
  return tagged(0x30, Buffer.concat(parts));
}

export function derSet(...parts: readonly Part[]): Part {
  return tagged(0x31, Buffer.concat(parts));
}

/** A positive whole number, given as its bytes. */
export function derInteger(bytes: Uint8Array): Part {
  const first = bytes[0] ?? 0;
  return tagged(0x02, first >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

export function derBoolean(value: boolean): Part {
  return tagged(0x01, Buffer.of(value ? 0xff : 0));
}

export function derBitString(bytes: Uint8Array, unusedBits = 0): Part {
  return tagged(0x03, Buffer.concat([Buffer.of(unusedBits), bytes]));
}

export function derOctetString(bytes: Uint8Array): Part {
  return tagged(0x04, bytes);
}

export function derUtf8(text: string): Part {
  return tagged(0x0c, Buffer.from(text));
}

/** Times after 2049 have a longer form; certificates of a test server do not get that far. */
export function derTime(ms: number): Part {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

/** An object identifier as people write it: `1.2.840.10045.4.3.2`. */
export function derOid(text: string): Part {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** `[number]` around something whole. */
export function derExplicit(number: number, part: Part): Part {
  return tagged(0xa0 + number, part);
}

/** `[number]` in place of the tag of a simple value. */
export function derImplicit(number: number, bytes: Uint8Array): Part {
  return tagged(0x80 + number, bytes);
}

function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function tagged(tag: number, bytes: Uint8Array): Part {
  return Buffer.concat([Buffer.of(tag), lengthOf(bytes.length), bytes]);
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Buffer.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.of(0x80 | bytes.length, ...bytes);
}
