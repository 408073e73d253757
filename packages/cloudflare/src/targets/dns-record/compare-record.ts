import { isMarkOf, readMark } from '../../engine/l4-state/ownership-mark.ts';
import type { Mark } from '../../engine/l4-state/ownership-mark.ts';
import type { Relation } from '../../engine/l5-sync/target.ts';
import { canonicalContent } from './canonical-content.ts';
import type { DnsRecordKey } from './contract.ts';
import type { DesiredRecord } from './desired-record.ts';

/** A record as the API shows it, with what we look at. */
export type ObservedRecord = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly priority?: number | null;
  readonly ttl: number;
  readonly proxied?: boolean;
  readonly comment?: string | null;
  readonly tags?: readonly string[] | null;
  readonly meta?: Readonly<Record<string, unknown>> | null;
  readonly created_on?: string;
};

const addresses: ReadonlySet<string> = new Set(['A', 'AAAA']);

/** What a record of the zone is to the one that is wanted. */
export function relateRecord(wanted: DesiredRecord, observed: ObservedRecord, key: DnsRecordKey): Relation {
  const mark = readMark(observed.comment);
  const isOwn = mark !== undefined && mark.kind !== 'operator' && isMarkOf(mark, wanted.owner);
  if (isOwn && key.record === '') return 'same';
  if (observed.name !== wanted.name) return 'none';
  const isEqual = observed.type === wanted.type && saysTheSame(wanted, observed);
  // Another product of Cloudflare holds it: nobody can change it here.
  const isFixed = observed.meta?.['read_only'] === true;
  if (isEqual) return isFixed ? 'blocks' : 'same';
  if (isOwn) return key.record === wanted.name ? 'same' : 'beside';
  if (!isFixed && mayTakeOver(wanted, observed, mark)) return 'same';
  return excludes(wanted, observed) ? 'blocks' : 'beside';
}

/**
 * Whether a record that says something else could become the wanted one, if its owner allows. There is one CNAME of a
 * name. Of addresses there may be several, so only an explicit word makes one of them ours; other types never give way,
 * for a domain's TXT records have nothing to do with each other. A mark without an owner protects what it marks.
 */
function mayTakeOver(wanted: DesiredRecord, observed: ObservedRecord, mark: Mark | undefined): boolean {
  if (observed.type !== wanted.type) return false;
  if (mark?.kind === 'operator') return wanted.adopt === true && isSingle(wanted.type);
  return wanted.type === 'CNAME' || (wanted.adopt === true && !mark && isSingle(wanted.type));
}

function isSingle(type: string): boolean {
  return type === 'CNAME' || addresses.has(type);
}

/** A CNAME stands alone among addresses and CNAMEs. */
function excludes(wanted: DesiredRecord, observed: ObservedRecord): boolean {
  if (wanted.type === 'CNAME') return addresses.has(observed.type) || observed.type === 'CNAME';
  return observed.type === 'CNAME' && (addresses.has(wanted.type) || wanted.type === 'NS');
}

function saysTheSame(wanted: DesiredRecord, observed: ObservedRecord): boolean {
  return canonicalContent(wanted) === canonicalContent(observed) && samePriority(wanted, observed);
}

function samePriority(wanted: DesiredRecord, observed: ObservedRecord): boolean {
  return wanted.priority === undefined || wanted.priority === (observed.priority ?? 0);
}

/** Whether the tags of a record are ours. */
export type RecordMemory = { readonly tagged: true };

/** The fields in which a record is not as wanted, past the API's ways of writing. */
export function recordDifference(
  wanted: DesiredRecord,
  observed: ObservedRecord,
  remembered?: unknown,
): readonly string[] {
  if (wanted.type !== observed.type) return ['type'];
  // Tags that were never ours to set are left alone; those that we have set go when nobody wants them any more.
  const tags = wanted.tags ?? ((remembered as RecordMemory | undefined)?.tagged ? [] : undefined);
  const checks: readonly (readonly [field: string, equal: boolean])[] = [
    // Where the zone's name is not known, the API has completed ours.
    ['name', observed.name === wanted.name || observed.name.startsWith(`${wanted.name}.`)],
    [wanted.data ? 'data' : 'content', canonicalContent(wanted) === canonicalContent(observed)],
    ['priority', samePriority(wanted, observed)],
    ['proxied', wanted.proxied === undefined || wanted.proxied === (observed.proxied ?? false)],
    // Behind the proxy the TTL is always automatic.
    ['ttl', wanted.ttl === observed.ttl || wanted.proxied === true],
    ['comment', wanted.comment === (observed.comment ?? '')],
    ['tags', tags === undefined || tagSet(tags) === tagSet(observed.tags ?? [])],
  ];
  return checks.filter(([, equal]) => !equal).map(([field]) => field);
}

/** Their order means nothing, nor does the case of their names; a tag without a value has an empty one. */
function tagSet(tags: readonly string[]): string {
  const plain = tags.map((tag) => {
    const [name = '', ...value] = tag.split(':');
    return `${name.toLowerCase()}:${value.join(':')}`;
  });
  return JSON.stringify([...new Set(plain)].toSorted());
}
