import { getCondition } from '@tributary/runtime';
import type { Condition } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { syncStateKind } from '../../engine/l4-state/sync-state.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { Shown } from '../../testing/dashboard.ts';
import { worldOfEachTest } from '../../testing/world-of-each-test.ts';
import type { World } from '../../testing/world.ts';
import { dnsRecordKind } from './resource.ts';
import type { DnsRecord } from './resource.ts';

let world: World;
worldOfEachTest((made) => (world = made));

function zoneId(zone: string): string {
  return world.sim.zones.find(({ name }) => name === zone)?.id ?? '';
}

function remote(zone = 'example.com'): readonly Shown[] {
  const all = listAtDashboard(world.sim, `/zones/${zoneId(zone)}/dns_records?per_page=5000`);
  return all.toSorted((a, b) => (a.name + a.content < b.name + b.content ? -1 : 1));
}

function yaml(name: string, spec: string, annotations = '{}'): string {
  return `
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: DNSRecord
metadata: { name: ${name}, namespace: default, annotations: ${annotations} }
spec: ${spec}`;
}

function record(name: string): DnsRecord | undefined {
  return world.get(dnsRecordKind, { namespace: 'default', name });
}

function ready(name: string): Condition | undefined {
  return getCondition<Condition>(record(name)?.status?.conditions, 'Ready');
}

async function untilReady(...names: readonly string[]): Promise<void> {
  await world.waitFor(() =>
    names.every(
      (name) =>
        ready(name)?.status === 'True' &&
        record(name)?.status?.observedGeneration === record(name)?.metadata.generation,
    ),
  );
}

async function untilReason(name: string, reason: string): Promise<void> {
  await world.waitFor(() => ready(name)?.reason === reason);
}

const www = '{ name: www, type: A, content: 192.0.2.1, comment: hi, cloudflare: { domain: example.com } }';

describe('one record', { timeout: 30_000 }, () => {
  test('a domain alone is enough; the record is marked, told about, and then all is silent', async () => {
    await world.apply(yaml('www', www));
    await untilReady('www');
    const [made] = remote();
    expect(made).toMatchObject({
      name: 'www.example.com',
      content: '192.0.2.1',
      comment: 'hi [managed-by:DNSRecord/default/www]',
    });
    expect(record('www')?.status).toMatchObject({
      recordId: made?.id,
      zoneId: zoneId('example.com'),
      fqdn: 'www.example.com',
      state: 'Active',
    });
    expect(record('www')?.metadata.finalizers).toEqual(['dnsrecord.cloudflare-operator.io/finalizer']);
    world.clearCounts();
    await world.clock.advance(600_000);
    expect([world.writeCounts(), world.sim.journal.count()]).toEqual([{}, 0]);
  });

  test('a comment that does not fit on the plan of the zone says by how much', async () => {
    await world.apply(yaml('www', www.replace('hi', 'x'.repeat(90))));
    await untilReason('www', 'ValidationFailed');
    expect(ready('www')?.message).toContain(
      'spec.comment is 25 characters too long: with our mark it must fit into 100',
    );
    expect(remote()).toEqual([]);
  });

  test('a record costs four writes', async () => {
    await world.apply(yaml('first', '{ name: a, type: A, content: 192.0.2.1, cloudflare: { domain: example.com } }'));
    await untilReady('first');
    world.clearCounts();
    await world.apply(
      yaml('www', `{ name: www, type: A, content: 192.0.2.1, cloudflare: { zoneId: ${zoneId('example.com')} } }`),
    );
    await untilReady('www');
    expect(world.writeCounts()).toEqual({
      dnsrecords: 1,
      'dnsrecords/status': 1,
      cloudflaresyncstates: 1,
      'cloudflaresyncstates/status': 1,
    });
  });

  test('a change arrives within two seconds, with one call that writes', async () => {
    await world.apply(yaml('www', www));
    await untilReady('www');
    const [before] = remote();
    world.clearCounts();
    await world.apply(yaml('www', www.replace('192.0.2.1', '192.0.2.2')));
    await world.waitFor(() => remote()[0]?.content === '192.0.2.2', 2000);
    expect(remote().map(({ id }) => id)).toEqual([before?.id]);
    expect(world.sim.journal.calls({ write: true }).map(({ method }) => method)).toEqual(['PATCH']);
  });

  test('a change of type takes the place of the record', async () => {
    await world.apply(yaml('www', www));
    await untilReady('www');
    await world.apply(
      yaml('www', '{ name: www, type: CNAME, content: a.example.org, cloudflare: { domain: example.com } }'),
    );
    await untilReady('www');
    expect(remote().map(({ type, content }) => [type, content])).toEqual([['CNAME', 'a.example.org']]);
    expect(record('www')?.status?.recordId).toBe(remote()[0]?.id);
  });

  test('with the object go the record, its SyncState, and the finalizers of earlier operators', async () => {
    await world.apply(yaml('www', www));
    await untilReady('www');
    const { finalizers = [] } = record('www')?.metadata ?? {};
    const former = 'dnsrecord.networking.cloudflare-operator.io/finalizer';
    await world.user.client.patch(
      dnsRecordKind,
      { namespace: 'default', name: 'www' },
      { type: 'merge', body: { metadata: { finalizers: [...finalizers, former] } } },
    );
    await world.delete(dnsRecordKind, { namespace: 'default', name: 'www' });
    await world.waitFor(() => record('www') === undefined);
    expect(remote()).toEqual([]);
    expect(world.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'DNSRecord')).toEqual([]);
  });
});

