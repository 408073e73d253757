import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { r2BucketDomainKind } from '../kinds/r2-bucket-domain/resource.ts';
import { r2BucketNotificationKind } from '../kinds/r2-bucket-notification/resource.ts';
import { r2BucketKind } from '../kinds/r2-bucket/resource.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { createToldWorld } from './testing/told-world.ts';
import type { ToldWorld } from './testing/told-world.ts';

type KindName = 'R2Bucket' | 'R2BucketDomain' | 'R2BucketNotification';

let world: ToldWorld<KindName>;
beforeEach(async () => {
  world = await createToldWorld<KindName>({
    R2Bucket: r2BucketKind,
    R2BucketDomain: r2BucketDomainKind,
    R2BucketNotification: r2BucketNotificationKind,
  });
});
afterEach(async () => world.stop());

const account = (): string => `/accounts/${world.sim.accountId}`;
const bucketPath = (name = 'photos'): string => `${account()}/r2/buckets/${name}`;
const names = (): readonly string[] =>
  (atDashboard(world.sim, 'GET', `${account()}/r2/buckets`)['buckets'] as readonly { readonly name: string }[]).map(
    ({ name }) => name,
  );

function fill(objects: number): void {
  const [row] = world.sim.state.rows('r2_buckets', world.sim.accountId);
  world.sim.state.insert('r2_buckets', world.sim.accountId, { ...row, id: 'default/photos', objects });
}

