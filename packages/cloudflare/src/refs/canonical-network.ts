import { isIPv4, isIPv6 } from 'node:net';

/** A network as the API writes it: host bits cleared, version 6 in its short form. Nothing for what is no network. */
export function canonicalNetwork(text: string): string | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text.trim()) ?? [];
  const bytes = bytesOf(address);
  const prefix = Number(length);
  if (!bytes || prefix > bytes.length * 8) return undefined;
  return `${addressOf(bytes.map((byte, index) => byte & maskOf(prefix - index * 8)))}/${prefix}`;
}

/** The network that holds this one address. */
export function hostNetwork(address: string): string | undefined {
  return canonicalNetwork(`${address}/${isIPv4(address) ? 32 : 128}`);
}

/** The one way to write an address of version 6, as RFC 5952 has it. */
export function canonicalIpv6(address: string): string | undefined {
  return isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : undefined;
}

function bytesOf(address: string): readonly number[] | undefined {
  if (isIPv4(address)) return address.split('.').map(Number);
  const short = canonicalIpv6(address);
  if (short === undefined) return undefined;
  const [head = [], tail = []] = short.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

function addressOf(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  return canonicalIpv6(groups.join(':')) ?? '';
}

/** The byte that keeps so many of its leading bits. */
function maskOf(bits: number): number {
  return (0xff00 >> Math.min(8, Math.max(0, bits))) & 255;
}
