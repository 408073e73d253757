// Addresses as Go's net package reads them. Bytes are kept, so that networks can be compared.

export type IpAddress = { readonly version: 4 | 6; readonly bytes: readonly number[] };
export type IpNetwork = { readonly address: IpAddress; readonly prefixLength: number };

/** `sloppy` takes leading zeros in IPv4, as the formats of CRD schemas do and CEL does not. */
export function parseIp(text: string, { sloppy = false } = {}): IpAddress | undefined {
  return text.includes(':') ? parseIpv6(text, sloppy) : parseIpv4(text, sloppy);
}

export function parseCidr(text: string, { sloppy = false } = {}): IpNetwork | undefined {
  const slash = text.indexOf('/');
  if (slash === -1) return undefined;
  const address = parseIp(text.slice(0, slash), { sloppy });
  const mask = text.slice(slash + 1);
  if (!address || !(sloppy ? /^\d+$/ : /^(0|[1-9]\d{0,2})$/).test(mask)) return undefined;
  const prefixLength = Number(mask);
  return prefixLength <= address.bytes.length * 8 ? { address, prefixLength } : undefined;
}

export function containsIp(network: IpNetwork, address: IpAddress): boolean {
  if (network.address.version !== address.version) return false;
  const masked = maskBytes(address.bytes, network.prefixLength);
  return maskBytes(network.address.bytes, network.prefixLength).every((byte, index) => byte === masked[index]);
}

export function maskNetwork(network: IpNetwork): IpNetwork {
  const bytes = maskBytes(network.address.bytes, network.prefixLength);
  return { ...network, address: { ...network.address, bytes } };
}

/** The one way to write the address that RFC 5952 allows. */
export function formatIp(address: IpAddress): string {
  if (address.version === 4) return address.bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, at) => wordAt(address.bytes, at));
  const gap = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (gap.length < 2) return hex.join(':');
  return `${hex.slice(0, gap.start).join(':')}::${hex.slice(gap.start + gap.length).join(':')}`;
}

/** An IPv6 address that is an IPv4 one in disguise (`::ffff:1.2.3.4`). */
export function isMappedIpv4(address: IpAddress): boolean {
  if (address.version === 4) return false;
  return address.bytes.slice(0, 10).every((byte) => byte === 0) && wordAt(address.bytes, 5) === 0xffff;
}

function parseIpv4(text: string, sloppy: boolean): IpAddress | undefined {
  const parts = text.split('.');
  const shape = sloppy ? /^\d{1,9}$/ : /^(0|[1-9]\d{0,2})$/;
  if (parts.length !== 4 || !parts.every((part) => shape.test(part) && Number(part) <= 255)) return undefined;
  return { version: 4, bytes: parts.map(Number) };
}

function parseIpv6(text: string, sloppy: boolean): IpAddress | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = wordsOf(halves[0] ?? '', sloppy, halves.length === 1);
  const tail = halves.length === 2 ? wordsOf(halves[1] ?? '', sloppy, true) : [];
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const words = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return { version: 6, bytes: words.flatMap((word) => [word >> 8, word & 0xff]) };
}

function wordsOf(text: string, sloppy: boolean, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const words: number[] = [];
  for (const [index, part] of parts.entries()) {
    const v4 = mayEndInIpv4 && index === parts.length - 1 && part.includes('.') ? parseIpv4(part, sloppy) : undefined;
    if (v4) words.push(wordAt(v4.bytes, 0), wordAt(v4.bytes, 1));
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) words.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return words;
}

function wordAt(bytes: readonly number[], at: number): number {
  return ((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0);
}

function maskBytes(bytes: readonly number[], prefixLength: number): number[] {
  return bytes.map((byte, index) => {
    const bits = Math.min(Math.max(prefixLength - index * 8, 0), 8);
    return byte & (0xff << (8 - bits)) & 0xff;
  });
}

function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === 0 && start + length < groups.length) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}
