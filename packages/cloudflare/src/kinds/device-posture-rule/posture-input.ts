import { z } from 'zod';
import { snakeCase, toSnakeCase } from '../../refs/snake-case.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
const number = z.int().optional();
const texts = z.array(z.string()).optional();
const operator = z.enum(['<', '<=', '>', '>=', '==']).optional();

/** What the checks need to know, all types together. What is 0 or false is sent as such. */
export const postureInput = z.object({
  id: text.describe('Of a list or an integration'),
  path: text,
  exists: flag,
  sha256: text,
  thumbprint: text,
  running: flag,
  requireAll: flag,
  checkDisks: texts,
  enabled: flag,
  version: text,
  operator,
  domain: text,
  complianceStatus: z
    .enum(['compliant', 'noncompliant', 'unknown', 'notapplicable', 'ingraceperiod', 'error'])
    .optional(),
  connectionId: text,
  lastSeen: text,
  eidLastSeen: text,
  activeThreats: number,
  infected: flag,
  isActive: flag,
  networkStatus: z.enum(['connected', 'disconnected', 'disconnecting', 'connecting']).optional(),
  sensorConfig: z.enum(['active', 'disabled', 'not_configured']).optional(),
  versionOperator: operator,
  countOperator: operator,
  scoreOperator: operator,
  issueCount: number,
  score: number,
  totalScore: number,
  riskLevel: z.enum(['low', 'medium', 'high', 'critical']).optional(),
  overall: text,
  state: text,
  operationalState: text,
  osDistroName: text,
  osDistroRevision: text,
  osVersionExtra: text,
  os: text,
  operatingSystem: text,
  certificateId: text,
  commonName: text.describe('The common name of the certificate'),
  cn: text.describe('The same as commonName, which comes first'),
  checkPrivateKey: flag,
  extendedKeyUsage: texts,
  locations: z
    .array(z.object({ paths: texts, trustStores: texts }))
    .optional()
    .describe('Where the certificate may be; all of them together'),
});

export type PostureInput = z.output<typeof postureInput>;

/** Fields that the API itself does not write in its usual way. */
const asTheyAre = new Set(['requireAll', 'checkDisks', 'versionOperator', 'countOperator', 'scoreOperator']);

export function toWireInput({ commonName, cn, issueCount, locations, ...rest }: PostureInput): object {
  const plain = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [asTheyAre.has(name) ? name : snakeCase(name), value] as const);
  const name = commonName || cn;
  return {
    ...Object.fromEntries(plain),
    ...(name && { cn: name }),
    ...(issueCount !== undefined && { issue_count: String(issueCount) }),
    ...(locations && { locations: toSnakeCase(allLocations(locations)) }),
  };
}

/** The API has one object for all of them. */
function allLocations(locations: NonNullable<PostureInput['locations']>): object {
  const [paths, trustStores] = (['paths', 'trustStores'] as const).map((name) =>
    locations.flatMap((location) => location[name] ?? []),
  );
  return { ...(paths?.length && { paths }), ...(trustStores?.length && { trustStores }) };
}
