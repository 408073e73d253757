import { isIPv4, isIPv6 } from 'node:net';

export type Cidr = { readonly version: 4 | 6; readonly bits: bigint; readonly prefix: number };

const width = { 4: 32, 6: 128 } as const;

/** Reads `10.0.0.0/8` or a single address; host bits are cleared. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length, ...rest] = text.trim().split('/');
  const version = versionOf(address);
  if (version === undefined || rest.length > 0) return undefined;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  const prefix = length === undefined ? width[version] : Number(length);
  if (prefix > width[version]) return undefined;
  return { version, prefix, bits: maskBits(version === 4 ? bits4(address) : bits6(address), version, prefix) };
}

/** The one way to write it: RFC 5952 for version 6. */
export function formatCidr({ version, bits, prefix }: Cidr): string {
  return `${version === 4 ? format4(bits) : format6(bits)}/${prefix}`;
}

/** Whether the outer network holds all of the inner one. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  if (outer.version !== inner.version || outer.prefix > inner.prefix) return false;
  return maskBits(inner.bits, outer.version, outer.prefix) === outer.bits;
}

function versionOf(address: string): 4 | 6 | undefined {
  if (isIPv4(address)) return 4;
  return isIPv6(address) && !address.includes('%') ? 6 : undefined;
}

function maskBits(bits: bigint, version: 4 | 6, prefix: number): bigint {
  const host = BigInt(width[version] - prefix);
  return (bits >> host) << host;
}

function bits4(address: string): bigint {
  return address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}

/** The URL parser writes every form, also with an embedded IPv4 address, in hexadecimal groups. */
function bits6(address: string): bigint {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':');
}

function format4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join('.');
}

function format6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - index * 16)) & 65_535n).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
