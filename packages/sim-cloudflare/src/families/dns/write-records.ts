import { refusal } from '../../api/api-error.ts';
import { textOf } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { timestamp } from '../../api/route.ts';
import type { World } from '../../api/route.ts';
import type { Draft } from '../../store/table.ts';
import { limitsOf } from '../zones/plan-limits.ts';
import type { Zone } from '../zones/zone.ts';
import { buildRecord, toInput } from './build-record.ts';
import { checkConflicts } from './check-conflicts.ts';
import { dnsRecords } from './record.ts';
import type { DnsRecord } from './record.ts';

/** The four verbs on one zone; single calls and batches share them. */
export type RecordWriter = {
  readonly find: (id: string) => DnsRecord;
  readonly create: (input: Fields) => DnsRecord;
  readonly overwrite: (id: string, input: Fields) => DnsRecord;
  readonly patch: (id: string, input: Fields) => DnsRecord;
  readonly remove: (id: string) => DnsRecord;
};

export function createRecordWriter(state: Draft, zone: Zone, world: World): RecordWriter {
  const find = (id: string): DnsRecord => {
    const record = state.get(dnsRecords, zone.id, id);
    if (!record) throw refusal(404, 81044, 'Record does not exist.');
    return record;
  };
  const findOwn = (id: string): DnsRecord => {
    const record = find(id);
    if (record.meta['read_only'] !== true) return record;
    const manager = textOf(record.meta['managed_by']) ?? 'another product';
    throw refusal(400, 1046, `This record is managed by ${manager}. Disable it there to modify or delete this record.`);
  };
  const store = (record: DnsRecord): DnsRecord => {
    checkConflicts(record, state.rows(dnsRecords, zone.id).values(), zone);
    state.put(dnsRecords, zone.id, record.id, record);
    return record;
  };
  const change = (previous: DnsRecord, input: Fields): DnsRecord =>
    store(buildRecord(input, { zone, id: previous.id, now: timestamp(world), previous }));

  return {
    find,
    create: (input) => {
      const quota = limitsOf(zone).records;
      if (state.rows(dnsRecords, zone.id).size >= quota) throw refusal(400, 81045, 'Record quota exceeded.');
      return store(buildRecord(input, { zone, id: world.ids.hex(32), now: timestamp(world) }));
    },
    overwrite: (id, input) => change(findOwn(id), input),
    patch: (id, input) => {
      const previous = findOwn(id);
      return change(previous, { ...toInput(previous), ...input });
    },
    remove: (id) => {
      const record = findOwn(id);
      state.remove(dnsRecords, zone.id, id);
      return record;
    },
  };
}
