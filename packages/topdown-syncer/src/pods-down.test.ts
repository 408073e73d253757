import { configMapKind, namespaceKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { priorityClassKind, serviceKind } from './contract/cluster-kinds.ts';
import { annotations, ownAnnotations } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { bindingName, clusterId, createVnode, createWorld, mountNamespace } from './testing/world.ts';
import type { World, WorldOptions } from './testing/world.ts';

let world: World;
afterEach(async () => world.end());

async function start(options: Partial<WorldOptions> = {}): Promise<void> {
  world = await createWorld({ parts: createDownParts, staticVnodes: true, ...options });
  await world.startSyncer();
}

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

const virtualPod = async (): Promise<Pod | undefined> => find(world.v, podKind, web);
const physicalPod = async (): Promise<Pod | undefined> => find(world.p, podKind, copyOf(web));

describe('creation', () => {
  test('the mapping is generated, then the copy is created, then its UID is recorded', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    const [virtual, physical] = [await virtualPod(), await physicalPod()];
    expect(virtual?.metadata.annotations).toMatchObject({
      [annotations.physicalPodNamespace]: mountNamespace,
      [annotations.physicalPodName]: copyOf(web).name,
      [annotations.physicalPodUid]: physical?.metadata.uid,
      [ownAnnotations.mappedFor]: virtual?.metadata.uid,
    });
    expect(physical?.metadata.annotations).toMatchObject({
      [annotations.virtualPodNamespace]: 'default',
      [annotations.virtualPodName]: 'web',
      [annotations.virtualPodUid]: virtual?.metadata.uid,
      [annotations.virtualNodeName]: virtual?.spec.nodeName,
    });
    expect(physical?.status?.phase).toBe('Running');
    expect(virtual?.spec.nodeName).toBe(`vnode-${clusterId}-${physical?.spec.nodeName}`);
  });

  test('a pod that no node was found for, or that runs on another node, is never created', async () => {
    await start();
    await world.v.create(podKind, podOf({ spec: { nodeSelector: { no: 'such' } } }));
    await world.v.create(podKind, podOf({ metadata: { name: 'elsewhere' }, spec: { nodeName: 'a-real-node' } }));
    await seconds(30);
    expect((await world.p.list(podKind, { namespace: mountNamespace })).items).toEqual([]);
    expect((await virtualPod())?.metadata.annotations).toBeUndefined();
  });

  test('a pod that was bound before its virtual node is known runs once it is', async () => {
    world = await createWorld({ parts: createDownParts });
    await world.startSyncer();
    await world.v.create(podKind, podOf({ spec: { nodeName: `vnode-${clusterId}-node-1` } }));
    await seconds(10);
    expect(await physicalPod()).toBeUndefined();
    await createVnode(world.v, { binding: bindingName, cid: clusterId, node: 'node-1', now: '2026-01-05T00:00:00Z' });
    await seconds(2);
    expect((await physicalPod())?.spec.nodeName).toBe('node-1');
  });

  test('pods of one name in two namespaces have copies of two names', async () => {
    await start();
    const other = { namespace: 'kube-node', name: 'web' };
    await world.v.create(namespaceKind, { metadata: { name: other.namespace } });
    await seconds(1);
    await world.v.create(podKind, podOf());
    await world.v.create(podKind, podOf({ metadata: other }));
    await seconds(10);
    expect(await physicalPod()).toBeDefined();
    expect(await find(world.p, podKind, copyOf(other))).toBeDefined();
    expect(copyOf(other).name).not.toBe(copyOf(web).name);
  });

  test('a pod whose ReplicaSet is not there is not created, and says so', async () => {
    await start();
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'u', controller: true };
    await world.v.create(podKind, podOf({ metadata: { ownerReferences: [owner] } }));
    await seconds(2);
    expect(await physicalPod()).toBeUndefined();
    expect((await eventsOf(world.v, 'web')).join()).toMatch(/FailedCreatePod: .*"gone" not found/);
  });

  test('direct scheduling names the node', async () => {
    await start({ binding: { directScheduling: true } });
    await world.v.create(podKind, podOf());
    await seconds(10);
    expect((await physicalPod())?.spec['affinity']).toBeUndefined();
    expect((await physicalPod())?.spec.nodeName).toMatch(/^node-[12]$/);
  });

  test('the usual priority class is made where it is absent, and left as it is where it is there', async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const made = { metadata: { name: 'kubeocean-default' }, value: -5 };
    await world.p.create(priorityClassKind, made);
    await world.startSyncer();
    await world.v.create(podKind, podOf());
    await seconds(10);
    expect((await physicalPod())?.spec).toMatchObject({ priorityClassName: 'kubeocean-default', priority: -5 });
    await world.p.delete(priorityClassKind, { name: 'kubeocean-default' });
    await world.v.create(podKind, podOf({ metadata: { name: 'second' } }));
    await seconds(10);
    expect((await world.p.get(priorityClassKind, { name: 'kubeocean-default' })).value).toBe(-10_000);
    const second = await world.p.get(podKind, copyOf({ namespace: 'default', name: 'second' }));
    expect(second.spec['priority']).toBe(-10_000);
  });

  test('a priority class that the binding names must be there already, and its value counts', async () => {
    await start({ binding: { podPriorityClassName: 'batch' } });
    await world.v.create(podKind, podOf());
    await seconds(5);
    expect(await physicalPod()).toBeUndefined();
    expect((await eventsOf(world.v, 'web')).join()).toContain('FailedCreatePod');
    await world.p.create(priorityClassKind, { metadata: { name: 'batch' }, value: 77 });
    await seconds(60);
    expect((await physicalPod())?.spec).toMatchObject({ priorityClassName: 'batch', priority: 77 });
  });

  test('W12: a pod that never preempts gets the policy of its class in P', async () => {
    await start();
    await world.v.create(priorityClassKind, { metadata: { name: 'meek' }, value: 5, preemptionPolicy: 'Never' });
    await world.v.create(podKind, podOf({ spec: { priorityClassName: 'meek' } }));
    await seconds(10);
    expect((await physicalPod())?.spec).toMatchObject({ priority: -10_000, preemptionPolicy: 'PreemptLowerPriority' });
  });

  test('W14: a pod whose name has dots runs, too', async () => {
    await start();
    const dotted = { namespace: 'default', name: 'abcdefghijklmnopqrstuvwxyz012.tail' };
    await world.v.create(podKind, podOf({ metadata: dotted }));
    await seconds(10);
    const copy = await find(world.p, podKind, copyOf(dotted));
    expect(copy?.spec.hostname).toBe('abcdefghijklmnopqrstuvwxyz012-tail');
  });

  test('W5: nothing of the physical account gets in', async () => {
    await start();
    await world.v.create(podKind, podOf());
    await seconds(10);
    const spec = (await physicalPod())?.spec;
    expect(spec?.['automountServiceAccountToken']).toBe(false);
    expect(spec?.['enableServiceLinks']).toBe(false);
    expect(spec?.volumes ?? []).toEqual([]);
  });

  describe("W5: V's Services", () => {
    const ports = [{ port: 80, protocol: 'TCP' }];
    const envOf = async (): Promise<Readonly<Record<string, string | undefined>>> => {
      const env = (await physicalPod())?.spec.containers[0]?.env ?? [];
      return Object.fromEntries(env.map(({ name, value }) => [name, value]));
    };

    async function createServices(): Promise<void> {
      await world.v.create(serviceKind, { metadata: { namespace: 'default', name: 'db' }, spec: { ports } });
      await world.v.create(namespaceKind, { metadata: { name: 'other' } });
      await world.v.create(serviceKind, { metadata: { namespace: 'other', name: 'far' }, spec: { ports } });
      await seconds(2);
    }

    test('of its own namespace are in the environment, after what the pod sets itself or takes from a ConfigMap', async () => {
      await start();
      await createServices();
      const { spec } = await world.v.get(serviceKind, { namespace: 'default', name: 'db' });
      await world.v.create(configMapKind, {
        metadata: { namespace: 'default', name: 'settings' },
        data: { SERVICE_PORT: '99' },
      });
      const main = {
        name: 'main',
        image: 'nginx',
        env: [{ name: 'DB_PORT', value: 'mine' }],
        envFrom: [{ prefix: 'DB_', configMapRef: { name: 'settings' } }],
      };
      await world.v.create(podKind, podOf({ spec: { containers: [main] } }));
      await seconds(10);
      const env = await envOf();
      expect(env).toMatchObject({ DB_SERVICE_HOST: spec?.clusterIP, DB_PORT: 'mine', DB_PORT_80_TCP_PROTO: 'tcp' });
      expect(env).not.toHaveProperty('DB_SERVICE_PORT');
      expect(env).not.toHaveProperty('FAR_SERVICE_HOST');
    });

    test('are left out where the pod does not want them, or nobody does', async () => {
      await start();
      await createServices();
      await world.v.create(podKind, podOf({ spec: { enableServiceLinks: false } }));
      await seconds(10);
      expect(await envOf()).toEqual({ HOSTNAME: 'web' });
      await world.end();
      world = await createWorld({ parts: createDownParts, staticVnodes: true });
      await world.startSyncer({ serviceVariables: false });
      await createServices();
      await world.v.create(podKind, podOf());
      await seconds(10);
      expect(await envOf()).toEqual({ HOSTNAME: 'web' });
    });
  });
});
