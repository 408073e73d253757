import { listAll } from '@tributary/cloudflare-api';
import { readMark, withMark } from '../../engine/l4-state/ownership-mark.ts';
import type { SourceRef } from '../../engine/l4-state/source.ts';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { unlessGone } from '../unless-gone.ts';
import { canonicalContent } from './canonical-content.ts';
import { recordDifference, relateRecord } from './compare-record.ts';
import type { ObservedRecord } from './compare-record.ts';
import { dnsRecordContract } from './contract.ts';
import type { DnsRecordConfig, DnsRecordKey } from './contract.ts';
import { batchLimit, changesType, replaceRecord, runBatch, toBody } from './record-batch.ts';
import { mayBeRegistered, withRegistry } from './tunnel-registry.ts';
import { aggregateRecord } from './desired-record.ts';
import type { DesiredRecord } from './desired-record.ts';

export const dnsRecordTarget = defineTarget<DnsRecordKey, DnsRecordConfig, DesiredRecord, ObservedRecord>({
  contract: dnsRecordContract,
  aggregate: aggregateRecord,
  scope: ({ zoneId }) => zoneId,
  observe: { lookup, list: ({ zoneId }, call) => records(zoneId, {}, call) },
  idOf: ({ id }) => id,
  describe: (observed) => `${observed.type} record ${observed.name} ${canonicalContent(observed)}`,
  markedText: ({ comment }) => comment,
  bornAt: ({ created_on: createdOn }) => createdOn,
  relation: relateRecord,
  difference: recordDifference,
  memory: { after: ({ tags = [] }) => (tags.length > 0 ? { tagged: true } : undefined) },
  create: {
    // The same record twice is refused, and the first one carries our mark.
    repeatable: 'natural-key',
    run: async (wanted, { zoneId }, { api, signal }) => {
      const body = { zone_id: zoneId, ...toBody(wanted) } as Parameters<typeof api.dns.records.create>[0];
      return toObserved(await api.dns.records.create(body, { signal }));
    },
  },
  update: async ({ key, wanted, observed, fields }, call) => {
    if (changesType(fields)) return replaceRecord({ key, wanted, observed, fields }, call);
    const body = { zone_id: key.zoneId, ...toBody(wanted, fields) } as Parameters<typeof call.api.dns.records.edit>[1];
    return toObserved(await call.api.dns.records.edit(observed.id, body, { signal: call.signal }));
  },
  giveUp: () => 'delete',
  remove: async ({ id }, { zoneId }, { api, signal }) => {
    await api.dns.records.delete(id, { zone_id: zoneId }, { signal });
  },
  batch: { limit: batchLimit, run: runBatch },
  outputs: (observed) => ({
    data: { recordId: observed.id, name: observed.name, content: canonicalContent(observed) },
  }),
});

type Answer = Awaited<ReturnType<Call['api']['dns']['records']['get']>>;

/** The SDK has a type for each type of record; we look at them all in the same way. */
function toObserved(answer: Answer): ObservedRecord {
  return answer as unknown as ObservedRecord;
}

async function records(zoneId: string, filter: object, { api, signal }: Call): Promise<readonly ObservedRecord[]> {
  const found = await listAll(api.dns.records.list({ zone_id: zoneId, per_page: 5000, ...filter }, { signal }));
  return withRegistry(found.map(toObserved));
}

async function lookup(asked: Asked<DnsRecordKey, DesiredRecord>, call: Call): Promise<readonly ObservedRecord[]> {
  const { key, desired, id } = asked;
  const { api, signal } = call;
  const known = id && (await unlessGone(api.dns.records.get(id, { zone_id: key.zoneId }, { signal })));
  if (known) return [toObserved(known)];
  if (!desired) return key.owner === '' ? marked(key, call) : byMark(key, call);
  const { name } = desired;
  if (!mayBeRegistered(desired)) return records(key.zoneId, { name: { exact: name } }, call);
  const near = await records(key.zoneId, { name: { endswith: name } }, call);
  return near.filter((record) => record.name === name);
}

/** Nobody wants it any more and its id was never stored, so its mark must lead to it, in either form. */
async function byMark(key: DnsRecordKey, call: Call): Promise<readonly ObservedRecord[]> {
  const owner = toSourceRef(key.owner);
  const whole = withMark('', owner, Number.POSITIVE_INFINITY);
  const hashed = whole.ok ? withMark('', owner, whole.text.length - 1) : whole;
  for (const mark of [whole, hashed]) {
    const found = mark.ok ? await records(key.zoneId, { comment: { contains: mark.text } }, call) : [];
    const ours = found.filter((record) => isMeant(record, key.record));
    if (ours.length > 0) return ours;
  }
  return [];
}

/** The same for a record of several: what is marked at its name, for the plan to know those who wanted it. */
async function marked({ zoneId, record }: DnsRecordKey, call: Call): Promise<readonly ObservedRecord[]> {
  const found = await records(zoneId, { name: { exact: record } }, call);
  return found.filter(({ comment }) => (readMark(comment)?.kind ?? 'operator') !== 'operator');
}

function isMeant(observed: ObservedRecord, record: string): boolean {
  return record === '' || observed.name === record || canonicalContent(observed) === record;
}

function toSourceRef(owner: string): SourceRef {
  const [kind = '', second = '', third] = owner.split('/');
  return third === undefined ? { kind, name: second } : { kind, namespace: second, name: third };
}
