import type { Kind, KubeObject } from '@tributary/runtime';
import { secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { allKinds } from '../catalog.ts';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { clusterTunnel } from '../scenarios/testing/ingress-objects.ts';
import { pictureOfCloudflare } from '../scenarios/testing/picture.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { buildTown, manifests, surroundings, untilBuilt } from './testing/town.ts';

// Crashes at every single write are played by scenarios/crash-*.test.ts; here are the losses that are greater than a process.

describe('6. Creation survives', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('after etcd is lost, the same manifests find all that is ours again: nothing doubled, nothing made anew', async () => {
    const made = (world = await buildTown());
    const before = pictureOfCloudflare(made);
    const ids = remoteIds(made);
    await loseEtcd(made);
    expect(made.list(syncStateKind)).toEqual([]);
    made.sim.journal.clear();
    await made.applyCredentials();
    await made.apply([...surroundings, ...manifests()]);
    made.start('replica-2');
    await untilBuilt(made);
    expect(pictureOfCloudflare(made)).toEqual(before);
    expect(remoteIds(made)).toEqual(ids);
    expect(made.sim.journal.calls({ method: 'POST' })).toEqual([]);
    expect(made.sim.journal.calls({ method: 'DELETE' })).toEqual([]);
  });

  test('after etcd is lost, what carries no mark is not taken for ours', async () => {
    const made = (world = await buildTown());
    const zone = made.sim.zones[1]?.id ?? '';
    const [www] = listAtDashboard(made.sim, `/zones/${zone}/dns_records`).filter(({ type }) => type === 'A');
    atDashboard(made.sim, 'PATCH', `/zones/${zone}/dns_records/${www?.id}`, {
      comment: 'mine',
      content: '203.0.113.9',
    });
    const theirs = listAtDashboard(made.sim, `/zones/${zone}/dns_records`).find(({ id }) => id === www?.id);
    await loseEtcd(made);
    await made.applyCredentials();
    await made.apply([...surroundings, ...manifests()]);
    made.start('replica-2');
    await made.clock.advance(60_000);
    expect(listAtDashboard(made.sim, `/zones/${zone}/dns_records`).find(({ id }) => id === www?.id)).toEqual(theirs);
  });

  test.each(['before', 'after'] as const)(
    'a tunnel whose creation was cut off %s its effect is there once, ours, with its token',
    async (when) => {
      const made = (world = await createWorld());
      await made.applyCredentials();
      await made.clock.advance(5000);
      const match = { method: 'POST', path: '*/cfd_tunnel' } as const;
      made.sim.faults.arm({ match, fault: { kind: 'dropped', when } });
      await made.apply(clusterTunnel());
      await untilBuilt(made);
      const tunnels = listAtDashboard(made.sim, `/accounts/${made.sim.accountId}/cfd_tunnel?is_deleted=false`);
      expect(tunnels.map(({ name }) => name)).toEqual(['edge']);
      const [state] = made.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'TunnelLifecycle');
      expect(state?.status).toMatchObject({ cloudflareID: tunnels[0]?.id, created: true });
      expect(state?.status?.intent).toBeUndefined();
    },
  );

  test('a tunnel of the same name that somebody made before us is not doubled, and counts as found, not made', async () => {
    const made = (world = await createWorld());
    const { id } = atDashboard(made.sim, 'POST', `/accounts/${made.sim.accountId}/cfd_tunnel`, {
      name: 'edge',
      config_src: 'cloudflare',
    });
    await made.clock.advance(20 * 60_000);
    await made.applyCredentials();
    await made.apply(clusterTunnel());
    await made.clock.advance(60_000);
    const [state] = made.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'TunnelLifecycle');
    expect(state?.status?.created).toBe(false);
    const tunnels = listAtDashboard(made.sim, `/accounts/${made.sim.accountId}/cfd_tunnel?is_deleted=false`);
    expect(tunnels.map((tunnel) => tunnel.id)).toEqual([id]);
  });
});

function remoteIds({ sim }: World): readonly string[] {
  const zones = sim.zones.flatMap(({ id }) => listAtDashboard(sim, `/zones/${id}/dns_records`));
  const account = ['cfd_tunnel', 'teamnet/routes', 'teamnet/virtual_networks'].flatMap((path) =>
    listAtDashboard(sim, `/accounts/${sim.accountId}/${path}?is_deleted=false`),
  );
  return [...zones, ...account].map(({ id }) => id).toSorted();
}

/** All that the cluster held is gone in one moment; Cloudflare knows nothing of it. */
async function loseEtcd(world: World): Promise<void> {
  world.kill('replica-1');
  const kinds = [...allKinds, ingressKind, deploymentKind, secretKind] as unknown as readonly Kind<KubeObject>[];
  for (const kind of kinds) {
    for (const { metadata } of world.list(kind)) {
      const ref = { ...(metadata.namespace && { namespace: metadata.namespace }), name: metadata.name ?? '' };
      await world.user.client.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers: null } } });
      await world.user.client.delete(kind, ref);
    }
  }
}
