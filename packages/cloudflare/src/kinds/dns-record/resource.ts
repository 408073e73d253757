import { intOrString, rule } from '@tributary/runtime';
import { z } from 'zod';
import { defineNamespacedKind, observed } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';

const text = z.string();
const number = z.int32().min(0).optional();
const words = text.optional();

const type = z.enum([
  ...(['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'NS', 'SRV', 'CAA', 'CERT', 'DNSKEY', 'DS', 'HTTPS', 'LOC'] as const),
  ...(['NAPTR', 'SMIMEA', 'SSHFP', 'SVCB', 'TLSA', 'URI'] as const),
]);

/** The parts of a record; which ones it has depends on its type. What is 0 is sent as 0. */
const data = z.object({
  // SRV, URI, HTTPS, SVCB
  service: words,
  proto: words,
  priority: number,
  weight: number,
  port: number,
  target: words,
  // CAA, NAPTR (whose flags are letters), DNSKEY
  flags: intOrString().optional(),
  tag: words,
  value: words,
  // CERT, DS, DNSKEY, SSHFP, TLSA, SMIMEA
  type: number,
  algorithm: number,
  certificate: words,
  keyTag: number,
  usage: number,
  selector: number,
  matchingType: number,
  fingerprint: words,
  digestType: number,
  digest: words,
  protocol: number,
  publicKey: words,
  // NAPTR
  order: number,
  preference: number,
  regex: words,
  replacement: words,
  // LOC
  latDegrees: number,
  latMinutes: number,
  latSeconds: words,
  latDirection: words,
  longDegrees: number,
  longMinutes: number,
  longSeconds: words,
  longDirection: words,
  altitude: words,
  size: words,
  precisionHorz: words,
  precisionVert: words,
  content: words,
});

const named = { name: text.min(1) };
const inNamespace = { ...named, namespace: words.describe('That of this object when absent') };

const sourceKinds = {
  service: z
    .object({
      ...inNamespace,
      addressType: z
        .enum(['LoadBalancerIP', 'LoadBalancerHostname', 'ExternalIP', 'ExternalName', 'ClusterIP'])
        .default('LoadBalancerIP'),
    })
    .optional(),
  ingress: z.object(inNamespace).optional(),
  httpRoute: z.object(inNamespace).optional(),
  gateway: z.object(inNamespace).optional(),
  node: z
    .object({ ...named, addressType: z.enum(['InternalIP', 'ExternalIP', 'Hostname']).default('ExternalIP') })
    .optional(),
};

const sourceRef = rule(
  z.object(sourceKinds),
  '[has(self.service), has(self.ingress), has(self.httpRoute), has(self.gateway), has(self.node)].filter(x, x).size() == 1',
  'exactly one of service, ingress, httpRoute, gateway and node must be given',
  (given) => Object.values(given).filter((source) => source !== undefined).length === 1,
);

const fields = z.object({
  name: text.min(1).max(255).describe('The full name, or the part before the domain; @ is the domain itself'),
  type: type.optional().describe('Follows from the address where there is a sourceRef'),
  content: text.max(8192).optional().describe('The value; for types with data it may stand for that'),
  ttl: z.int32().min(1).default(1).describe('In seconds; 1 is automatic'),
  proxied: z.boolean().default(false).describe('Through Cloudflare; for A, AAAA and CNAME'),
  priority: z.int32().min(0).max(65_535).optional().describe('Of MX, SRV and URI records'),
  comment: text.max(500).optional(),
  tags: z.array(text).optional(),
  data: data.optional(),
  sourceRef: sourceRef.optional().describe('Takes the value from the addresses of another object'),
  addressSelection: z
    .enum(['First', 'All', 'PreferIPv4', 'PreferIPv6'])
    .default('First')
    .describe('Which addresses of the source; All makes a record for each'),
  sourceDeletionPolicy: z
    .enum(['Delete', 'Orphan'])
    .default('Delete')
    .describe('What becomes of the record when its source is gone'),
  cloudflare: cloudflareDetails,
});

const withOneValue = rule(
  fields,
  "(has(self.content) && self.content != '' || has(self.data)) != has(self.sourceRef)",
  'exactly one of content (or data) and sourceRef must be given',
  ({ content, data: parts, sourceRef: source }) =>
    ((content !== undefined && content !== '') || parts !== undefined) !== (source !== undefined),
  { field: 'content' },
);

const spec = rule(
  withOneValue,
  'has(self.type) || has(self.sourceRef)',
  'must be given unless there is a sourceRef',
  (given) => given.type !== undefined || given.sourceRef !== undefined,
  { field: 'type' },
);

const status = z.object({
  recordId: words,
  zoneId: words,
  fqdn: words,
  state: words,
  resolvedType: words,
  resolvedContent: words,
  resolvedAddresses: z.array(text).optional(),
  sourceResourceVersion: words,
  managedRecordIds: z.array(text).optional(),
  ...observed,
});

export const dnsRecordKind = defineNamespacedKind('DNSRecord', ['dnsrec'], {
  spec,
  status,
  columns: {
    Type: '.spec.type',
    Name: '.spec.name',
    Content: '.spec.content',
    Proxied: 'boolean .spec.proxied',
    Resolved: '.status.resolvedContent wide',
    State: '.status.state',
  },
});

export type DnsRecord = NonNullable<(typeof dnsRecordKind)['objectType']>;
