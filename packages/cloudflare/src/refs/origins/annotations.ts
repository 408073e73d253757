import { caPoolPath } from '../origin-request.ts';
import type { OriginRequest } from '../origin-request.ts';
import { parseGoBool } from '../parse-go-bool.ts';
import { parseGoDuration } from '../parse-go-duration.ts';
import { closestName } from './closest-name.ts';
import { isProtocol } from './protocol.ts';

/** What an Ingress or a route says by its annotations. */
export type OriginWishes = {
  readonly originRequest: OriginRequest;
  readonly protocol?: string;
  readonly protocolByPort: ReadonlyMap<string, string>;
  readonly disableDns: boolean;
  readonly dnsProxied?: boolean;
  readonly priority?: number;
  /** One sentence for each value or name that was not understood; it counts as absent. */
  readonly problems: readonly string[];
};

/** Of the annotations of Ingresses, and of a Service whoever refers to it. */
export const ingressPrefix = 'cloudflare.com/';
const portPrefix = 'protocol-';

type Reader<T> = { readonly wanted: string; readonly read: (text: string) => T | undefined };

const text: Reader<string> = { wanted: 'a text', read: (value) => value || undefined };
const flag: Reader<boolean> = { wanted: 'true or false', read: parseGoBool };
const seconds: Reader<number> = { wanted: 'a duration such as 30s', read: parseGoDuration };
const protocol: Reader<string> = {
  wanted: 'a protocol that cloudflared speaks',
  read: (value) => (isProtocol(value.toLowerCase()) ? value.toLowerCase() : undefined),
};

/** The options of the connection to the origin: annotation, name at the API, what it holds. */
const originOptions: readonly (readonly [string, string, Reader<string | number | boolean>])[] = [
  ['no-tls-verify', 'noTLSVerify', flag],
  ['http2-origin', 'http2Origin', flag],
  ['ca-pool', 'caPool', { wanted: 'the name of a file', read: (value) => (value ? caPoolPath(value) : undefined) }],
  ['proxy-address', 'proxyAddress', text],
  ['proxy-port', 'proxyPort', wholeNumber(0, 65_535)],
  ['proxy-type', 'proxyType', { wanted: 'socks or nothing', read: proxyType }],
  ['connect-timeout', 'connectTimeout', seconds],
  ['tls-timeout', 'tlsTimeout', seconds],
  ['keep-alive-timeout', 'keepAliveTimeout', seconds],
  ['keep-alive-connections', 'keepAliveConnections', wholeNumber(0, 2_147_483_647)],
  ['origin-server-name', 'originServerName', text],
  ['http-host-header', 'httpHostHeader', text],
  ['disable-chunked-encoding', 'disableChunkedEncoding', flag],
  ['bastion-mode', 'bastionMode', flag],
];

/** The names that there are, behind the prefix. */
export const knownNames: ReadonlySet<string> = new Set([
  ...originOptions.map(([suffix]) => suffix),
  'protocol',
  'disable-dns',
  'dns-proxied',
  'priority',
]);

export function readAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  prefix = ingressPrefix,
): OriginWishes {
  const given = annotations ?? {};
  const problems: string[] = [];
  const take = <T>(suffix: string, { wanted, read }: Reader<T>): T | undefined => {
    const value = given[`${prefix}${suffix}`];
    if (value === undefined) return undefined;
    const understood = read(value.trim());
    if (understood === undefined) problems.push(`${prefix}${suffix}: "${value}" is not ${wanted}`);
    return understood;
  };
  const options = originOptions.map(([suffix, name, reader]) => [name, take(suffix, reader)] as const);
  const ports = Object.keys(given)
    .filter((name) => name.startsWith(`${prefix}${portPrefix}`))
    .map((name) => name.slice(prefix.length))
    .map((suffix) => [suffix.slice(portPrefix.length), take(suffix, protocol)] as const);
  const own = take('protocol', protocol);
  const dnsProxied = take('dns-proxied', flag);
  const priority = take('priority', wholeNumber(1, 2_147_483_647));
  return {
    originRequest: Object.fromEntries(options.filter(isThere)),
    ...(own !== undefined && { protocol: own }),
    protocolByPort: new Map(ports.filter(isThere)),
    disableDns: take('disable-dns', flag) ?? false,
    ...(dnsProxied !== undefined && { dnsProxied }),
    ...(priority !== undefined && { priority }),
    problems: [...problems, ...unknownNames(Object.keys(given), prefix)],
  };
}

/** The prefix of Ingresses is for these alone; under another one only what looks like one of them is a mistake. */
function unknownNames(names: readonly string[], prefix: string): readonly string[] {
  const suffixes = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return suffixes
    .filter((suffix) => !knownNames.has(suffix) && !suffix.startsWith(portPrefix))
    .flatMap((suffix) => {
      const meant = closestName(suffix, knownNames);
      if (meant !== undefined) return [`${prefix}${suffix}: there is no such annotation; is ${prefix}${meant} meant?`];
      return prefix === ingressPrefix ? [`${prefix}${suffix}: there is no such annotation`] : [];
    });
}

function wholeNumber(min: number, max: number): Reader<number> {
  return {
    wanted: `a whole number from ${min} to ${max}`,
    read: (value) => {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

function proxyType(value: string): string | undefined {
  return value === '' || value === 'socks' ? value : undefined;
}

function isThere<T>(entry: readonly [string, T | undefined]): entry is readonly [string, T] {
  return entry[1] !== undefined;
}