describe('a bucket', { timeout: 30_000 }, () => {
  test('is made with its rules, and tells where and when', async () => {
    await world.put('R2Bucket', 'photos', {
      locationHint: 'eeur',
      storageClass: 'InfrequentAccess',
      cors: [{ allowedOrigins: ['https://example.com'], allowedMethods: ['get', 'PUT'], maxAgeSeconds: 60 }],
      lifecycle: [{ id: 'old', prefix: 'logs/', expiration: { days: 30 } }],
    });
    await world.untilReady('R2Bucket', 'photos');
    expect(world.find('R2Bucket', 'photos')?.status).toMatchObject({
      bucketName: 'photos',
      location: 'EEUR',
      state: 'Ready',
      corsRulesCount: 1,
      lifecycleRulesCount: 1,
      createdAt: expect.stringMatching(/^20/) as string,
    });
    expect(atDashboard(world.sim, 'GET', `${bucketPath()}/cors`)['rules']).toMatchObject([
      { allowed: { origins: ['https://example.com'], methods: ['GET', 'PUT'] }, maxAgeSeconds: 60 },
    ]);
    expect(atDashboard(world.sim, 'GET', `${bucketPath()}/lifecycle`)['rules']).toEqual([
      {
        id: 'old',
        enabled: true,
        conditions: { prefix: 'logs/' },
        deleteObjectsTransition: { condition: { type: 'Age', maxAge: 2_592_000 } },
      },
    ]);
    expect(atDashboard(world.sim, 'GET', bucketPath())).toMatchObject({ storage_class: 'InfrequentAccess' });
  });

  test('of another jurisdiction is another one', async () => {
    atDashboard(world.sim, 'POST', `${account()}/r2/buckets`, { name: 'photos' });
    await world.put('R2Bucket', 'photos', {
      jurisdiction: 'eu',
      cors: [{ allowedOrigins: ['*'], allowedMethods: ['GET'] }],
    });
    await world.untilReady('R2Bucket', 'photos');
    expect(names()).toEqual(['photos']);
    const rows = world.sim.state.rows('r2_buckets', world.sim.accountId) as readonly object[];
    expect(rows).toMatchObject([{ jurisdiction: 'default', cors: undefined }, { jurisdiction: 'eu' }]);
    await world.remove('R2Bucket', 'photos');
    expect(names()).toEqual(['photos']);
  });

  test('that holds something is not deleted: that is said, tried ever less often, and ends when it is empty', async () => {
    await world.put('R2Bucket', 'photos', {});
    await world.untilReady('R2Bucket', 'photos');
    fill(3);
    await world.delete(r2BucketKind, { namespace: 'default', name: 'photos' });
    await world.untilReason('R2Bucket', 'photos', 'Deleting');
    expect(world.find('R2Bucket', 'photos')?.status).toMatchObject({ state: 'Deleting' });
    expect(world.ready('R2Bucket', 'photos')?.message).toContain('is not empty');
    expect(world.ready('R2Bucket', 'photos')?.message).toContain('spec.deletionPolicy: Orphan');
    await world.clock.advance(30 * 60_000);
    world.clearCounts();
    await world.clock.advance(60 * 60_000);
    // One in five minutes, both ends of the hour counted.
    expect(world.sim.journal.count({ write: true })).toBeLessThanOrEqual(13);
    expect(world.writes()).toEqual([]);
    fill(0);
    await world.waitFor(() => world.find('R2Bucket', 'photos') === undefined, 60 * 60_000);
    expect(names()).toEqual([]);
  });

  test('that holds something is left alone when its object says so, also on the way', async () => {
    await world.put('R2Bucket', 'photos', {});
    await world.untilReady('R2Bucket', 'photos');
    fill(3);
    await world.delete(r2BucketKind, { namespace: 'default', name: 'photos' });
    await world.untilReason('R2Bucket', 'photos', 'Deleting');
    await world.put('R2Bucket', 'photos', { deletionPolicy: 'Orphan' });
    await world.waitFor(() => world.find('R2Bucket', 'photos') === undefined);
    const left = (): readonly string[] => world.list(syncStateKind).map(({ spec }) => spec.resourceType);
    await world.waitFor(() => !left().includes('R2Bucket'));
    expect(names()).toEqual(['photos']);
  });

  test('with the policy to orphan stays, with or without lifecycle rules', async () => {
    await world.put('R2Bucket', 'photos', { deletionPolicy: 'Orphan' });
    await world.untilReady('R2Bucket', 'photos');
    await world.remove('R2Bucket', 'photos');
    expect(names()).toEqual(['photos']);
  });

  test('is neither renamed nor moved', async () => {
    await world.put('R2Bucket', 'photos', {});
    await world.untilReady('R2Bucket', 'photos');
    await world.put('R2Bucket', 'photos', { name: 'other', jurisdiction: 'eu' });
    await world.untilReason('R2Bucket', 'photos', 'InvalidConfig');
    expect(world.ready('R2Bucket', 'photos')?.message).toContain('spec.name: ');
    expect(world.ready('R2Bucket', 'photos')?.message).toContain('spec.jurisdiction: ');
    expect(names()).toEqual(['photos']);
  });

  test('somewhere else than hinted at is ready, with a remark', async () => {
    await world.put('R2Bucket', 'photos', { locationHint: 'weur' });
    await world.untilReady('R2Bucket', 'photos');
    await world.put('R2Bucket', 'photos', { locationHint: 'apac' });
    await world.untilMessage('R2Bucket', 'photos', 'is in WEUR');
    expect(world.ready('R2Bucket', 'photos')?.status).toBe('True');
  });

  test.each([
    [{ id: 'x', expiration: {} }, 'spec.lifecycle[0].expiration: '],
    [{ id: 'x', expiration: { date: 'soon' } }, 'spec.lifecycle[0].expiration.date: '],
    [
      { id: 'x', storageClassTransitions: [{ days: 1, date: '2027-01-01' }] },
      'spec.lifecycle[0].storageClassTransitions[0]: ',
    ],
  ])('with a rule that cannot be meant: %o', async (rule, message) => {
    await world.put('R2Bucket', 'photos', { lifecycle: [rule] });
    await world.untilReason('R2Bucket', 'photos', 'InvalidConfig');
    expect(world.ready('R2Bucket', 'photos')?.message).toContain(message);
  });
});

