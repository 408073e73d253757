import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { AnyCustomKind, Condition, KubeObject } from '@tributary/runtime';
import { allKinds } from '../../catalog.ts';
import { domain, tunnelBinding } from '../../scenarios/testing/crash-objects.ts';
import { service } from '../../scenarios/testing/ingress-objects.ts';
import { atDashboard } from '../../testing/dashboard.ts';
import { createWorld } from '../../testing/world.ts';
import type { World, WorldOptions } from '../../testing/world.ts';

const examples = join(import.meta.dirname, '../../../../../examples');
const topics = 'access certificates devices dns gateway ingress network pages r2 rules tunnel'.split(' ');

/** At least one object of each kind: the examples, and what they show none of. */
export function oneOfEach(): readonly KubeObject[] {
  const folders = [
    ...topics.map((topic) => `cloudflare/${topic}`),
    'cloudflare-account/pages',
    'cloudflare-account/r2',
  ];
  const files = folders.flatMap((folder) => globSync(`${folder}/*.yaml`, { cwd: examples }).toSorted());
  const texts = files.map((file) => readFileSync(join(examples, file), 'utf8'));
  const shown = texts.flatMap((text) => parseYamlDocuments(text) as readonly KubeObject[]);
  return [
    ...shown,
    service('web'),
    domain('example.com', { ssl: { mode: 'strict' } }),
    tunnelBinding('bound', ['bound.example.com']),
  ];
}

/** A world in which all of them are there and at rest. */
export async function buildOneOfEach(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld(options);
  await world.applyCredentials();
  atDashboard(world.sim, 'POST', `/accounts/${world.sim.accountId}/queues`, { queue_name: 'photo-jobs' });
  await world.apply(oneOfEach());
  await world.waitFor(() => unready(world).length === 0, 5 * 60_000);
  await world.clock.advance(10_000);
  return world;
}

export type Told = KubeObject & {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
};

export function objectsOf(world: World, kind: AnyCustomKind): readonly Told[] {
  return world.list<Told>(kind);
}

/** Kinds of v1alpha1 have no conditions. */
const silent = ['TunnelBinding', 'AccessTunnel'];

/** Who is not Ready, and why. */
export function unready(world: World): readonly string[] {
  return allKinds
    .filter(({ kind }) => !silent.includes(kind))
    .flatMap((kind) => objectsOf(world, kind).map((object) => ({ kind: kind.kind, object })))
    .flatMap(({ kind, object: { metadata, status } }) => {
      const ready = getCondition(status?.conditions, 'Ready');
      return ready?.status === 'True' ? [] : [`${kind} ${metadata.name ?? ''}: ${ready?.message ?? 'nothing is said'}`];
    });
}
