import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYamlDocuments } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { createGatewayWorld } from './testing/gateway-world.ts';

const folder = join(import.meta.dirname, '../../../../examples/cloudflare-gateway-api');

test('the examples of the Gateway API work together', { timeout: 60_000 }, async () => {
  const world = await createGatewayWorld();
  const domain = { apiVersion: 'networking.cloudflare-operator.io/v1alpha2', kind: 'CloudflareDomain' };
  await world.apply({ ...domain, metadata: { name: 'example' }, spec: { domain: 'example.com' } } as KubeObject);
  for (const name of readdirSync(folder).toSorted()) {
    await world.apply(parseYamlDocuments(readFileSync(join(folder, name), 'utf8')) as readonly KubeObject[]);
  }
  await world.settle();
  expect(world.ofGateway('Programmed')).toBe('True Programmed');
  expect(world.ofRoute('blog', 'Accepted')).toBe('True Accepted');
  expect(world.ofRoute('blog', 'ResolvedRefs')).toBe('True ResolvedRefs');
  expect(world.routes()).toEqual([
    'blog.example.com ^/feed\\.xml$ → http://blog.default.svc:80',
    'blog.example.com ^/posts(/|$) → http://blog.default.svc:80',
  ]);
  await world.stop();
});
