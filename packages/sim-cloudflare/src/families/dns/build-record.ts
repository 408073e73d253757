import { refusal } from '../../api/api-error.ts';
import { isFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { limitsOf } from '../zones/plan-limits.ts';
import type { Zone } from '../zones/zone.ts';
import { isForbiddenTarget } from './address.ts';
import { invalidRecord } from './dns-refusal.ts';
import { normaliseName } from './normalise-name.ts';
import { toContent } from './record-content.ts';
import { proxiableTypes } from './record.ts';
import type { DnsRecord } from './record.ts';

export type BuildContext = {
  readonly zone: Zone;
  readonly id: string;
  readonly now: string;
  /** The record that is changed; without it a new one is made. */
  readonly previous?: DnsRecord;
};

/** What a caller sent, checked and as it will be read back. Throws the refusal of what cannot be. */
export function buildRecord(input: Fields, { zone, id, now, previous }: BuildContext): DnsRecord {
  const type = typeof input['type'] === 'string' ? input['type'].toUpperCase() : '';
  if (type === '') throw invalidRecord(9020, 'DNS record type is required.');
  if (typeof input['name'] !== 'string' || input['name'] === '') throw invalidRecord(9000, 'DNS name is required.');
  const name = normaliseName(input['name'], zone.name);
  const content = toContent(type, input);
  const proxied = toProxied(input['proxied'], { type, name, content: content.content, previous });
  const comment = toComment(input['comment'], zone);
  const tags = toTags(input['tags'], zone);
  return {
    id,
    name,
    type,
    ...content,
    proxiable: proxiableTypes.has(type),
    proxied,
    ttl: proxied ? 1 : toTtl(input['ttl'], zone),
    settings: toSettings(input['settings'], type, zone),
    meta: previous?.meta ?? {},
    comment,
    tags,
    created_on: previous?.created_on ?? now,
    modified_on: now,
    ...changedOn('comment_modified_on', comment !== (previous?.comment ?? null), previous, now),
    ...changedOn('tags_modified_on', tags.join(',') !== (previous?.tags ?? []).join(','), previous, now),
  };
}

/** The form in which a PATCH overlays what is there. */
export function toInput({
  type,
  name,
  content,
  data,
  ttl,
  proxied,
  priority,
  comment,
  tags,
  settings,
}: DnsRecord): Fields {
  return {
    type,
    name,
    content,
    ttl,
    proxied,
    comment,
    tags,
    settings,
    ...(data && { data }),
    ...(priority !== undefined && { priority }),
  };
}

type Target = {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly previous: DnsRecord | undefined;
};

function toProxied(value: unknown, { type, name, content, previous }: Target): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (value !== true) throw invalidRecord(9003, "Invalid 'proxied' value, must be a boolean.");
  if (!proxiableTypes.has(type)) throw invalidRecord(9004, 'This record type cannot be proxied.');
  // Answers to a challenge must be seen as they are.
  if (name.startsWith('_acme-challenge.')) throw invalidRecord(9041, 'This DNS record cannot be proxied.');
  if (!isForbiddenTarget(type, content)) return true;
  // Seen on the real API: an update that turns the proxy on here succeeds and changes nothing.
  if (previous?.proxied === false) return false;
  throw invalidRecord(9003, `Target ${content} is not allowed for a proxied record.`);
}

function toTtl(value: unknown, zone: Zone): number {
  if (value === undefined || value === null || value === 1) return 1;
  const { shortestTtl } = limitsOf(zone);
  if (typeof value === 'number' && Number.isInteger(value) && value >= shortestTtl && value <= 86_400) return value;
  throw invalidRecord(9021, `Invalid TTL. Must be between ${shortestTtl} and 86400 seconds, or 1 for Automatic.`);
}

function toComment(value: unknown, zone: Zone): string | null {
  if (value === undefined || value === null || value === '') return null;
  const { commentLength } = limitsOf(zone);
  if (typeof value !== 'string') throw invalidRecord(9301, 'DNS record comment must be a text.');
  if (/[\r\n]/.test(value)) throw invalidRecord(9301, 'DNS record comment must not contain a line break.');
  if (value.length <= commentLength) return value;
  throw invalidRecord(
    9301,
    `DNS record comment is ${value.length} characters, exceeding the limit of ${commentLength}.`,
  );
}

function toTags(value: unknown, zone: Zone): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidRecord(9302, 'DNS record tags must be a list.');
  const tags = (value as readonly unknown[]).map(toTag);
  const quota = limitsOf(zone).tags;
  if (tags.length <= quota) return tags;
  throw invalidRecord(9300, `DNS record has ${tags.length} tags, exceeding the quota of ${quota}.`);
}

function toTag(tag: unknown): string {
  const found = typeof tag === 'string' ? /^([A-Za-z0-9_-]{1,32})(:.{0,100})?$/.exec(tag) : null;
  if (!found) throw invalidRecord(9302, `DNS record tag ${JSON.stringify(tag)} is invalid.`);
  return `${found[1] ?? ''}${found[2] ?? ':'}`;
}

const settingNames: Readonly<Record<string, readonly string[]>> = {
  A: ['ipv4_only', 'ipv6_only'],
  AAAA: ['ipv4_only', 'ipv6_only'],
  CNAME: ['ipv4_only', 'ipv6_only', 'flatten_cname'],
};

function toSettings(value: unknown, type: string, zone: Zone): Fields {
  if (!isFields(value)) return {};
  if (value['flatten_cname'] === true && zone.plan === 'free') {
    throw refusal(400, 9227, 'The record setting flatten_cname is not available for this zone.');
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => settingNames[type]?.includes(name)));
}

function changedOn(
  field: 'comment_modified_on' | 'tags_modified_on',
  changed: boolean,
  previous: DnsRecord | undefined,
  now: string,
): Fields {
  const at = changed ? now : previous?.[field];
  return at === undefined ? {} : { [field]: at };
}
