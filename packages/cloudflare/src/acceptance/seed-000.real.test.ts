import type { Kind, KubeObject } from '@tributary/runtime';
import { defineKind } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { tunnelIngressClassConfigKind } from '../kinds/tunnel-ingress-class-config/resource.ts';
import { serviceKind } from '../refs/builtin-kinds.ts';
import { ingressClassKind, ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { startRealWorld } from '../testing/real-world.ts';
import type { RealWorld } from '../testing/real-world.ts';
import { clusterTunnel, ingress, ingressClass, service } from '../scenarios/testing/ingress-objects.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
});
afterAll(async () => world.stop());

const kinds: readonly Kind<KubeObject>[] = [
  clusterTunnelKind,
  tunnelIngressClassConfigKind,
  ingressClassKind,
  serviceKind,
  ingressKind,
];

async function create(object: KubeObject): Promise<void> {
  const kind = kinds.find((each) => each.kind === object.kind);
  if (kind) await world.client.create(defineKind<KubeObject>(kind), object);
}

async function tunnelId(): Promise<string> {
  return (await world.get(clusterTunnelKind, { name: 'edge' }))?.status?.tunnelId ?? '';
}

const ten = Array.from({ length: 10 }, (_, index) => `app-${index}`);

type Configured = {
  readonly result?: { readonly config?: { readonly ingress?: readonly { readonly hostname?: string }[] } };
};

test('8.1, 8.2: ten Ingresses at once on a real API server: one PUT, ten rules, silence, and a change in under two seconds', async () => {
  for (const object of [clusterTunnel(), ...ingressClass(), service('web')]) await create(object);
  await world.until('the tunnel is active', async () => {
    const found = await world.get(clusterTunnelKind, { name: 'edge' });
    return found?.status?.state === 'active';
  });
  const deployment = await world.get(deploymentKind, { namespace: 'cloudflare-operator-system', name: 'edge' });
  expect(deployment).toBeDefined();
  const path = `/accounts/${world.sim.accountId}/cfd_tunnel/${await tunnelId()}/configurations`;
  const hosts = (): readonly string[] => {
    const { body } = world.sim.dashboard('GET', path);
    const rules = (body as Configured).result?.config?.ingress ?? [];
    return rules.flatMap(({ hostname }) => hostname ?? []);
  };
  const calls = (method: string): number =>
    world.sim.journal.calls({ path, method }).filter(({ tokenId }) => tokenId !== 'dashboard').length;
  world.sim.journal.clear();
  await Promise.all(ten.map(async (name) => create(ingress(name))));
  await world.until('all rules are there', async () => hosts().length === 10);
  await world.until('all addresses are shown', async () => {
    const { items } = await world.client.list(ingressKind);
    return items.every(({ status }) => status?.loadBalancer?.ingress?.length === 1);
  });
  expect([calls('PUT'), calls('GET') <= 1]).toEqual([1, true]);

  const states = await world.client.list(syncStateKind);
  const generation = deployment?.metadata.generation;
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const later = await world.client.list(syncStateKind);
  expect(later.items.map(({ metadata }) => metadata.resourceVersion)).toEqual(
    states.items.map(({ metadata }) => metadata.resourceVersion),
  );
  const same = await world.get(deploymentKind, { namespace: 'cloudflare-operator-system', name: 'edge' });
  expect([calls('PUT'), same?.metadata.generation]).toEqual([1, generation]);

  const before = performance.now();
  const rules = [{ host: 'moved.example.com', http: { paths: pathsOf(ingress('app-3')) } }];
  await world.client.patch(
    ingressKind,
    { namespace: 'default', name: 'app-3' },
    { type: 'merge', body: { spec: { rules } } },
  );
  await world.until('the change is there', async () => hosts().includes('moved.example.com'));
  expect(performance.now() - before).toBeLessThan(2000);

  // Nine, for together with the host that moved that is as many rules as may go without being asked for.
  const nine = ten.slice(0, 9);
  await Promise.all(nine.map(async (name) => world.client.delete(ingressKind, { namespace: 'default', name })));
  await world.until('nine are gone', async () => (await world.client.list(ingressKind)).items.length === 1);
  expect(hosts()).toEqual(['app-9.example.com']);
});

function pathsOf(object: KubeObject): unknown {
  return (object as unknown as { spec: { rules: readonly { http: { paths: unknown } }[] } }).spec.rules[0]?.http.paths;
}
