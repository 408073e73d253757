import { refusal } from '../../api/api-error.ts';
import { isFields, textOf } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { limitsOf } from '../zones/plan-limits.ts';
import type { Zone } from '../zones/zone.ts';
import type { DnsRecord } from './record.ts';
import type { RecordWriter } from './write-records.ts';

export type BatchResult = {
  readonly deletes: readonly DnsRecord[];
  readonly patches: readonly DnsRecord[];
  readonly puts: readonly DnsRecord[];
  readonly posts: readonly DnsRecord[];
};

/**
 * Deletes, patches, puts, posts, each list in its order. It runs inside one call's draft, so the first error that
 * it throws takes everything back.
 */
export function batchRecords(body: Fields, writer: RecordWriter, zone: Zone): BatchResult {
  const lists = {
    deletes: listOf(body, 'deletes'),
    patches: listOf(body, 'patches'),
    puts: listOf(body, 'puts'),
    posts: listOf(body, 'posts'),
  };
  const total = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  const most = limitsOf(zone).batchRecords;
  if (total > most) throw refusal(400, 9208, `A batch holds at most ${most} records, this one has ${total}.`);
  return {
    deletes: lists.deletes.map((item) => writer.remove(idOf(item))),
    patches: lists.patches.map((item) => writer.patch(idOf(item), item)),
    puts: lists.puts.map((item) => writer.overwrite(idOf(item), item)),
    posts: lists.posts.map((item) => writer.create(item)),
  };
}

function listOf(body: Fields, name: string): readonly Fields[] {
  const list = body[name] ?? [];
  if (!Array.isArray(list)) throw refusal(400, 9207, `${name} must be a list.`);
  return (list as readonly unknown[]).map((item) => {
    if (!isFields(item)) throw refusal(400, 9207, `${name} must hold objects.`);
    return item;
  });
}

function idOf(item: Fields): string {
  return textOf(item['id']) ?? '';
}
