import { configMapKind, getCondition } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { deleteObjects } from '../testing/apply-objects.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';

const many = Array.from({ length: 24 }, (_, index) => dnsRecord(`r${index}`, { content: `192.0.2.${index + 1}` }));
const approval = 'cloudflare-operator.io/approve-deletion';

describe('9. No mass deletion', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('much at once is held with its list, until a person approves that very list', async () => {
    const made = (world = await withRecords());
    await remove(made, many.slice(0, 14));
    await made.clock.advance(60_000);
    expect(records(made)).toHaveLength(24);
    const [plan] = plans(made);
    const held = made
      .list(syncStateKind)
      .filter(({ status }) => JSON.stringify(status?.conditions ?? []).includes('DeletionHeld'));
    expect(held).toHaveLength(14);
    expect(plan?.data).toMatchObject({ count: '14' });
    expect(plan?.data?.['names']?.split('\n')).toHaveLength(14);
    const hash = plan?.data?.['hash'] ?? '';
    expect(getCondition(held[0]?.status?.conditions, 'Ready')?.message ?? held[0]?.status?.error).toContain(hash);

    await approve(made, plan, 'another-hash');
    await made.clock.advance(60_000);
    expect(records(made)).toHaveLength(24);

    await approve(made, plan, hash);
    await made.waitFor(() => records(made).length === 10, 120_000);
    await made.waitFor(() => made.list(dnsRecordKind).length === 10);
  });

  test('another list needs another approval', async () => {
    const made = (world = await withRecords());
    await remove(made, many.slice(0, 12));
    await made.clock.advance(60_000);
    const [first] = plans(made);
    await remove(made, many.slice(12, 20));
    await made.clock.advance(60_000);
    const now = plans(made).find(({ data }) => data?.['count'] === '20');
    expect(now?.data?.['hash']).not.toBe(first?.data?.['hash']);
    expect(records(made)).toHaveLength(24);
  });

  test('ten at once go, and one more within ten minutes is one too many', async () => {
    const made = (world = await withRecords());
    await remove(made, many.slice(0, 10));
    await made.waitFor(() => records(made).length === 14);
    await made.clock.advance(9 * 60_000);
    await remove(made, many.slice(10, 11));
    await made.clock.advance(30_000);
    expect([records(made).length, plans(made).length]).toEqual([14, 1]);
    await made.waitFor(() => records(made).length === 13, 30 * 60_000);
  });

  test('ordinary deletes are never held, one by one or a few at a time', async () => {
    const made = (world = await withRecords());
    await remove(made, many.slice(0, 7));
    await made.waitFor(() => records(made).length === 17);
    expect(plans(made)).toEqual([]);
  });

  test('a restart while a list is refused deletes nothing: absence counts only when every cache is complete', async () => {
    const made = (world = await withRecords());
    made.kill('replica-1');
    // One really is gone, in a way that no finalizer has seen; of the others a broken list says nothing.
    const ref = { namespace: 'default', name: 'r0' };
    await made.user.client.patch(dnsRecordKind, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
    await made.user.client.delete(dnsRecordKind, ref);
    const match = { verb: ['list', 'watch'], resource: 'dnsrecords', userAgent: 'replica-' };
    const mend = made.cluster.faults.add({ match, fault: { kind: 'error', status: 500 } });
    made.start('replica-2');
    await made.clock.advance(5 * 60_000);
    expect(records(made)).toHaveLength(24);
    expect(made.list(syncStateKind).filter(({ spec }) => spec.sources?.length === 0)).toEqual([]);
    mend();
    // The very same process comes to work, now that it can see everything.
    await made.waitFor(() => records(made).length === 23, 120_000);
    await made.clock.advance(60_000);
    expect([records(made).length, made.leader(), made.failures()]).toEqual([23, 'replica-2', []]);
  });

  test('a replica whose lists and watches were all refused for a while goes on where it was', async () => {
    const made = (world = await withRecords());
    const match = { verb: ['list', 'watch'], userAgent: 'replica-' };
    const mend = made.cluster.faults.add({ match, fault: { kind: 'error', status: 500 } });
    // By now every watch has come to its end, and what it missed is forgotten.
    await made.clock.advance(11 * 60_000);
    await remove(made, many.slice(0, 3));
    await made.apply(dnsRecord('late', { content: '192.0.2.200' }));
    made.cluster.compact();
    await made.clock.advance(3 * 60_000);
    expect(records(made)).toHaveLength(24);
    mend();
    await made.waitFor(() => records(made).length === 22, 120_000);
    expect([made.leader(), made.failures()]).toEqual(['replica-1', []]);
  });
});

async function withRecords(): Promise<World> {
  const made = await createWorld({ operator: { driftMs: 0 } });
  await made.applyCredentials();
  await made.apply(many);
  await made.waitFor(() => records(made).length === 24);
  await made.clock.advance(10_000);
  return made;
}

const remove = async ({ user, cluster }: World, objects: readonly KubeObject[]): Promise<void> =>
  deleteObjects(objects, user.client, cluster.registry);

const records = ({ sim }: World): readonly unknown[] =>
  listAtDashboard(sim, `/zones/${sim.zones[1]?.id ?? ''}/dns_records?per_page=5000`);

const plans = (world: World) =>
  world
    .list(configMapKind)
    .filter(({ metadata }) => metadata.labels?.['cloudflare-operator.io/deletion-plan'] === 'held');

async function approve({ user }: World, plan: KubeObject | undefined, hash: string): Promise<void> {
  const { namespace = '', name = '' } = plan?.metadata ?? {};
  const body = { metadata: { annotations: { [approval]: hash } } };
  await user.client.patch(configMapKind, { namespace, name }, { type: 'merge', body });
}
