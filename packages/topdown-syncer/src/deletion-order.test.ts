import { configMapKind, secretKind } from '@tributary/runtime';
import type { AnyObject, Kind, ObjectRef } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { claimKind, volumeKind } from './contract/cluster-kinds.ts';
import { labels } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { podOf } from './testing/objects.ts';
import { createWorld, mountNamespace } from './testing/world.ts';
import type { World } from './testing/world.ts';

type Part = 'pod' | 'configMap' | 'secret' | 'claim' | 'volume';
const parts: readonly Part[] = ['pod', 'configMap', 'secret', 'claim', 'volume'];

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** Each round has names of its own, so that all orders can be under way at once. */
function objectsOf(
  name: string,
): Readonly<Record<Part, { readonly kind: Kind; readonly ref: ObjectRef; readonly object: AnyObject }>> {
  const ref = { namespace: 'default', name };
  const of = (kind: unknown, at: ObjectRef, rest: object) => ({
    kind: kind as Kind,
    ref: at,
    object: { metadata: at, ...rest } as AnyObject,
  });
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'fast' };
  const volumes = [
    { name: 'c', configMap: { name } },
    { name: 's', secret: { secretName: name } },
    { name: 'd', persistentVolumeClaim: { claimName: name } },
  ];
  return {
    pod: of(podKind, ref, { spec: podOf({ spec: { volumes, terminationGracePeriodSeconds: 1 } }).spec }),
    configMap: of(configMapKind, ref, { data: { a: '1' } }),
    secret: of(secretKind, ref, { data: { a: 'MQ==' } }),
    claim: of(claimKind, ref, { spec: { ...spec, volumeName: name, resources: { requests: { storage: '1Gi' } } } }),
    volume: of(volumeKind, { name }, { spec: { ...spec, capacity: { storage: '1Gi' }, hostPath: { path: '/d' } } }),
  };
}

const heldKinds = [podKind, configMapKind, secretKind, claimKind, volumeKind] as unknown as readonly Kind[];

async function leftIn(world: World): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of heldKinds) {
    const above = (await world.v.list(kind)).items.filter(({ metadata }) => metadata.name?.startsWith('order-'));
    const selector = { labelSelector: `${labels.managedBy}=kubeocean` };
    const scope = kind.scope === 'Namespaced' ? { ...selector, namespace: mountNamespace } : selector;
    const below = (await world.p.list(kind, scope)).items;
    found.push(...above.map(({ metadata }) => `V ${kind.kind} ${metadata.name}`));
    found.push(...below.map(({ metadata }) => `P ${kind.kind} ${metadata.name}`));
  }
  return found;
}

test('a pod and all that it names may be deleted in any of 120 orders: nothing is left, nothing gets stuck', async () => {
  const world = await createWorld({ parts: createDownParts, staticVnodes: true });
  await world.startSyncer();
  const orders = permutations(parts).map((order, index) => ({ order, objects: objectsOf(`order-${index}`) }));
  for (const { objects } of orders) {
    for (const part of ['volume', 'claim', 'configMap', 'secret', 'pod'] as const) {
      await world.v.create(objects[part].kind, objects[part].object);
    }
  }
  await world.clock.advance(60_000);
  const running = (await world.p.list(podKind, { namespace: mountNamespace })).items;
  expect(running.filter(({ status }) => status?.phase === 'Running')).toHaveLength(120);
  for (const step of parts.keys()) {
    for (const { order, objects } of orders) {
      const { kind, ref } = objects[order[step] ?? 'pod'];
      await world.v.delete(kind, ref);
    }
    await world.clock.advance(3000);
  }
  await world.clock.advance(120_000);
  expect(await leftIn(world)).toEqual([]);
  await world.end();
}, 60_000);
