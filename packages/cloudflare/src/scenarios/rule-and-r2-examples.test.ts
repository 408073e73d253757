import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { allKinds } from '../catalog.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { createWorld } from '../testing/world.ts';

const examples = join(import.meta.dirname, '../../../../examples');

function objectsIn(folder: string): readonly KubeObject[] {
  const files = readdirSync(join(examples, folder)).filter((name) => name.endsWith('.yaml'));
  const texts = files.map((name) => readFileSync(join(examples, folder, name), 'utf8'));
  return texts.flatMap((text) => parseYamlDocuments(text) as readonly KubeObject[]);
}

type Told = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

test.each([['cloudflare/rules'], ['cloudflare/r2', 'cloudflare-account/r2']])(
  'the examples of %s become ready',
  { timeout: 60_000 },
  async (...folders) => {
    const world = await createWorld();
    await world.applyCredentials();
    atDashboard(world.sim, 'POST', `/accounts/${world.sim.accountId}/queues`, { queue_name: 'photo-jobs' });
    const objects = folders.flatMap(objectsIn);
    await world.apply(objects);
    const unready = (): readonly unknown[] =>
      objects.flatMap(({ kind, metadata: { name = '', namespace = '' } }) => {
        const ours = allKinds.find((each) => each.kind === kind);
        const found: Told | undefined = ours && world.get(ours, { namespace, name });
        const ready = getCondition<Condition>(found?.status?.conditions, 'Ready');
        return ready?.status === 'True' ? [] : [[kind, name, ready?.message]];
      });
    await world.waitFor(() => unready().length === 0, 3 * 60_000).catch(() => undefined);
    expect(unready()).toEqual([]);
    expect(objects.length).toBeGreaterThan(2);
    await world.stop();
  },
);
