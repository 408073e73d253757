import { getCondition, secretKind } from '@tributary/runtime';
import type { Condition } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import type { SyncState } from '../engine/l4-state/sync-state.ts';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { dnsRecord, tunnelBinding } from '../scenarios/testing/crash-objects.ts';
import { ingress } from '../scenarios/testing/ingress-objects.ts';
import { createTunnelWorld } from '../scenarios/testing/tunnel-world.ts';
import type { TunnelWorld } from '../scenarios/testing/tunnel-world.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import type { Shown } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';

// Around points 5 to 8 of seed 001, whose stories are in testing/seed-001-stories.ts: that it is safe to run several at once,
// that many make one, errors, and whose things are.

let world: World;
afterEach(async () => world.stop());

const ref = (name: string) => ({ namespace: 'default', name });

async function tunnelWorld(...given: Parameters<typeof createTunnelWorld>): Promise<TunnelWorld> {
  const made = await createTunnelWorld(...given);
  world = made;
  return made;
}

async function recordWorld(): Promise<World> {
  world = await createWorld({ operator: { driftMs: 0 } });
  await world.applyCredentials();
  await world.clock.advance(10_000);
  return world;
}

const zoneOf = ({ sim }: World): string => sim.zones.find(({ name }) => name === 'example.net')?.id ?? '';
const records = (made: World): readonly Shown[] => listAtDashboard(made.sim, `/zones/${zoneOf(made)}/dns_records`);
const ready = (made: World, name = 'www'): Condition | undefined =>
  getCondition<Condition>(made.get(dnsRecordKind, ref(name))?.status?.conditions, 'Ready');
const isReady = (made: World, name = 'www'): boolean => {
  const { status, observedGeneration } = ready(made, name) ?? {};
  return status === 'True' && observedGeneration === made.get(dnsRecordKind, ref(name))?.metadata.generation;
};

function configurationOf(made: TunnelWorld): SyncState | undefined {
  return made.list(syncStateKind).find(({ spec }) => spec.resourceType === 'TunnelConfiguration');
}

const puts = (made: World): number =>
  made.sim.journal.calls({ method: 'PUT' }).filter(({ tokenId }) => tokenId !== 'dashboard').length;

describe('5. several at once', () => {
  test('sources that three replicas write at the same moment are all there; who lost a race tried again', async () => {
    const made = await tunnelWorld({ replicas: 3 });
    const thirty = Array.from({ length: 30 }, (_, index) => `app-${index}`);
    await Promise.all(thirty.map(async (name) => made.apply(ingress(name))));
    await made.waitFor(() => made.routes().length === 30);
    expect(configurationOf(made)?.spec.sources).toHaveLength(31);
    expect(made.callers()).toEqual([made.leader()]);
  });

  test('changes within half a second are one call', async () => {
    const made = await tunnelWorld();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await made.apply(ingress(name));
      await made.clock.advance(100);
    }
    await made.clock.advance(5000);
    expect(made.routes()).toHaveLength(5);
    expect(puts(made)).toBe(1);
  });

  test('a change that comes to the same configuration is no call', async () => {
    const made = await tunnelWorld();
    await made.apply(ingress('app'));
    await made.clock.advance(10_000);
    made.clearCounts();
    const annotations = { 'cloudflare.com/protocol': 'http', 'example.com/note': 'hello' };
    await made.apply(ingress('app', { annotations }));
    await made.clock.advance(10_000);
    expect(puts(made)).toBe(0);
  });
});

describe('6. many objects make one', () => {
  test('of two that want the same host the lower number wins, and the other is told who has it', async () => {
    const made = await tunnelWorld();
    await made.apply(ingress('late', { host: 'shared.example.com', backend: 'web' }));
    await made.waitFor(() => made.routes().length === 1);
    const binding = tunnelBinding('early', ['shared.example.com']);
    const subjects = [{ name: 'web', spec: { fqdn: 'shared.example.com', target: 'http://elsewhere' } }];
    await made.apply({ ...binding, subjects } as never);
    await made.waitFor(() => made.routes()[0] === 'shared.example.com → http://elsewhere');
    expect(made.routes()).toHaveLength(1);
    await made.clock.advance(5000);
    const { annotations } = made.get(ingressKind, ref('late'))?.metadata ?? {};
    expect(Object.values(annotations ?? {}).join()).toContain('TunnelBinding/default/early');
    expect(configurationOf(made)?.status?.losers).toMatchObject([
      { ref: { kind: 'Ingress', name: 'late' }, winner: { kind: 'TunnelBinding', name: 'early' } },
    ]);
  });
});

