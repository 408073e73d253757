import { canonicalJson } from '@tributary/runtime';

/** Numbers that count what has happened, and times, differ between two ways to the same end. */
const counters: ReadonlySet<string> = new Set([
  'version',
  'configVersion',
  'rulesetVersion',
  'sourceResourceVersion',
  'clientSecretVersion',
  'observedGeneration',
  'lastTransitionTime',
  'lastUpdated',
  'lastSyncTime',
  'resourceVersion',
  'uid',
  'serial',
  'secret',
  'clientId',
  'clientSecret',
  // Of an identity provider, which never shows it: nobody can tell whether one that is not sent again stays.
  'client_secret',
  'api_token',
]);

/** When something happened: `created_on`, `modifiedAt`. */
const moment = /(?:_on|_at|On|At|Time|Ms)$/;

const masks: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n?/g, '<pem>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)/g, '<time>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/\b[0-9a-f]{32}\b/g, '<id>'],
  [/\b\d{30,}\b/g, '<serial>'],
  // The address of a deployment begins with its id.
  [/\b[0-9a-f]{8}(?=\.[a-z0-9-]+\.pages\.dev)/g, '<id>'],
  // A rule keeps the name that it was given first, so that its id and statistics stay.
  [/managed-[0-9a-f]{20}/g, '<ref>'],
  [/[A-Za-z0-9+/_-]{43,}={0,2}/g, '<blob>'],
];

/** A value without what depends on when and in which order it came to be: ids, times, counters, secrets. */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return masks.reduce((text, [pattern, mask]) => text.replaceAll(pattern, mask), value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !counters.has(name) && !moment.test(name) && inner !== undefined)
      .map(([name, inner]) => [masked(name), masked(inner)]),
  );
}

/** Names that nobody owns and that stay for whoever uses them next. */
const shared: ReadonlySet<string> = new Set(['access_tags']);

type Dump = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/** What is there now, of all that the simulator remembers: rows by table, in an order that does not depend on history. */
export function remoteOf(dump: Dump): Readonly<Record<string, readonly unknown[]>> {
  const ended = new Set(rowsOf(dump, 'tunnels').flatMap((row) => (isGone(row) ? [row.id] : [])));
  const tables = Object.entries(dump).map(([table, scopes]) => {
    const rows = Object.values(scopes).flat() as readonly Row[];
    const lines = rows
      .filter((row) => !isGone(row) && !ended.has(row.tunnelId) && !isCleared(row))
      .map((row) => canonicalJson(said(masked(row)) ?? {}));
    return [table, lines.toSorted().map((line) => JSON.parse(line) as unknown)] as const;
  });
  return Object.fromEntries(tables.filter(([table, lines]) => lines.length > 0 && !shared.has(table)));
}

/** Without what says nothing: to the API, false, empty and absent are the same. */
function said(value: unknown): unknown {
  if (value === null || value === false || value === '') return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => said(item) ?? null);
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value ?? {}).flatMap(([name, inner]) => {
    const told = said(inner);
    return told === undefined ? [] : [[name, told] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

type Row = {
  readonly id?: unknown;
  readonly deletedAt?: unknown;
  readonly revokedAt?: unknown;
  readonly tunnelId?: unknown;
  readonly config?: unknown;
  readonly phase?: unknown;
  readonly rules?: readonly unknown[];
};

function rowsOf(dump: Dump, table: string): readonly Row[] {
  return Object.values(dump[table] ?? {}).flat() as readonly Row[];
}

/**
 * What can be emptied, and then is as if it had never been: the configuration of a tunnel, where one rule for what no rule is
 * for means none, and the rules of a phase.
 */
function isCleared({ config, phase, rules }: Row): boolean {
  if (phase !== undefined && (rules ?? []).length === 0) return true;
  return canonicalJson(said(config) ?? null) === '{"ingress":[{"service":"http_status:404"}]}';
}

function isGone(value: Row): boolean {
  return Boolean(value.deletedAt) || Boolean(value.revokedAt);
}

/** Where two values differ, by path; each with what is there and what should be. */
export function differencesOf(seen: unknown, wanted: unknown, path = ''): readonly string[] {
  if (canonicalJson(seen ?? null) === canonicalJson(wanted ?? null)) return [];
  if (isMap(seen) && isMap(wanted)) {
    const names = new Set([...Object.keys(seen), ...Object.keys(wanted)]);
    return [...names].flatMap((name) => differencesOf(seen[name], wanted[name], `${path}.${name}`));
  }
  if (Array.isArray(seen) && Array.isArray(wanted) && seen.length === wanted.length) {
    return seen.flatMap((item, index) => differencesOf(item, wanted[index], `${path}[${index}]`));
  }
  return [`${path.slice(1)}: ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
