import { beforeEach, expect, test } from 'vitest';
import type { BatchChange, Call } from '../../engine/l5-sync/target.ts';
import { desiredOf, sourceOf, startSimCall } from '../../testing/sim-call.ts';
import type { SimCall } from '../../testing/sim-call.ts';
import type { ObservedRecord } from './compare-record.ts';
import type { DnsRecordConfig, DnsRecordKey } from './contract.ts';
import type { DesiredRecord } from './desired-record.ts';
import { dnsRecordTarget } from './sync.ts';

let sim: SimCall['sim'];
let call: Call;
let zoneId = '';
const zone = 'example.net';

beforeEach(async () => {
  ({ sim, call } = await startSimCall());
  zoneId = sim.zones.find(({ name }) => name === zone)?.id ?? '';
});

function keyOf(name: string, record = ''): DnsRecordKey {
  return { accountId: sim.accountId, zoneId, owner: `DNSRecord/default/${name}`, record };
}

function wanted(name: string, config: Partial<DnsRecordConfig> = {}): DesiredRecord {
  const whole = { name: `${name}.${zone}`, type: 'A', content: '192.0.2.1', ...config };
  const ref = { kind: 'DNSRecord', namespace: 'default', name };
  return desiredOf(dnsRecordTarget.aggregate([sourceOf(ref, whole)], keyOf(name)));
}

async function make(name: string, config: Partial<DnsRecordConfig> = {}): Promise<ObservedRecord> {
  const made = await dnsRecordTarget.create?.run(wanted(name, config), keyOf(name), call);
  if (!made) throw new Error('nothing was made');
  return made;
}

function writes(): readonly string[] {
  return sim.journal.calls({ write: true }).map(({ method, path }) => {
    const below = path.replace(`/zones/${zoneId}`, '');
    return `${method} ${below.replace(/[0-9a-f]{32}/, 'ID')}`;
  });
}

