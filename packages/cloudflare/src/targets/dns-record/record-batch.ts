import { isCloudflareError } from '@tributary/cloudflare-api';
import type { BatchChange, Call, Update } from '../../engine/l5-sync/target.ts';
import type { ObservedRecord } from './compare-record.ts';
import type { DnsRecordKey } from './contract.ts';
import type { DesiredRecord } from './desired-record.ts';

type Change = BatchChange<DnsRecordKey, DesiredRecord, ObservedRecord>;
type Batch = Call['api']['dns']['records']['batch'];
type Answer = { readonly patches?: readonly ObservedRecord[]; readonly posts?: readonly ObservedRecord[] };

/** By the plan of the zone; who may not read it may still write the least that every plan takes. */
export async function batchLimit({ zoneId }: DnsRecordKey, { api, signal }: Call): Promise<number> {
  try {
    const zone = (await api.zones.get({ zone_id: zoneId }, { signal })) as { plan?: { legacy_id?: string } };
    const plan = zone.plan?.legacy_id ?? 'free';
    return plan === 'free' ? 200 : 3500;
  } catch (error) {
    if (isCloudflareError(error, 'permission', 'not-found')) return 200;
    throw error;
  }
}

/** A record keeps its type for life: another type is another record. */
export function changesType(fields: readonly string[]): boolean {
  return fields.includes('type');
}

/** The old record goes and the new one comes in one step, so that the name is never without. */
export async function replaceRecord(
  change: Update<DnsRecordKey, DesiredRecord, ObservedRecord>,
  call: Call,
): Promise<ObservedRecord> {
  const [made] = await runBatch([{ do: 'update', ...change }], call);
  return made ?? change.observed;
}

/** The API takes deletions, changes and creations in this order, all or none, and answers list by list. */
export async function runBatch(
  changes: readonly Change[],
  call: Call,
): Promise<readonly (ObservedRecord | undefined)[]> {
  const [first] = changes;
  if (!first) return [];
  const deletes = changes.flatMap((change) => (isEnd(change) ? [{ id: change.observed.id }] : []));
  const patched = changes.filter(isPatch);
  const posted = changes.filter(isPost);
  const body = {
    zone_id: first.key.zoneId,
    deletes,
    patches: patched.map(({ observed, wanted, fields }) => ({ id: observed.id, ...toBody(wanted, fields) })),
    posts: posted.map(({ wanted }) => toBody(wanted)),
  } as unknown as Parameters<Batch>[0];
  const answer = (await call.api.dns.records.batch(body, { signal: call.signal })) as unknown as Answer;
  const results = new Map<Change, ObservedRecord | undefined>([
    ...patched.map((change, index) => [change, answer.patches?.[index]] as const),
    ...posted.map((change, index) => [change, answer.posts?.[index]] as const),
  ]);
  return changes.map((change) => results.get(change));
}

/** Without what is only for us. Tags that differ while none are wanted are to go. */
export function toBody(
  { owner: _owner, adopt: _adopt, tags, ...fields }: DesiredRecord,
  differing: readonly string[] = [],
): object {
  const wanted = tags ?? (differing.includes('tags') ? [] : undefined);
  return { ...fields, ...(wanted && { tags: [...wanted] }) };
}

type Updating = Extract<Change, { readonly do: 'update' }>;

function isEnd(change: Change): change is Exclude<Change, { readonly do: 'create' }> {
  return change.do === 'delete' || (change.do === 'update' && changesType(change.fields));
}

function isPatch(change: Change): change is Updating {
  return change.do === 'update' && !changesType(change.fields);
}

function isPost(change: Change): change is Exclude<Change, { readonly do: 'delete' }> {
  return change.do === 'create' || (change.do === 'update' && changesType(change.fields));
}