describe('what is there already', { timeout: 30_000 }, () => {
  const post = (body: object): Shown =>
    atDashboard(world.sim, 'POST', `/zones/${zoneId('example.com')}/dns_records`, body);

  test('an equal record is taken over, another one is left beside it', async () => {
    const [same, other] = [
      post({ name: 'www', type: 'A', content: '192.0.2.1' }),
      post({ name: 'www', type: 'A', content: '192.0.2.9' }),
    ];
    await world.apply(yaml('www', '{ name: www, type: A, content: 192.0.2.1, cloudflare: { domain: example.com } }'));
    await untilReady('www');
    expect(record('www')?.status?.recordId).toBe(same.id);
    expect(remote()).toMatchObject([
      { comment: '[managed-by:DNSRecord/default/www]' },
      { id: other.id, comment: null },
    ]);
  });

  test('a CNAME that says something else is left alone until the object may adopt it', async () => {
    const found = post({ name: 'www', type: 'CNAME', content: 'x.example.org' });
    const spec = '{ name: www, type: CNAME, content: a.example.org, cloudflare: { domain: example.com } }';
    await world.apply(yaml('www', spec));
    await untilReason('www', 'NotOwned');
    expect(remote()).toEqual([found]);
    await world.apply(yaml('www', spec, '{ cloudflare-operator.io/adopt: "true" }'));
    await untilReady('www');
    expect(remote()).toMatchObject([{ id: found.id, content: 'a.example.org' }]);
  });

  test('what stands in the way is told and not touched', async () => {
    const found = post({ name: 'www', type: 'A', content: '192.0.2.9' });
    await world.apply(
      yaml('www', '{ name: www, type: CNAME, content: a.example.org, cloudflare: { domain: example.com } }'),
    );
    await untilReason('www', 'Blocked');
    expect(ready('www')?.message).toContain(found.id);
    expect(record('www')?.status?.state).toBe('Error');
    expect(remote()).toEqual([found]);
  });

  test("another object's record is refused with its owner's name", async () => {
    const spec = '{ name: www, type: CNAME, content: a.example.org, cloudflare: { domain: example.com } }';
    await world.apply(yaml('one', spec));
    await untilReady('one');
    await world.apply(yaml('two', spec));
    await untilReason('two', 'OwnedByOther');
    expect(ready('two')?.message).toContain('DNSRecord/default/one');
  });

  test('who was refused takes the place as soon as the other object leaves it', async () => {
    const cname = '{ name: www, type: CNAME, content: a.example.org, cloudflare: { domain: example.com } }';
    await world.apply(yaml('one', www));
    await untilReady('one');
    await world.apply(yaml('two', cname));
    await untilReason('two', 'Blocked');
    await world.delete(dnsRecordKind, { namespace: 'default', name: 'one' });
    await world.waitFor(() => ready('two')?.status === 'True', 5000);
    await world.apply(yaml('three', www));
    await untilReason('three', 'Blocked');
    await world.apply(yaml('two', cname.replace('www', 'moved')));
    await world.waitFor(() => ready('three')?.status === 'True', 5000);
    expect(remote().map(({ name, type }) => [name, type])).toEqual([
      ['moved.example.com', 'CNAME'],
      ['www.example.com', 'A'],
    ]);
  });
});

