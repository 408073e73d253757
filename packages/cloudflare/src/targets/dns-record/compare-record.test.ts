import { expect, test } from 'vitest';
import { recordDifference, relateRecord } from './compare-record.ts';
import type { ObservedRecord } from './compare-record.ts';
import type { DesiredRecord } from './desired-record.ts';
import { toBody } from './record-batch.ts';

const owner = { kind: 'DNSRecord', namespace: 'default', name: 'web' };
const ours = '[managed-by:DNSRecord/default/web]';
const others = '[managed-by:DNSRecord/other/web]';

function wanted(fields: Partial<DesiredRecord> = {}): DesiredRecord {
  return {
    name: 'www.example.com',
    type: 'A',
    content: '192.0.2.1',
    ttl: 1,
    proxied: false,
    comment: ours,
    owner,
    ...fields,
  };
}

function seen(fields: Partial<ObservedRecord> = {}): ObservedRecord {
  const comment = null;
  return {
    id: '1',
    name: 'www.example.com',
    type: 'A',
    content: '192.0.2.1',
    ttl: 1,
    proxied: false,
    comment,
    ...fields,
  };
}

const cname = { type: 'CNAME', content: 'a.example.org' } as const;
const txt = { type: 'TXT', content: '"b"' } as const;
const readOnly = { meta: { read_only: true } };

const relations: readonly {
  readonly what: string;
  readonly want?: Partial<DesiredRecord>;
  readonly see: Partial<ObservedRecord>;
  readonly record?: string;
  readonly is: string;
}[] = [
  { what: 'the very same record', see: {}, is: 'same' },
  { what: "the same record with another's mark", see: { comment: others }, is: 'same' },
  { what: 'another name', see: { name: 'a.example.com' }, is: 'none' },
  { what: 'another address of the name', see: { content: '192.0.2.2' }, is: 'beside' },
  { what: 'another address, with leave to adopt', want: { adopt: true }, see: { content: '192.0.2.2' }, is: 'same' },
  {
    what: "another's address, with leave to adopt",
    want: { adopt: true },
    see: { content: '192.0.2.2', comment: others },
    is: 'beside',
  },
  { what: 'our own with another address', see: { content: '192.0.2.2', comment: ours }, is: 'same' },
  { what: 'our own under another name', see: { name: 'old.example.com', comment: ours }, is: 'same' },
  { what: 'our own of another type', see: { ...cname, comment: ours }, is: 'same' },
  { what: 'a CNAME at the name of an address', see: cname, is: 'blocks' },
  { what: 'an address at the name of a CNAME', want: cname, see: {}, is: 'blocks' },
  {
    what: 'another CNAME at the name of a CNAME',
    want: cname,
    see: { ...cname, content: 'b.example.org' },
    is: 'same',
  },
  { what: 'text beside an address', see: txt, is: 'beside' },
  { what: 'other text, with leave to adopt', want: { type: 'TXT', content: 'a', adopt: true }, see: txt, is: 'beside' },
  { what: 'the same record, held by another product', see: readOnly, is: 'blocks' },
  { what: 'a CNAME held by another product', want: cname, see: { ...cname, content: 'r2', ...readOnly }, is: 'blocks' },
  { what: 'text held by another product', see: { ...txt, ...readOnly }, is: 'beside' },
  {
    what: 'the record of a TunnelBinding',
    want: cname,
    see: { ...cname, comment: 'Managed by cloudflare-operator' },
    is: 'same',
  },
  {
    what: 'the record of a TunnelBinding for another tunnel',
    want: cname,
    see: { ...cname, content: 'b.example.org', comment: 'Managed by cloudflare-operator' },
    is: 'blocks',
  },
  {
    what: 'the same, with leave to adopt',
    want: { ...cname, adopt: true },
    see: { ...cname, content: 'b.example.org', comment: 'Managed by cloudflare-operator' },
    is: 'same',
  },
  {
    what: "the owner's record of another host",
    see: { name: 'b.example.com', comment: ours },
    record: 'www.example.com',
    is: 'none',
  },
  {
    what: "the owner's record of this host",
    see: { content: '192.0.2.2', comment: ours },
    record: 'www.example.com',
    is: 'same',
  },
  {
    what: "the owner's record of another address",
    see: { content: '192.0.2.2', comment: ours },
    record: '192.0.2.1',
    is: 'beside',
  },
  { what: "the owner's record of this address", see: { comment: ours }, record: '192.0.2.1', is: 'same' },
  {
    what: 'the same mail server with another priority',
    want: { type: 'MX', content: 'm', priority: 1 },
    see: { type: 'MX', content: 'm', priority: 2 },
    is: 'beside',
  },
];

