import { configMapKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { annotations, labels } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { createWorld } from './testing/world.ts';
import type { World } from './testing/world.ts';

let world: World;
afterEach(async () => world.end());

const web = { namespace: 'default', name: 'web' };

function plainPod(more: Partial<Pod['spec']> = {}): Pod {
  return {
    metadata: web,
    spec: { containers: [{ name: 'main', image: 'nginx' }], automountServiceAccountToken: false, ...more },
  };
}

describe('a plain pod', () => {
  test('is mapped, created in P and told its UID, with two requests in V and one in P', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const [virtualLog, physicalLog] = [{ requests: [] as string[] }, { requests: [] as string[] }];
    const { sides, failure } = await world.startSyncer({ virtualLog, physicalLog });
    await world.clock.runUntil(() => sides.ready(), 10_000);
    virtualLog.requests.length = 0;
    await world.v.create(podKind, plainPod());
    const uidOf = (): string | undefined =>
      sides.informers.virtual.pods.get(web)?.metadata.annotations?.[annotations.physicalPodUid];
    await world.clock.runUntil(() => uidOf() !== undefined || failure() !== undefined, 60_000);
    const [copy] = sides.informers.physical.pods.list();
    expect(copy?.metadata.uid).toBe(uidOf());
    expect(copy?.metadata.labels).toMatchObject({ [labels.managedBy]: 'kubeocean' });
    expect(virtualLog.requests).toEqual(['PATCH pods', 'PATCH pods']);
    expect(physicalLog.requests.filter((request) => !request.startsWith('GET'))).toEqual([
      'POST priorityclasses',
      'POST pods',
    ]);
  });

  test('is not asked for twice because P is slow to say that it is there', async () => {
    const late = { match: { verb: 'watch', resource: 'pods' }, fault: { kind: 'delay-events', ms: 2000 } } as const;
    world = await createWorld({ parts: createDownParts, staticVnodes: true, physical: { faults: [late] } });
    const physicalLog = { requests: [] as string[] };
    const { sides } = await world.startSyncer({ physicalLog });
    await world.clock.runUntil(() => sides.ready(), 30_000);
    await world.v.create(podKind, plainPod());
    await world.clock.advance(500);
    // Wakes the pod while its copy is on its way.
    await world.v.patch(podKind, web, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    await world.clock.advance(20_000);
    expect(physicalLog.requests.filter((request) => request.endsWith(' pods') && !request.startsWith('GET'))).toEqual([
      'POST pods',
      'PATCH pods',
    ]);
    expect(physicalLog.requests.filter((request) => request === 'GET pods')).toHaveLength(0);
  });
});

describe('a ConfigMap', () => {
  test('is not asked for twice because P is slow to say that it is there', async () => {
    const match = { verb: 'watch', resource: 'configmaps' };
    const late = { match, fault: { kind: 'delay-events', ms: 2000 } } as const;
    world = await createWorld({ parts: createDownParts, staticVnodes: true, physical: { faults: [late] } });
    const physicalLog = { requests: [] as string[] };
    const { sides } = await world.startSyncer({ physicalLog });
    await world.clock.runUntil(() => sides.ready(), 30_000);
    const settings = { namespace: 'default', name: 'settings' };
    await world.v.create(configMapKind, { metadata: settings, data: {} });
    await world.v.create(podKind, plainPod({ volumes: [{ name: 'c', configMap: { name: 'settings' } }] }));
    await world.clock.advance(500);
    await world.v.patch(configMapKind, settings, { type: 'merge', body: { data: { a: '1' } } });
    await world.clock.advance(20_000);
    expect(physicalLog.requests.filter((request) => request.endsWith('configmaps'))).toEqual([
      'POST configmaps',
      'PATCH configmaps',
    ]);
  });
});