describe('many records', { timeout: 30_000 }, () => {
  test('go out in one batch; the one that Cloudflare refuses is told on its own object', async () => {
    await world.stopReplica('replica-1');
    const count = 100;
    const zone = zoneId('example.net');
    const names = Array.from({ length: count }, (_, index) => `r${index}`);
    for (const name of names) {
      const content = name === 'r37' ? 'not an address' : '192.0.2.1';
      await world.apply(
        yaml(name, `{ name: ${name}.example.net, type: A, content: ${content}, cloudflare: { zoneId: ${zone} } }`),
      );
    }
    world.clearCounts();
    world.start('replica-2');
    const good = names.filter((name) => name !== 'r37');
    await world.waitFor(
      () => good.every((name) => ready(name)?.status === 'True') && ready('r37') !== undefined,
      120_000,
    );
    expect(remote('example.net')).toHaveLength(count - 1);
    expect(ready('r37')).toMatchObject({ status: 'False', reason: 'ValidationFailed' });
    expect(ready('r37')?.message).toContain('valid IPv4 address');
    expect(world.sim.journal.count()).toBeLessThanOrEqual(25);
    expect(world.writes().length).toBeLessThanOrEqual(4 * count + 10);
  });
});

describe('a record with a source', { timeout: 30_000 }, () => {
  const service = (ips: string): string => `
apiVersion: v1
kind: Service
metadata: { name: shop, namespace: default }
spec: { ports: [{ port: 80 }], externalIPs: [${ips}] }`;
  const spec = (more = ''): string =>
    `{ name: shop, sourceRef: { service: { name: shop, addressType: ExternalIP } }, cloudflare: { domain: example.com }${more} }`;
  const contents = (): readonly string[] => remote().map(({ content }) => content);

  test('follows its addresses', async () => {
    await world.apply(yaml('shop', spec(', addressSelection: All')));
    await world.apply(service('192.0.2.1, 192.0.2.2'));
    await untilReady('shop');
    await world.waitFor(() => contents().length === 2);
    expect(record('shop')?.status).toMatchObject({
      resolvedType: 'A',
      resolvedContent: '192.0.2.1,192.0.2.2',
      resolvedAddresses: ['192.0.2.1', '192.0.2.2'],
      managedRecordIds: remote().map(({ id }) => id),
    });
    await world.apply(service('192.0.2.2, 192.0.2.3'));
    await world.waitFor(() => contents().join() === '192.0.2.2,192.0.2.3');
  });

  test('keeps its one record when the address changes', async () => {
    await world.apply(service('192.0.2.1'));
    await world.apply(yaml('shop', spec()));
    await untilReady('shop');
    const [before] = remote();
    await world.apply(service('192.0.2.7'));
    await world.waitFor(() => contents().join() === '192.0.2.7');
    expect(remote()[0]?.id).toBe(before?.id);
  });

  test('goes with its source, and comes back with it', async () => {
    await world.apply(service('192.0.2.1'));
    await world.apply(yaml('shop', spec()));
    await untilReady('shop');
    await world.delete(serviceKind, { namespace: 'default', name: 'shop' });
    await untilReason('shop', 'SourceDeleted');
    await world.waitFor(() => contents().length === 0);
    await world.apply(service('192.0.2.1'));
    await untilReady('shop');
    expect(contents()).toEqual(['192.0.2.1']);
  });

  test('stays without its source when it is told to', async () => {
    await world.apply(service('192.0.2.1'));
    await world.apply(yaml('shop', spec(', sourceDeletionPolicy: Orphan')));
    await untilReady('shop');
    await world.delete(serviceKind, { namespace: 'default', name: 'shop' });
    await world.waitFor(() => record('shop')?.status?.state === 'Orphaned');
    await world.clock.advance(60_000);
    expect(contents()).toEqual(['192.0.2.1']);
    expect(ready('shop')).toMatchObject({ status: 'True', reason: 'SourceDeleted' });
  });
});
