import { afterEach, describe, expect, test } from 'vitest';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { listAtDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { buildTown, manifests, surroundings, unready, untilBuilt } from './testing/town.ts';

describe('11. One budget', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('all kinds together never ask for more than the headers grant, and come to their end all the same', async () => {
    const quota = 20;
    const made = (world = await createWorld({ sim: { rateLimit: { quota, windowSeconds: 60 } } }));
    await made.applyCredentials();
    await made.apply([...surroundings, ...manifests()]);
    await untilBuilt(made, 20 * 60_000);
    await made.apply(manifests({ version: 2 }));
    await untilBuilt(made, 20 * 60_000);
    expect(unready(made)).toEqual([]);
    expect(refused(made)).toEqual([]);
    expect(perWindow(made, 60_000)).toBeLessThanOrEqual(2 * quota);
    expect(made.sim.journal.count()).toBeGreaterThan(quota);
  });

  test('a change of a person and a deletion go before looks for drift that have eaten their share of the budget', async () => {
    const made = (world = await buildTown({
      sim: { rateLimit: { quota: 60, windowSeconds: 300 } },
      operator: { driftMs: 10_000 },
    }));
    for (const content of ['192.0.2.101', '192.0.2.102', '192.0.2.103']) {
      // Now every object waits for its look.
      await made.clock.advance(5.3 * 60_000);
      const before = made.clock.now();
      await made.apply(dnsRecord('www', { content }));
      await made.waitFor(() => contents(made).includes(content), 20 * 60_000);
      expect(made.clock.now() - before).toBeLessThan(3000);
    }
    const before = made.clock.now();
    await made.delete(dnsRecordKind, { namespace: 'default', name: 'www' });
    await made.waitFor(() => !contents(made).includes('192.0.2.103'), 20 * 60_000);
    expect(made.clock.now() - before).toBeLessThan(3000);
    expect(refused(made)).toEqual([]);
  });
});

const contents = ({ sim }: World): readonly string[] =>
  listAtDashboard(sim, `/zones/${sim.zones[1]?.id ?? ''}/dns_records`).map(({ content }) => content);

const refused = ({ sim }: World): readonly unknown[] => sim.journal.calls().filter(({ status }) => status === 429);

/** The most calls in any stretch of this length. */
function perWindow({ sim }: World, lengthMs: number): number {
  const times = sim.journal
    .calls()
    .filter(({ tokenId }) => tokenId !== 'dashboard')
    .map(({ time }) => Date.parse(time));
  return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + lengthMs).length));
}