describe('a domain of a bucket', { timeout: 30_000 }, () => {
  const cdn = { bucketName: 'photos', domain: 'cdn.example.net' };

  test('waits for its bucket, finds its zone, and is looked at until it is active, and then no more', async () => {
    await world.put('R2BucketDomain', 'cdn', cdn);
    await world.clock.advance(5000);
    await world.put('R2Bucket', 'photos', {});
    await world.untilReason('R2BucketDomain', 'cdn', 'Initializing');
    expect(world.find('R2BucketDomain', 'cdn')?.status).toMatchObject({
      state: 'Initializing',
      publicAccessEnabled: false,
    });
    expect(world.ready('R2BucketDomain', 'cdn')?.message).toBe(
      'ownership of the domain is pending, its certificate pending',
    );
    await world.untilReady('R2BucketDomain', 'cdn');
    expect(world.find('R2BucketDomain', 'cdn')?.status).toMatchObject({
      state: 'Active',
      domainId: 'cdn.example.net',
      zoneId: world.sim.zones.find(({ name }) => name === 'example.net')?.id,
      enabled: true,
      publicAccessEnabled: true,
      minTls: '1.2',
      url: 'https://cdn.example.net',
    });
    world.clearCounts();
    await world.clock.advance(20 * 60_000);
    expect([world.writeCounts(), world.sim.journal.count({ write: true })]).toEqual([{}, 0]);
  });

  test('that no zone holds says so', async () => {
    await world.put('R2Bucket', 'photos', {});
    await world.put('R2BucketDomain', 'cdn', { ...cdn, domain: 'cdn.example.invalid' });
    await world.untilMessage('R2BucketDomain', 'cdn', 'no zone of this account');
    expect(world.find('R2BucketDomain', 'cdn')?.status).toMatchObject({ state: 'Error' });
  });

  test('goes with its object, and another one comes with another spec', async () => {
    await world.put('R2Bucket', 'photos', {});
    await world.put('R2BucketDomain', 'cdn', cdn);
    await world.untilReady('R2BucketDomain', 'cdn');
    await world.put('R2BucketDomain', 'cdn', { ...cdn, domain: 'img.example.net', enablePublicAccess: false });
    await world.untilReady('R2BucketDomain', 'cdn');
    const domains = (): unknown => atDashboard(world.sim, 'GET', `${bucketPath()}/domains/custom`)['domains'];
    await world.waitFor(() => (domains() as readonly unknown[]).length === 1);
    expect(domains()).toMatchObject([{ domain: 'img.example.net', enabled: false }]);
    await world.remove('R2BucketDomain', 'cdn');
    expect(domains()).toEqual([]);
  });
});

