import { zoneAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { limitsOf } from '../zones/plan-limits.ts';
import { theZone } from '../zones/zone-family.ts';
import { batchRecords } from './batch-records.ts';
import { fromBindFile, toBindFile } from './bind-file.ts';
import { filterRecords } from './filter-records.ts';
import { dnsRecords } from './record.ts';
import type { DnsRecord } from './record.ts';
import { createRecordWriter } from './write-records.ts';
import type { RecordWriter } from './write-records.ts';

const access = zoneAccess('DNS');
const all = '/zones/:zone/dns_records';
const one = '/zones/:zone/dns_records/:record';

export const dnsFamily: Family = {
  name: 'dns',
  routes: [
    { method: 'GET', path: all, access, run: listRecords },
    { method: 'POST', path: all, access, run: (call) => ({ result: writerOf(call).create(bodyOf(call)) }) },
    {
      method: 'POST',
      path: `${all}/batch`,
      access,
      run: (call) => ({ result: batchRecords(bodyOf(call), writerOf(call), theZone(call)) }),
    },
    { method: 'GET', path: `${all}/export`, access, run: exportRecords },
    { method: 'POST', path: `${all}/import`, access, json: false, run: importRecords },
    { method: 'GET', path: `${all}/usage`, access, run: usage },
    { method: 'GET', path: one, access, run: (call) => ({ result: writerOf(call).find(param(call, 'record')) }) },
    {
      method: 'PUT',
      path: one,
      access,
      run: (call) => ({ result: writerOf(call).overwrite(param(call, 'record'), bodyOf(call)) }),
    },
    {
      method: 'PATCH',
      path: one,
      access,
      run: (call) => ({ result: writerOf(call).patch(param(call, 'record'), bodyOf(call)) }),
    },
    { method: 'DELETE', path: one, access, run: deleteRecord },
  ],
};

function writerOf(call: Call): RecordWriter {
  return createRecordWriter(call.state, theZone(call), call.world);
}

function bodyOf({ body }: Call): Fields {
  if (!isFields(body)) throw refusal(400, 9207, 'Request body is invalid.');
  return body;
}

function recordsOf(call: Call): readonly DnsRecord[] {
  return [...call.state.rows(dnsRecords, param(call, 'zone')).values()];
}

function listRecords(call: Call): Reply {
  return toPage(call.query, filterRecords(recordsOf(call), call.query), { defaultSize: 100, maxSize: 5_000_000 });
}

function deleteRecord(call: Call): Reply {
  const { id } = writerOf(call).remove(param(call, 'record'));
  return { result: { id } };
}

function exportRecords(call: Call): Reply {
  return { text: toBindFile(theZone(call).name, recordsOf(call)), contentType: 'text/plain; charset=utf-8' };
}

/** What stands there already is passed over, as is done when a person loads a file twice. */
function importRecords(call: Call): Reply {
  const writer = writerOf(call);
  const parsed = fromBindFile(call.request.body);
  let added = 0;
  for (const input of parsed) {
    if (recordsOf(call).some((record) => isSameLine(record, input))) continue;
    writer.create(input);
    added += 1;
  }
  const timing = { start_time: timestamp(call.world), end_time: timestamp(call.world), process_time: 0 };
  return { result: { recs_added: added, total_records_parsed: parsed.length, timing } };
}

function isSameLine(record: DnsRecord, input: Fields): boolean {
  return (
    record.type === input['type'] &&
    isSameText(input['name'], record.name) &&
    isSameText(input['content'], record.content)
  );
}

function isSameText(given: unknown, stored: string): boolean {
  return typeof given === 'string' && given.replace(/\.$/, '').toLowerCase() === stored.toLowerCase();
}

function usage(call: Call): Reply {
  return { result: { record_quota: limitsOf(theZone(call)).records, record_usage: recordsOf(call).length } };
}
