import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { resourceLeasingPolicyKind } from '../contract/resource-leasing-policy.ts';
import { guards, takenPorts, toGuardPod } from './host-ports.ts';
import { startVnodeWorld, vnodeOf } from './testing/vnode-world.ts';
import type { VnodeWorld } from './testing/vnode-world.ts';

const holding = (...ports: object[]): Pod => ({
  metadata: {},
  spec: { containers: [{ name: 'main', image: 'nginx', ports: ports as never }] },
});

describe('ports that are taken', () => {
  test('are those of the host, with what the API takes for granted', () => {
    expect(takenPorts([holding({ containerPort: 80 }, { containerPort: 80, hostPort: 8080 })])).toEqual([
      { containerPort: 80, hostPort: 8080, protocol: 'TCP', hostIP: '0.0.0.0' },
    ]);
  });
  test('count once, in an order that does not depend on the pods', () => {
    const [one, other] = [
      holding({ containerPort: 1, hostPort: 900 }),
      holding({ containerPort: 2, hostPort: 80, protocol: 'UDP' }),
    ];
    expect(takenPorts([one, other, one])).toEqual(takenPorts([other, one]));
    expect(takenPorts([one, one])).toHaveLength(1);
  });
  test('are guarded by a pod that has exactly them', () => {
    const ports = takenPorts([holding({ containerPort: 80, hostPort: 8080 })]);
    expect(guards(toGuardPod('vnode', ports), ports)).toBe(true);
    expect(guards(toGuardPod('vnode', ports), [])).toBe(false);
    expect(guards(toGuardPod('vnode', ports), takenPorts([holding({ containerPort: 80, hostPort: 8081 })]))).toBe(
      false,
    );
  });
});

describe('guards', () => {
  let world: VnodeWorld;
  beforeEach(async () => {
    world = await startVnodeWorld();
    await world.lend('all');
    await world.until(() => world.vnode('node-1') !== undefined);
  });
  afterEach(async () => world.end());

  const fakes = async (): Promise<readonly Pod[]> =>
    (await world.v.list(podKind, { namespace: 'kubeocean-fake' })).items;
  const hold = async (name: string, hostPort: number, more: object = {}): Promise<void> => {
    await world.p.create(podKind, {
      metadata: { namespace: 'default', name, ...more },
      spec: {
        nodeName: 'node-1',
        containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 80, hostPort }] }],
      },
    });
    await world.clock.advance(10_000);
  };

  test('are neither made nor taken away on the word of a cluster that does not answer', async () => {
    await hold('web', 8080);
    const [guard] = await fakes();
    world.physical.faults.crash(world.syncer.userAgent);
    await world.clock.advance(60_000);
    const ref = { namespace: 'kubeocean-fake', name: guard?.metadata.name ?? '' };
    await world.v.delete(podKind, ref, { gracePeriodSeconds: 0 });
    await world.clock.advance(60_000);
    expect(await fakes()).toEqual([]);
    world.physical.faults.revive(world.syncer.userAgent);
    await world.clock.advance(120_000);
    expect(await fakes()).toHaveLength(1);
  });

  test('hold the ports of foreign pods, one guard for each virtual node', async () => {
    await hold('one', 8080);
    await hold('two', 8081);
    const pods = await fakes();
    expect(pods).toHaveLength(1);
    expect(pods[0]).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^fake-pod-for-hostport-/),
        labels: { 'kubeocean.io/hostport-fake-pod': 'true', 'kubeocean.io/managed-by': 'kubeocean' },
      },
      spec: {
        nodeName: vnodeOf('node-1'),
        priorityClassName: 'system-node-critical',
        containers: [
          {
            name: 'fake-container',
            ports: [
              { name: 'port-0', hostPort: 8080 },
              { name: 'port-1', hostPort: 8081 },
            ],
          },
        ],
      },
    });
    expect(pods[0]?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'PodScheduled', status: 'True' }),
    );
  });

  test('are not there for our own pods', async () => {
    await hold('ours', 8080, {
      namespace: 'mount',
      labels: { 'kubeocean.io/managed-by': 'kubeocean' },
      annotations: { 'tributary.io/owner-cls-worker1': world.syncer.sides.identity.virtualCluster },
    });
    await expect(world.v.list(podKind, { namespace: 'kubeocean-fake' })).resolves.toMatchObject({ items: [] });
  });

  test('go when the foreign pod goes', async () => {
    await hold('one', 8080);
    await world.p.delete(podKind, { namespace: 'default', name: 'one' }, { gracePeriodSeconds: 0 });
    await world.clock.advance(10_000);
    expect(await fakes()).toEqual([]);
  });

  test('go with the virtual node, and keep nobody waiting', async () => {
    await hold('one', 8080);
    await world.p.delete(resourceLeasingPolicyKind, { name: 'all' });
    await world.until(() => world.vnode('node-1') === undefined);
    expect(await fakes()).toEqual([]);
  });

  test('come back when somebody deletes them', async () => {
    await hold('one', 8080);
    const name = (await fakes())[0]?.metadata.name ?? '';
    await world.v.delete(podKind, { namespace: 'kubeocean-fake', name }, { gracePeriodSeconds: 0 });
    await world.clock.advance(10_000);
    expect(await fakes()).toHaveLength(1);
  });

  test('of other bindings are not touched (W20)', async () => {
    await hold('one', 8080);
    const other = toGuardPod('vnode-cls-other-node-1', takenPorts([holding({ containerPort: 1, hostPort: 1 })]));
    const made = await world.v.create(podKind, other);
    await world.p.delete(resourceLeasingPolicyKind, { name: 'all' });
    await world.until(() => world.vnode('node-1') === undefined);
    expect((await fakes()).map(({ metadata }) => metadata.name)).toEqual([made.metadata.name]);
  });
});