test.each(relations)('$what: $is', ({ want, see, record = '', is }) => {
  const key = { accountId: 'a', zoneId: 'z', owner: 'DNSRecord/default/web', record };
  expect(relateRecord(wanted(want), seen(see), key)).toBe(is);
});

const differences: readonly {
  readonly what: string;
  readonly want?: Partial<DesiredRecord>;
  readonly see: Partial<ObservedRecord>;
  readonly fields: readonly string[];
}[] = [
  { what: 'nothing', see: { comment: ours }, fields: [] },
  { what: 'the mark', see: {}, fields: ['comment'] },
  { what: 'the address', see: { comment: ours, content: '192.0.2.2' }, fields: ['content'] },
  { what: 'the name', see: { comment: ours, name: 'old.example.com' }, fields: ['name'] },
  { what: 'nothing, where the API completed the name', want: { name: 'www' }, see: { comment: ours }, fields: [] },
  { what: 'the TTL', see: { comment: ours, ttl: 300 }, fields: ['ttl'] },
  { what: 'the proxy', want: { proxied: true, ttl: 300 }, see: { comment: ours }, fields: ['proxied'] },
  {
    what: 'nothing, for the TTL behind the proxy',
    want: { proxied: true, ttl: 300 },
    see: { comment: ours, proxied: true },
    fields: [],
  },
  { what: 'only the type, where that differs', see: { ...cname, comment: ours, ttl: 300 }, fields: ['type'] },
  {
    what: 'the priority',
    want: { type: 'MX', content: 'm', priority: 0 },
    see: { type: 'MX', content: 'm', priority: 5, comment: ours },
    fields: ['priority'],
  },
  { what: 'nothing, for tags that nobody asked for', see: { comment: ours, tags: ['a:b'] }, fields: [] },
  { what: 'a tag', want: { tags: ['a:b'] }, see: { comment: ours, tags: ['a:c'] }, fields: ['tags'] },
  { what: 'a tag that must go', want: { tags: [] }, see: { comment: ours, tags: ['a:c'] }, fields: ['tags'] },
  {
    what: 'nothing, for the order and case of tags',
    want: { tags: ['B', 'a:X'] },
    see: { comment: ours, tags: ['A:X', 'b:'] },
    fields: [],
  },
  {
    what: 'the parts',
    want: { type: 'CAA', data: { flags: 0, tag: 'issue', value: 'a.org' } },
    see: { type: 'CAA', content: '', data: { flags: 128, tag: 'issue', value: 'a.org' }, comment: ours },
    fields: ['data'],
  },
  {
    what: 'nothing, for numbers that come back as text',
    want: { type: 'CAA', data: { flags: 0, tag: 'issue', value: 'a.org' } },
    see: { type: 'CAA', content: '', data: { flags: '0', tag: 'issue', value: 'a.org' }, comment: ours },
    fields: [],
  },
];

test.each(differences)('differs in $what', ({ want = {}, see, fields }) => {
  const { content, data, ...rest } = { ...wanted(), ...want };
  const value = want.data ? { data: want.data } : { ...(content !== undefined && { content }) };
  expect(data).toBe(want.data);
  expect(recordDifference({ ...rest, ...value }, seen(see))).toEqual(fields);
});

test('tags that nobody wants are left alone where we have never set any, and go where we have', () => {
  const tagged = seen({ comment: ours, tags: ['a:b'] });
  expect(recordDifference(wanted(), tagged)).toEqual([]);
  expect(recordDifference(wanted(), tagged, { tagged: true })).toEqual(['tags']);
  expect(toBody(wanted(), ['tags'])).toMatchObject({ tags: [] });
  expect(toBody(wanted(), ['ttl'])).not.toHaveProperty('tags');
});
