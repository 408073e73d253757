import { getCondition, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { cloudflareCredentialsKind } from '../kinds/cloudflare-credentials/resource.ts';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { pictureOfCloudflare } from '../scenarios/testing/picture.ts';
import { createRandom } from '../testing/create-random.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { buildTown, leftovers, manifests, tearDown } from './testing/town.ts';

const token = { namespace: 'cloudflare-operator-system', name: 'main-token' };
const www = { namespace: 'default', name: 'www' };

describe('7. Deletion is owed', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test.each([1, 2, 3])(
    'everything deleted at once, in the random order %i, leaves nothing here and nothing there',
    async (seed) => {
      const empty = await createWorld();
      const before = pictureOfCloudflare(empty).filter((row) => !row.startsWith('zone_settings'));
      await empty.stop();
      const made = (world = await buildTown());
      const random = createRandom(seed);
      const order = manifests()
        .map((object) => ({ object, place: random() }))
        .toSorted((a, b) => a.place - b.place);
      await made.delete(cloudflareCredentialsKind, { name: 'main' });
      await tearDown(
        made,
        order.map(({ object }) => object),
      );
      await made.waitFor(() => leftovers(made).length === 0, 300_000);
      expect(pictureOfCloudflare(made).filter((row) => !row.startsWith('zone_settings'))).toEqual(before);
    },
  );

  test('a finalizer stays until the remote side is gone, and what is in the way is told', async () => {
    const made = (world = await withRecord());
    made.sim.faults.arm({
      match: { method: 'DELETE', path: '/zones/*' },
      fault: { kind: 'server-error', when: 'before' },
      count: 4,
    });
    await made.delete(dnsRecordKind, www);
    await made.clock.advance(3000);
    expect(records(made)).toHaveLength(1);
    expect(getCondition(made.get(dnsRecordKind, www)?.status?.conditions, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'Deleting',
    });
    await made.waitFor(() => made.get(dnsRecordKind, www) === undefined, 300_000);
    expect(records(made)).toEqual([]);
  });

  test('without the Secret it waits, says so, and goes on when the Secret is back', async () => {
    const made = (world = await withRecord());
    const kept = made.get(secretKind, token);
    await made.delete(secretKind, token);
    await made.delete(dnsRecordKind, www);
    await made.clock.advance(30 * 60_000);
    expect(records(made)).toHaveLength(1);
    const [state] = made.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'DNSRecord');
    expect(getCondition(state?.status?.conditions, 'Ready')).toMatchObject({ reason: 'CredentialsMissing' });
    expect(getCondition(made.get(dnsRecordKind, www)?.status?.conditions, 'Ready')?.message).toContain('main-token');
    await made.apply({ apiVersion: 'v1', kind: 'Secret', metadata: token, data: kept?.data } as never);
    await made.waitFor(() => made.get(dnsRecordKind, www) === undefined, 120_000);
    expect(records(made)).toEqual([]);
  });

  test('what can never be done is waived by an annotation, and by nothing less', async () => {
    const made = (world = await withRecord());
    await made.delete(secretKind, token);
    await made.delete(dnsRecordKind, www);
    await made.clock.advance(2 * 60 * 60_000);
    expect(made.get(dnsRecordKind, www)).toBeDefined();
    const annotations = { 'cloudflare-operator.io/abandon': 'true' };
    await made.user.client.patch(dnsRecordKind, www, { type: 'merge', body: { metadata: { annotations } } });
    await made.waitFor(() => made.get(dnsRecordKind, www) === undefined);
    const ofRecords = () => made.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'DNSRecord');
    await made.waitFor(() => ofRecords().length === 0);
    expect(records(made)).toHaveLength(1);
  });

  test('credentials stay until nothing needs them any more', async () => {
    const made = (world = await withRecord());
    await made.delete(cloudflareCredentialsKind, { name: 'main' });
    await made.clock.advance(60_000);
    expect(made.get(cloudflareCredentialsKind, { name: 'main' })).toBeDefined();
    await made.delete(dnsRecordKind, www);
    await made.waitFor(() => made.get(cloudflareCredentialsKind, { name: 'main' }) === undefined);
    expect(records(made)).toEqual([]);
  });
});

async function withRecord(): Promise<World> {
  const made = await createWorld({ operator: { driftMs: 0 } });
  await made.applyCredentials();
  await made.apply(dnsRecord('www', { content: '192.0.2.1' }));
  await made.waitFor(() => records(made).length === 1);
  await made.clock.advance(10_000);
  return made;
}

const records = ({ sim }: World): readonly unknown[] =>
  sim.zones.flatMap(({ id }) => listAtDashboard(sim, `/zones/${id}/dns_records`));
