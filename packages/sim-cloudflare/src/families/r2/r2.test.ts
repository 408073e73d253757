import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import type { Answer, TestSim } from '../../testing/start-test-sim.ts';

const inEurope = ({ sim }: TestSim): { readonly headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${sim.token}`, 'cf-r2-jurisdiction': 'eu' },
});

async function withBucket(): Promise<TestSim & { readonly buckets: string; readonly bucket: string }> {
  const world = await startTestSim();
  const buckets = `${world.account}/r2/buckets`;
  await world.call('POST', buckets, { name: 'photos' });
  return { ...world, buckets, bucket: `${buckets}/photos` };
}

describe('buckets', () => {
  test('of one name may stand in several jurisdictions, and each sees its own', async () => {
    const world = await withBucket();
    const { call, buckets, bucket } = world;
    expect(await call('POST', buckets, { name: 'photos' })).toMatchObject({ status: 409, codes: [10_004] });
    expect((await call('GET', bucket, undefined, inEurope(world))).codes).toEqual([10_006]);
    const made = await call('POST', buckets, { name: 'photos', locationHint: 'eeur' }, inEurope(world));
    expect(made.result).toMatchObject({ jurisdiction: 'eu', location: 'EEUR', storage_class: 'Standard' });
    expect((await call('GET', buckets)).result.buckets).toHaveLength(1);
  });

  test('have names by rule, and can be deleted when they are empty', async () => {
    const { call, buckets, bucket, sim } = await withBucket();
    for (const name of ['ab', 'Photos', '-x-', 'a_b', 'x'.repeat(64)]) {
      expect((await call('POST', buckets, { name })).codes).toEqual([10_005]);
    }
    const [row] = sim.state.rows('r2_buckets', sim.accountId);
    sim.state.insert('r2_buckets', sim.accountId, { ...row, id: 'default/photos', objects: 1 });
    expect(await call('DELETE', bucket)).toMatchObject({ status: 409, codes: [10_008] });
    sim.state.insert('r2_buckets', sim.accountId, { ...row, id: 'default/photos', objects: 0 });
    expect((await call('DELETE', bucket)).status).toBe(200);
    expect((await call('DELETE', bucket)).codes).toEqual([10_006]);
  });

  test('begin without CORS and with a rule for unfinished uploads; a PUT replaces all rules', async () => {
    const { call, bucket } = await withBucket();
    expect(await call('GET', `${bucket}/cors`)).toMatchObject({ status: 404, codes: [10_059] });
    await call('PUT', `${bucket}/cors`, { rules: [{ allowed: { origins: ['*'], methods: ['GET'] } }] });
    expect((await call('GET', `${bucket}/cors`)).result.rules[0].id).toBeDefined();
    await call('DELETE', `${bucket}/cors`);
    expect((await call('GET', `${bucket}/cors`)).codes).toEqual([10_059]);
    expect((await call('GET', `${bucket}/lifecycle`)).result.rules).toMatchObject([
      { id: 'Default Multipart Abort Rule' },
    ]);
    await call('PUT', `${bucket}/lifecycle`, { rules: [{ id: 'old', enabled: true, conditions: { prefix: 'x' } }] });
    expect((await call('GET', `${bucket}/lifecycle`)).result.rules).toMatchObject([{ id: 'old' }]);
    expect((await call('PUT', `${bucket}/lifecycle`, { rules: [{ id: 'bad' }] })).codes).toEqual([10_040]);
    expect((await call('PUT', `${bucket}/lock`, {})).codes).toEqual([10_040]);
  });
});

test('a domain of a bucket becomes active after some time, and belongs to one bucket', async () => {
  const { call, bucket, buckets, free, clock } = await withBucket();
  const path = `${bucket}/domains/custom`;
  const body = { domain: 'cdn.example.com', zoneId: free, enabled: true };
  expect((await call('POST', path, body)).result).toEqual({ ...body, minTLS: '1.0' });
  expect((await call('GET', `${path}/cdn.example.com`)).result.status).toEqual({
    ownership: 'pending',
    ssl: 'pending',
  });
  await clock.advance(30_000);
  expect((await call('GET', `${path}/cdn.example.com`)).result.status).toEqual({ ownership: 'active', ssl: 'active' });
  expect((await call('PUT', `${path}/cdn.example.com`, { minTLS: '1.2' })).result).toMatchObject({
    minTLS: '1.2',
    enabled: true,
  });
  await call('POST', buckets, { name: 'other' });
  expect((await call('POST', `${buckets}/other/domains/custom`, body)).codes).toEqual([10_055]);
  expect((await call('POST', path, { ...body, domain: 'cdn.example.org' })).codes).toEqual([10_054]);
  await call('DELETE', `${path}/cdn.example.com`);
  expect((await call('GET', `${path}/cdn.example.com`)).codes).toEqual([10_053]);
  await call('PUT', `${bucket}/domains/managed`, { enabled: true });
  expect((await call('GET', `${bucket}/domains/managed`)).result).toMatchObject({
    enabled: true,
    domain: 'pub-photos.r2.dev',
  });
});

describe('notifications', () => {
  async function withQueue(): Promise<
    { put: (rules: unknown) => Promise<Answer>; path: string; queue: string } & TestSim
  > {
    const world = await withBucket();
    const queue = (await world.call('POST', `${world.account}/queues`, { queue_name: 'events' })).result
      .queue_id as string;
    const path = `${world.account}/event_notifications/r2/photos/configuration`;
    return { ...world, path, queue, put: async (rules) => world.call('PUT', `${path}/queues/${queue}`, { rules }) };
  }

  test('are added to those that are there; what overlaps is refused', async () => {
    const { put, call, path, queue } = await withQueue();
    expect((await call('GET', path)).codes).toEqual([11_015]);
    expect((await put([{ actions: ['PutObject'], prefix: 'a/' }])).status).toBe(200);
    expect((await put([{ actions: ['PutObject'], prefix: 'b/' }])).status).toBe(200);
    expect((await put([{ actions: ['PutObject', 'CopyObject'], prefix: 'a/b' }])).codes).toEqual([11_020]);
    const { rules } = (await call('GET', `${path}/queues/${queue}`)).result;
    expect(rules).toMatchObject([{ prefix: 'a/' }, { prefix: 'b/' }]);
    await call('DELETE', `${path}/queues/${queue}`, { ruleIds: [rules[0].ruleId] });
    expect((await call('GET', path)).result.queues[0].rules).toMatchObject([{ prefix: 'b/' }]);
  });

  test('keep their queue alive, also after the bucket is gone', async () => {
    const { put, call, path, queue, account } = await withQueue();
    await put([{ actions: ['DeleteObject'] }]);
    await call('DELETE', `${account}/r2/buckets/photos`);
    expect((await call('DELETE', `${account}/queues/${queue}`)).codes).toEqual([11_017]);
    await call('DELETE', `${path}/queues/${queue}`);
    expect((await call('DELETE', `${account}/queues/${queue}`)).status).toBe(200);
  });

  test('need a bucket, a queue, rules and known actions', async () => {
    const { put, call, path, account } = await withQueue();
    expect((await put([])).codes).toEqual([11_014]);
    expect((await put([{ actions: ['Shout'] }])).codes).toEqual([11_014]);
    const rules = [{ actions: ['PutObject'] }];
    expect((await call('PUT', `${path}/queues/${'0'.repeat(32)}`, { rules })).codes).toEqual([11_000]);
    expect((await call('PUT', `${path.replace('photos', 'none')}/queues/x`, { rules })).codes).toEqual([10_085]);
    expect((await call('POST', `${account}/queues`, { queue_name: 'events' })).codes).toEqual([11_009]);
    expect((await call('POST', `${account}/queues`, { queue_name: 'No Name' })).codes).toEqual([11_003]);
  });
});
