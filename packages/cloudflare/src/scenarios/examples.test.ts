import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { clusterTunnelKind } from '../kinds/cluster-tunnel/resource.ts';
import { tunnelIngressClassConfigKind } from '../kinds/tunnel-ingress-class-config/resource.ts';
import { tunnelKind } from '../kinds/tunnel/resource.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { createWorld } from '../testing/world.ts';

const folder = join(import.meta.dirname, '../../../../examples/cloudflare');

function objectsIn(topic: string): readonly KubeObject[] {
  const files = readdirSync(join(folder, topic)).filter((name) => name.endsWith('.yaml'));
  const texts = files.map((name) => readFileSync(join(folder, topic, name), 'utf8'));
  return texts.flatMap((text) => parseYamlDocuments(text) as readonly KubeObject[]);
}

test('the examples of tunnels and Ingresses work together', async () => {
  const world = await createWorld();
  await world.applyCredentials();
  await world.apply([...objectsIn('tunnel'), ...objectsIn('ingress')]);
  await world.clock.advance(30_000);
  const conditions = [
    ...world.list(clusterTunnelKind).map(({ status }) => status?.conditions),
    ...world.list(tunnelKind).map(({ status }) => status?.conditions),
    ...world.list(tunnelIngressClassConfigKind).map(({ status }) => status?.conditions),
  ].map((list) => getCondition(list, 'Ready'));
  expect(conditions.map((ready) => [ready?.status, ready?.message])).toEqual([
    ['True', 'in step with Cloudflare'],
    ['True', 'in step with Cloudflare'],
    ['True', 'in step with Cloudflare'],
  ]);
  const addressed = world.list(ingressKind).filter(({ status }) => status?.loadBalancer?.ingress?.length === 1);
  expect(addressed.map(({ metadata }) => metadata.name)).toEqual(['admin', 'shop']);
  const zone = world.sim.zones.find(({ name }) => name === 'example.com');
  const { body } = world.sim.dashboard('GET', `/zones/${zone?.id ?? ''}/dns_records`);
  const names = (body as { readonly result: readonly { readonly name: string }[] }).result.map(({ name }) => name);
  expect(names.toSorted()).toEqual(['admin.example.com', 'shop.example.com']);
  await world.stop();
});
