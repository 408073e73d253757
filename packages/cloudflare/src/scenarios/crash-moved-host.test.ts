import { expect, test } from 'vitest';
import { listAtDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { domain, tunnelBinding } from './testing/crash-objects.ts';
import { clusterTunnel, service } from './testing/ingress-objects.ts';

const names = ({ sim }: World): readonly string[] =>
  listAtDashboard(sim, `/zones/${sim.zones[0]?.id ?? ''}/dns_records`)
    .map(({ name }) => name)
    .toSorted();

// The old records are gone and the new one is made, and nobody has written down either: the new one carries the mark of the
// owner that the old ones had, and must not be taken for one of them.
test(
  'a process that dies when a host has moved leaves a successor that keeps the new record',
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    try {
      await world.applyCredentials();
      await world.apply([domain('example.com'), clusterTunnel(), service('web')]);
      await world.clock.advance(20_000);
      await world.apply(tunnelBinding('shop', ['shop.example.com']));
      await world.waitFor(() => names(world).length === 2);
      await world.clock.advance(10_000);
      const moved = world.sim.journal.listen((call) => {
        if (call.path.endsWith('/batch') && call.changed) world.kill('replica-1');
      });
      await world.apply(tunnelBinding('shop', ['moved.example.com']));
      await world.clock.advance(5000);
      moved();
      expect(names(world)).toEqual(['moved.example.com']);
      world.start('replica-2');
      await world.clock.advance(60_000);
      expect(names(world)).toEqual(['_managed.moved.example.com', 'moved.example.com']);
    } finally {
      await world.stop();
    }
  },
);
