import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { afterEach, expect, test } from 'vitest';
import { allKinds } from '../catalog.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

const folder = join(import.meta.dirname, '../../../../examples/cloudflare');

let world: World;
afterEach(async () => world.stop());

type Told = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

/** What is not ready, and why. */
function unready(objects: readonly KubeObject[]): readonly string[] {
  return objects.flatMap(({ kind, metadata }) => {
    const ours = allKinds.find((each) => each.kind === kind);
    if (!ours) return [];
    const place = ours.scope === 'Namespaced' ? { namespace: metadata.namespace ?? 'default' } : {};
    const found = world.get(ours, { ...place, name: metadata.name ?? '' }) as Told | undefined;
    const ready = getCondition<Condition>(found?.status?.conditions, 'Ready');
    return ready?.status === 'True'
      ? []
      : [`${kind ?? ''} ${metadata.name ?? ''}: ${ready?.message ?? 'nothing is said'}`];
  });
}

test.each(['dns', 'network', 'gateway', 'devices', 'certificates', 'pages'])(
  'the examples of %s become ready',
  { timeout: 30_000 },
  async (topic) => {
    const files = readdirSync(join(folder, topic)).filter((name) => name.endsWith('.yaml'));
    const texts = files.map((name) => readFileSync(join(folder, topic, name), 'utf8'));
    const objects = texts.flatMap((text) => parseYamlDocuments(text) as readonly KubeObject[]);
    world = await createWorld();
    await world.applyCredentials();
    await world.apply(objects);
    await world.waitFor(() => unready(objects).length === 0).catch(() => undefined);
    expect(unready(objects)).toEqual([]);
    expect(objects.length).toBeGreaterThan(2);
  },
);
