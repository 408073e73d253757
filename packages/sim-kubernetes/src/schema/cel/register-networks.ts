import type { Environment } from '@marcbachmann/cel-js';
import { registerNamespace } from './cel-namespace.ts';
import { goQuote } from '../go-format.ts';
import { parseRequestUri } from '../go-url.ts';
import type { GoUrl } from '../go-url.ts';
import { containsIp, formatIp, isMappedIpv4, maskNetwork, parseCidr, parseIp } from '../ip-address.ts';
import type { IpAddress, IpNetwork } from '../ip-address.ts';

/** Kubernetes' URL, IP and CIDR functions. */
export function registerNetworks(environment: Environment): void {
  registerUrls(environment);
  registerIps(environment);
  registerCidrs(environment);
}

class Url {
  readonly at: GoUrl;
  constructor(at: GoUrl) {
    this.at = at;
  }
}

class Ip {
  readonly at: IpAddress;
  constructor(at: IpAddress) {
    this.at = at;
  }
  valueOf(): string {
    return formatIp(this.at);
  }
}

class Cidr {
  readonly at: IpNetwork;
  constructor(at: IpNetwork) {
    this.at = at;
  }
  valueOf(): string {
    return `${formatIp(this.at.address)}/${this.at.prefixLength}`;
  }
}

function registerUrls(environment: Environment): void {
  environment
    .registerType('kubernetes.URL', Url)
    .registerFunction('isURL(string): bool', (text: string) => parseRequestUri(text) !== undefined)
    .registerFunction('url(string): kubernetes.URL', (text: string) => {
      const at = parseRequestUri(text);
      if (!at)
        throw new Error(`URL parse error during conversion from string: parse "${text}": invalid URI for request`);
      return new Url(at);
    })
    .registerFunction('kubernetes.URL.getScheme(): string', ({ at }: Url) => at.scheme)
    .registerFunction('kubernetes.URL.getHost(): string', ({ at }: Url) => at.host)
    .registerFunction('kubernetes.URL.getHostname(): string', ({ at }: Url) => at.hostname)
    .registerFunction('kubernetes.URL.getPort(): string', ({ at }: Url) => at.port)
    .registerFunction('kubernetes.URL.getEscapedPath(): string', ({ at }: Url) =>
      encodeURI(at.path).replaceAll('%25', '%'),
    )
    .registerFunction('kubernetes.URL.getQuery(): map<string, list<string>>', ({ at }: Url) => {
      const query: { [key: string]: string[] } = {};
      for (const [key, value] of new URLSearchParams(at.query)) (query[key] ??= []).push(value);
      return query;
    });
}

function registerIps(environment: Environment): void {
  const first = ({ at }: Ip): number => at.bytes[0] ?? 0;
  const second = ({ at }: Ip): number => at.bytes[1] ?? 0;
  const isV4 = ({ at }: Ip): boolean => at.version === 4;
  const loopback = (ip: Ip): boolean => (isV4(ip) ? first(ip) === 127 : formatIp(ip.at) === '::1');
  const linkLocal = (ip: Ip): boolean =>
    isV4(ip) ? first(ip) === 169 && second(ip) === 254 : first(ip) === 0xfe && (second(ip) & 0xc0) === 0x80;
  const multicast = (ip: Ip): boolean => (isV4(ip) ? (first(ip) & 0xf0) === 0xe0 : first(ip) === 0xff);
  const unspecified = ({ at }: Ip): boolean => at.bytes.every((byte) => byte === 0);
  const globalUnicast = (ip: Ip): boolean =>
    formatIp(ip.at) !== '255.255.255.255' && !unspecified(ip) && !loopback(ip) && !multicast(ip) && !linkLocal(ip);
  const localMulticast = (ip: Ip): boolean =>
    isV4(ip)
      ? first(ip) === 224 && second(ip) === 0 && ip.at.bytes[2] === 0
      : first(ip) === 0xff && (second(ip) & 0x0f) === 0x02;
  environment
    .registerType('net.IP', Ip)
    .registerFunction('isIP(string): bool', (text: string) => readIp(text) !== undefined)
    .registerFunction('ip(string): net.IP', toIp)
    .registerFunction('string(net.IP): string', (ip: Ip) => formatIp(ip.at))
    .registerFunction('net.IP.family(): int', ({ at }: Ip) => BigInt(at.version))
    .registerFunction('net.IP.isUnspecified(): bool', unspecified)
    .registerFunction('net.IP.isLoopback(): bool', loopback)
    .registerFunction('net.IP.isLinkLocalMulticast(): bool', localMulticast)
    .registerFunction('net.IP.isLinkLocalUnicast(): bool', linkLocal)
    .registerFunction('net.IP.isGlobalUnicast(): bool', globalUnicast);
  registerNamespace(environment, 'ip', 'IpNamespace').registerFunction(
    'IpNamespace.isCanonical(string): bool',
    (_: object, text: string) => formatIp(toIp(text).at) === text,
  );
}

function registerCidrs(environment: Environment): void {
  const holds = (network: Cidr, other: Cidr): boolean =>
    network.at.prefixLength <= other.at.prefixLength && containsIp(network.at, other.at.address);
  environment
    .registerType('net.CIDR', Cidr)
    .registerFunction('isCIDR(string): bool', (text: string) => readCidr(text) !== undefined)
    .registerFunction('cidr(string): net.CIDR', toCidr)
    .registerFunction('string(net.CIDR): string', (network: Cidr) => network.valueOf())
    .registerFunction('net.CIDR.containsIP(net.IP): bool', ({ at }: Cidr, ip: Ip) => containsIp(at, ip.at))
    .registerFunction('net.CIDR.containsIP(string): bool', ({ at }: Cidr, text: string) =>
      containsIp(at, toIp(text).at),
    )
    .registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', holds)
    .registerFunction('net.CIDR.containsCIDR(string): bool', (network: Cidr, text: string) =>
      holds(network, toCidr(text)),
    )
    .registerFunction('net.CIDR.ip(): net.IP', ({ at }: Cidr) => new Ip(at.address))
    .registerFunction('net.CIDR.masked(): net.CIDR', ({ at }: Cidr) => new Cidr(maskNetwork(at)))
    .registerFunction('net.CIDR.prefixLength(): int', ({ at }: Cidr) => BigInt(at.prefixLength));
}

function readIp(text: string): IpAddress | undefined {
  const ip = parseIp(text);
  return ip && !isMappedIpv4(ip) ? ip : undefined;
}

function toIp(text: string): Ip {
  const ip = readIp(text);
  if (!ip)
    throw new Error(
      `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): unable to parse IP`,
    );
  return new Ip(ip);
}

function readCidr(text: string): IpNetwork | undefined {
  const network = parseCidr(text);
  return network && !isMappedIpv4(network.address) ? network : undefined;
}

const cidrError = 'network address parse error during conversion from string';

function cidrReason(text: string): string {
  const slash = text.lastIndexOf('/');
  if (slash === -1) return "no '/'";
  const ip = parseIp(text.slice(0, slash));
  if (!ip) return `ParseAddr(${goQuote(text.slice(0, slash))}): unable to parse IP`;
  const bits = text.slice(slash + 1);
  return /^\d+$/.test(bits) ? 'prefix length out of range' : `bad bits after slash: ${goQuote(bits)}`;
}

function toCidr(text: string): Cidr {
  const network = readCidr(text);
  if (!network) throw new Error(`${cidrError}: ${cidrError}: netip.ParsePrefix(${goQuote(text)}): ${cidrReason(text)}`);
  return new Cidr(network);
}