describe('notifications of a bucket', { timeout: 30_000 }, () => {
  type Queue = { readonly queueId: string; readonly rules: readonly Readonly<Record<string, unknown>>[] };
  const configuration = (): string => `${account()}/event_notifications/r2/photos/configuration`;
  const queues = (): readonly Queue[] => {
    const answer = world.sim.dashboard('GET', configuration());
    const { result } = answer.body as { readonly result: { readonly queues: readonly Queue[] } | null };
    return result?.queues ?? [];
  };
  const rules = (): readonly unknown[] =>
    queues().flatMap((queue) => queue.rules.map(({ actions, prefix, description }) => [actions, prefix, description]));
  const makeQueue = (name: string): string =>
    String(atDashboard(world.sim, 'POST', `${account()}/queues`, { queue_name: name })['queue_id']);
  const jobs = { bucketName: 'photos', queueName: 'jobs' };
  const created = ['PutObject', 'CopyObject', 'CompleteMultipartUpload'];
  const deleted = ['DeleteObject', 'LifecycleDeletion'];

  beforeEach(async () => world.put('R2Bucket', 'photos', {}));

  test('of two objects to one queue stand beside those of others, and each takes its own away', async () => {
    const queue = makeQueue('jobs');
    await world.untilReady('R2Bucket', 'photos');
    const foreign = { actions: ['PutObject'], prefix: 'manual/', description: 'by hand' };
    atDashboard(world.sim, 'PUT', `${configuration()}/queues/${queue}`, { rules: [foreign] });
    await world.put('R2BucketNotification', 'a', { ...jobs, rules: [{ eventTypes: ['object-create'], prefix: 'a/' }] });
    await world.put('R2BucketNotification', 'b', {
      ...jobs,
      rules: [{ eventTypes: ['object-delete'], description: 'gone' }],
    });
    await world.untilReady('R2BucketNotification', 'a');
    await world.untilReady('R2BucketNotification', 'b');
    const byHand = [['PutObject'], 'manual/', 'by hand'];
    const ofB = [deleted, undefined, 'gone [managed-by:R2BucketNotification/default/b]'];
    expect(rules()).toEqual([byHand, [created, 'a/', '[managed-by:R2BucketNotification/default/a]'], ofB]);
    expect(world.find('R2BucketNotification', 'a')?.status).toMatchObject({
      queueId: queue,
      ruleCount: 1,
      state: 'Active',
    });
    await world.remove('R2BucketNotification', 'a');
    expect(rules()).toEqual([byHand, ofB]);
    await world.remove('R2BucketNotification', 'b');
    expect(rules()).toEqual([byHand]);
  });

  test('that overlap: within a queue the first has it, with those of others the answer says which', async () => {
    makeQueue('jobs');
    const other = makeQueue('other');
    await world.untilReady('R2Bucket', 'photos');
    const foreign = { actions: ['DeleteObject'], prefix: 'in/' };
    atDashboard(world.sim, 'PUT', `${configuration()}/queues/${other}`, { rules: [foreign] });
    await world.put('R2BucketNotification', 'a', { ...jobs, rules: [{ eventTypes: ['object-create'] }] });
    await world.untilReady('R2BucketNotification', 'a');
    await world.put('R2BucketNotification', 'b', {
      ...jobs,
      rules: [{ eventTypes: ['object-create'], prefix: 'in/' }],
    });
    await world.untilReason('R2BucketNotification', 'b', 'Conflict');
    expect(world.ready('R2BucketNotification', 'b')?.message).toContain('R2BucketNotification/default/a has PutObject');
    await world.remove('R2BucketNotification', 'b');
    await world.put('R2BucketNotification', 'c', { ...jobs, rules: [{ eventTypes: ['object-delete'] }] });
    await world.untilMessage('R2BucketNotification', 'c', 'to queue other');
    expect(world.ready('R2BucketNotification', 'c')).toMatchObject({ status: 'False', reason: 'Conflict' });
  });

  test('whose change is refused keep the old rules', async () => {
    const other = makeQueue('other');
    makeQueue('jobs');
    await world.put('R2BucketNotification', 'a', {
      ...jobs,
      rules: [{ eventTypes: ['object-create'], prefix: 'in/' }],
    });
    await world.untilReady('R2BucketNotification', 'a');
    const foreign = { actions: ['PutObject'], prefix: 'out/' };
    atDashboard(world.sim, 'PUT', `${configuration()}/queues/${other}`, { rules: [foreign] });
    await world.put('R2BucketNotification', 'a', { ...jobs, rules: [{ eventTypes: ['object-create'] }] });
    await world.untilReason('R2BucketNotification', 'a', 'Conflict');
    const prefixes = queues().flatMap((queue) => queue.rules.map(({ prefix }) => String(prefix)));
    expect(new Set(prefixes)).toEqual(new Set(['in/', 'out/']));
  });

  test('wait for their queue, and move to another one', async () => {
    await world.put('R2BucketNotification', 'a', { ...jobs, rules: [{ eventTypes: ['object-create'] }] });
    await world.untilMessage('R2BucketNotification', 'a', 'queue jobs is not there');
    const [first, second] = [makeQueue('jobs'), makeQueue('more')];
    await world.untilReady('R2BucketNotification', 'a');
    expect(queues().map(({ queueId }) => queueId)).toEqual([first]);
    await world.put('R2BucketNotification', 'a', {
      ...jobs,
      queueName: 'more',
      rules: [{ eventTypes: ['object-create'], prefix: 'x' }],
    });
    await world.waitFor(() => queues().length === 1 && queues()[0]?.queueId === second, 5 * 60_000);
    expect(rules()).toHaveLength(1);
  });
});
