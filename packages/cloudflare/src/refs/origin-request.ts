import { z } from 'zod';
import { parseGoDuration } from './parse-go-duration.ts';
import { certificateFolder } from './tunnels/cloudflared-deployment.ts';

const text = z.string().optional();

/** How cloudflared talks to origins: the defaults of a class of Ingresses or Gateways. */
export const originRequestShape = z.object({
  noTlsVerify: z.boolean().default(false).describe('Do not check the certificate of the origin'),
  http2Origin: z.boolean().default(false),
  caPool: text.describe('A file in the Secret of the tunnel’s originCaPool'),
  connectTimeout: text.describe('Such as 30s'),
  tlsTimeout: text,
  keepAliveTimeout: text,
  keepAliveConnections: z.int().min(0).optional(),
  originServerName: text,
  httpHostHeader: text,
  proxyAddress: text,
  proxyPort: z.int().min(1).max(65_535).optional(),
  proxyType: z.enum(['', 'socks']).optional(),
  disableChunkedEncoding: z.boolean().optional(),
  bastionMode: z.boolean().optional(),
});

export type OriginRequestShape = z.output<typeof originRequestShape>;

/** The same as the API takes it: other names here and there, durations in seconds. */
export type OriginRequest = Readonly<Record<string, string | number | boolean>>;

export type OriginRequestResult = {
  readonly value: OriginRequest;
  /** `connectTimeout: "soon" is no duration`. */
  readonly problems: readonly string[];
};

const durations = ['connectTimeout', 'tlsTimeout', 'keepAliveTimeout'] as const;
const asTheyAre = [
  'keepAliveConnections',
  'originServerName',
  'httpHostHeader',
  'proxyAddress',
  'proxyPort',
  'proxyType',
  'disableChunkedEncoding',
  'bastionMode',
] as const;

export function toOriginRequest(shape: Partial<OriginRequestShape> | undefined): OriginRequestResult {
  if (!shape) return { value: {}, problems: [] };
  const value: Record<string, string | number | boolean> = {};
  const problems: string[] = [];
  // False is what cloudflared does anyway, and what the schema fills in: no wish.
  if (shape.noTlsVerify) value['noTLSVerify'] = true;
  if (shape.http2Origin) value['http2Origin'] = true;
  if (shape.caPool) value['caPool'] = caPoolPath(shape.caPool);
  for (const name of durations) {
    const given = shape[name];
    if (!given) continue;
    const seconds = parseGoDuration(given);
    if (seconds === undefined) problems.push(`${name}: "${given}" is no duration`);
    else value[name] = seconds;
  }
  for (const name of asTheyAre) {
    const given = shape[name];
    if (given !== undefined && given !== '') value[name] = given;
  }
  return { value, problems };
}

/** Where the file is for cloudflared: certificates are mounted in one folder. */
export function caPoolPath(file: string): string {
  return file.startsWith('/') ? file : `${certificateFolder}/${file}`;
}