describe('7. errors', () => {
  test('of several deletions one that fails keeps its finalizer, and the others go', async () => {
    const made = await recordWorld();
    await made.apply(['a', 'b', 'c'].map((name) => dnsRecord(name, { content: '192.0.2.1' })));
    await made.waitFor(() => ['a', 'b', 'c'].every((name) => isReady(made, name)));
    const stubborn = records(made).find(({ name }) => name === 'b.example.net')?.id ?? '';
    const fault = { kind: 'refusal', status: 403, code: 9109, message: 'Unauthorized' } as const;
    const batch = { method: 'POST', path: `/zones/${zoneOf(made)}/dns_records/batch` };
    made.sim.faults.arm({ match: batch, fault, count: 'always' });
    const one = { method: 'DELETE', path: `/zones/${zoneOf(made)}/dns_records/${stubborn}` };
    const id = made.sim.faults.arm({ match: one, fault, count: 'always' });
    for (const name of ['a', 'b', 'c']) {
      await made.delete(dnsRecordKind, ref(name));
      await made.clock.advance(3000);
    }
    await made.waitFor(() => made.list(dnsRecordKind).length === 1, 20 * 60_000);
    expect(made.get(dnsRecordKind, ref('b'))?.metadata.finalizers).toHaveLength(1);
    expect(ready(made, 'b')).toMatchObject({ status: 'False', reason: 'Deleting' });
    made.sim.faults.disarm(id);
    await made.waitFor(() => made.list(dnsRecordKind).length === 0, 60 * 60_000);
    expect(records(made)).toEqual([]);
  });

  test('a message that would give a secret away does not', async () => {
    const made = await recordWorld();
    const { token } = made.sim;
    const fault = { kind: 'refusal', status: 403, code: 9109, message: `Bad token ${token}` } as const;
    made.sim.faults.arm({ match: { write: true }, fault, count: 'always' });
    await made.apply(dnsRecord('www', { content: '192.0.2.1' }));
    await made.waitFor(() => ready(made)?.reason === 'PermissionDenied');
    const told = [...made.list(dnsRecordKind), ...made.list(syncStateKind)];
    expect(JSON.stringify(told)).not.toContain(token);
    expect(Buffer.from(made.list(secretKind)[0]?.data?.['CLOUDFLARE_API_TOKEN'] ?? '', 'base64').toString()).toBe(
      token,
    );
  });

  test('how long it waits depends on the error: as long as Cloudflare says', async () => {
    const made = await recordWorld();
    made.sim.faults.arm({ match: { write: true }, fault: { kind: 'rate-limited', retryAfterSeconds: 90 } });
    await made.apply(dnsRecord('www', { content: '192.0.2.1' }));
    await made.waitFor(() => ready(made)?.reason === 'RateLimited');
    await made.clock.advance(80_000);
    expect(records(made)).toEqual([]);
    await made.waitFor(() => isReady(made), 20_000);
  });
});

describe('8. whose things are', () => {
  const cname = { type: 'CNAME', name: 'www.example.net', content: 'a.example.org', ttl: 300 };
  const wanted = dnsRecord('www', { type: 'CNAME', content: 'a.example.org', comment: 'the shop' });

  test('what nobody has marked and is as wanted is adopted', async () => {
    const made = await recordWorld();
    const { id } = atDashboard(made.sim, 'POST', `/zones/${zoneOf(made)}/dns_records`, {
      ...cname,
      comment: 'the shop',
    });
    await made.apply(wanted);
    await made.waitFor(() => isReady(made));
    expect(records(made).map((record) => record.id)).toEqual([id]);
  });

  test.each(['[managed-by:DNSRecord/other/www]', '[managed:DNSRecord/other/www] the shop'])(
    'what another object has marked %s is refused, and that object is named',
    async (comment) => {
      const made = await recordWorld();
      atDashboard(made.sim, 'POST', `/zones/${zoneOf(made)}/dns_records`, { ...cname, comment });
      await made.apply(wanted);
      await made.waitFor(() => ready(made)?.reason === 'OwnedByOther');
      expect(ready(made)?.message).toContain('DNSRecord/other/www');
      expect(records(made).map((record) => record['comment'])).toEqual([comment]);
    },
  );
});