async function inZone(): Promise<readonly ObservedRecord[]> {
  const all = await dnsRecordTarget.observe.list?.(keyOf('any'), call);
  return (all ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

test('a change is one PATCH that leaves settings of others alone', async () => {
  const made = await make('web', { type: 'CNAME', content: 'a.example.org' });
  sim.dashboard('PATCH', `/zones/${zoneId}/dns_records/${made.id}`, { settings: { flatten_cname: true } });
  const next = wanted('web', { type: 'CNAME', content: 'b.example.org' });
  const changed = await dnsRecordTarget.update?.(
    { key: keyOf('web'), wanted: next, observed: made, fields: ['content'] },
    call,
  );
  expect(changed).toMatchObject({ id: made.id, content: 'b.example.org', settings: { flatten_cname: true } });
  expect(writes().slice(-1)).toEqual(['PATCH /dns_records/ID']);
});

test('a change of type replaces the record in one call', async () => {
  const made = await make('web');
  const next = wanted('web', { type: 'CNAME', content: 'a.example.org' });
  const changed = await dnsRecordTarget.update?.(
    { key: keyOf('web'), wanted: next, observed: made, fields: ['type'] },
    call,
  );
  expect(changed?.id).not.toBe(made.id);
  expect((await inZone()).map(({ type, content }) => [type, content])).toEqual([['CNAME', 'a.example.org']]);
  expect(writes().slice(-1)).toEqual(['POST /dns_records/batch']);
});

test('a batch answers in the order of its changes, whatever order the API has', async () => {
  const [old, patched, retyped] = [await make('old'), await make('patched'), await make('retyped')];
  const changes: readonly BatchChange<DnsRecordKey, DesiredRecord, ObservedRecord>[] = [
    { do: 'create', key: keyOf('new'), wanted: wanted('new') },
    {
      do: 'update',
      key: keyOf('patched'),
      wanted: wanted('patched', { content: '192.0.2.9' }),
      observed: patched,
      fields: ['content'],
    },
    { do: 'delete', key: keyOf('old'), observed: old },
    {
      do: 'update',
      key: keyOf('retyped'),
      wanted: wanted('retyped', { type: 'TXT', content: 'x' }),
      observed: retyped,
      fields: ['type'],
    },
  ];
  const answers = await dnsRecordTarget.batch?.run(changes, call);
  expect(answers?.map((answer) => answer && [answer.name, answer.type, answer.content])).toEqual([
    [`new.${zone}`, 'A', '192.0.2.1'],
    [`patched.${zone}`, 'A', '192.0.2.9'],
    undefined,
    [`retyped.${zone}`, 'TXT', '"x"'],
  ]);
  expect((await inZone()).map(({ name }) => name)).toEqual([`new.${zone}`, `patched.${zone}`, `retyped.${zone}`]);
});

test('the number of changes in a batch follows the plan of the zone', async () => {
  const free = sim.zones.find(({ plan }) => plan === 'free')?.id ?? '';
  expect(await dnsRecordTarget.batch?.limit(keyOf('any'), call)).toBe(3500);
  expect(await dnsRecordTarget.batch?.limit({ ...keyOf('any'), zoneId: free }, call)).toBe(200);
});

test('a record that nobody wants and whose id was never stored is found by its mark, in either form', async () => {
  const long = 'n'.repeat(60);
  const [plain, hashed] = [await make('web'), await make(long, { comment: 'x'.repeat(40), plan: 'free' })];
  await make('another');
  const find = (name: string): Promise<readonly ObservedRecord[]> =>
    dnsRecordTarget.observe.lookup({ key: keyOf(name), desired: undefined, id: undefined }, call);
  expect((await find('web')).map(({ id }) => id)).toEqual([plain.id]);
  expect(hashed.comment).toContain('[managed-by:DNSRecord/#');
  expect((await find(long)).map(({ id }) => id)).toEqual([hashed.id]);
  expect(await find('nobody')).toEqual([]);
});

test('of several records of one owner the mark and the address lead to the right one', async () => {
  const ref = { kind: 'DNSRecord', namespace: 'default', name: 'web' };
  const ids: string[] = [];
  for (const content of ['192.0.2.1', '192.0.2.2']) {
    const key = keyOf('web', content);
    const config = { name: `web.${zone}`, type: 'A', content };
    const made = await dnsRecordTarget.create?.run(
      desiredOf(dnsRecordTarget.aggregate([sourceOf(ref, config)], key)),
      key,
      call,
    );
    ids.push(made?.id ?? '');
  }
  const found = await dnsRecordTarget.observe.lookup(
    { key: keyOf('web', '192.0.2.2'), desired: undefined, id: undefined },
    call,
  );
  expect(found.map(({ id }) => id)).toEqual(ids.slice(1));
});

test('a record whose id is known is found under any name, and looked for by name when it is gone', async () => {
  const made = await make('web');
  sim.dashboard('PATCH', `/zones/${zoneId}/dns_records/${made.id}`, { name: `moved.${zone}` });
  const look = (): Promise<readonly ObservedRecord[]> =>
    dnsRecordTarget.observe.lookup({ key: keyOf('web'), desired: wanted('web'), id: made.id }, call);
  expect((await look()).map(({ name }) => name)).toEqual([`moved.${zone}`]);
  sim.dashboard('DELETE', `/zones/${zoneId}/dns_records/${made.id}`);
  sim.dashboard('POST', `/zones/${zoneId}/dns_records`, { name: 'web', type: 'A', content: '192.0.2.7' });
  expect((await look()).map(({ content }) => content)).toEqual(['192.0.2.7']);
});

test('a CNAME that a TXT registry names counts as marked, one beside it does not', async () => {
  const target = 'c1744f8b-faa1-48a4-9e5c-02ac921467fa.cfargotunnel.com';
  const post = (body: object): string => {
    const answer = sim.dashboard('POST', `/zones/${zoneId}/dns_records`, body);
    return (answer.body as { readonly result: { readonly id: string } }).result.id;
  };
  const registered = post({ name: 'app', type: 'CNAME', content: target, proxied: true });
  post({ name: 'myapp', type: 'CNAME', content: target, proxied: true });
  post({
    name: '_managed.app',
    type: 'TXT',
    content: JSON.stringify({ DnsId: registered, TunnelName: 't', TunnelId: 'i' }),
  });
  const marks = async (name: string): Promise<readonly unknown[]> => {
    const desired = wanted(name, { type: 'CNAME', content: target, proxied: true });
    const found = await dnsRecordTarget.observe.lookup({ key: keyOf(name), desired, id: undefined }, call);
    return found.map((each) => [each.name, dnsRecordTarget.markedText?.(each)]);
  };
  expect(await marks('app')).toEqual([[`app.${zone}`, 'Managed by cloudflare-operator']]);
  expect(await marks('myapp')).toEqual([[`myapp.${zone}`, null]]);
});
