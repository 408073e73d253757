import { createMetrics, namespaceKind, secretKind, silentLog } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { nodeKind, nodeLeaseKind } from './contract/cluster-kinds.ts';
import { readFlags, toSyncerFlags } from './flags.ts';
import { readStart } from './open-sides.ts';
import { readPhysicalKubeconfig, toPhysicalAccess } from './physical-access.ts';
import { createSyncerProcess } from './syncer-process.ts';
import { createWholeWorld } from './testing/whole-world.ts';
import type { WholeWorld } from './testing/whole-world.ts';
import { bindingName } from './testing/world.ts';

let world: WholeWorld;
afterEach(async () => world.end());

const secretRef = { namespace: 'kubeocean-system', name: 'worker1-kubeconfig' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function prepare(kubeconfig: string): Promise<void> {
  world = await createWholeWorld();
  await world.v.create(namespaceKind, { metadata: { name: secretRef.namespace } });
  await world.v.create(secretKind, { metadata: secretRef, data: { kubeconfig: base64(kubeconfig) } });
}

async function startProcess(kubeconfig: string) {
  const { clock } = world;
  const argv = [`--cluster-binding-name=${bindingName}`, '--metrics-bind-address=0', '--health-probe-bind-address=0'];
  const start = await readStart(world.v, bindingName);
  const metrics = createMetrics();
  const process = createSyncerProcess(toSyncerFlags(readFlags(argv)), start, {
    virtual: world.virtual.transport(),
    physical: world.physical.transport(),
    kubeconfig,
    namespace: secretRef.namespace,
    identity: 'pod-1',
    clock,
    random: () => 0.5,
    log: silentLog,
    metrics,
  });
  const stop = new AbortController();
  let ended: unknown = 'no';
  void process.run(stop.signal).then(
    () => (ended = 'well'),
    (error: unknown) => (ended = error),
  );
  return { process, stop, ended: () => ended, metrics };
}

describe('the syncer as a process', () => {
  test("is elected under the original's name, makes virtual nodes, and is ready only while P answers", async () => {
    await prepare('one');
    const { process, stop, ended, metrics } = await startProcess('one');
    await world.clock.advance(30_000);
    const lease = await world.v.get(nodeLeaseKind, {
      namespace: secretRef.namespace,
      name: 'kubeocean-syncer-worker1',
    });
    expect(lease.spec.holderIdentity).toContain('pod-1');
    expect((await world.v.list(nodeKind)).items).toHaveLength(2);
    expect(process.readiness().passed).toBe(true);
    const { body } = await metrics.scrape();
    for (const controller of ['pods', 'copy-configmaps', 'pod-status', 'vnode', 'binding']) {
      expect(body).toMatch(new RegExp(`controller_runtime_reconcile_total\\{controller="${controller}"`));
      expect(body).toMatch(new RegExp(`workqueue_depth\\{[^}]*name="${controller}"`));
    }
    world.physical.faults.crash('kubeocean-syncer-worker1');
    await world.clock.advance(30_000);
    expect(process.readiness().passed).toBe(false);
    world.physical.faults.revive('kubeocean-syncer-worker1');
    await world.clock.advance(60_000);
    expect(process.readiness().passed).toBe(true);
    stop.abort();
    await world.clock.runUntil(() => ended() !== 'no', 60_000);
    expect(ended()).toBe('well');
  });

  test('W18: ends when the kubeconfig changes, and not when anything else does', async () => {
    await prepare('one');
    const { ended } = await startProcess('one');
    await world.clock.advance(30_000);
    await world.v.patch(secretKind, secretRef, { type: 'merge', body: { metadata: { labels: { touched: 'x' } } } });
    await world.clock.advance(10_000);
    expect(ended()).toBe('no');
    await world.v.patch(secretKind, secretRef, { type: 'merge', body: { data: { kubeconfig: base64('two') } } });
    await world.clock.runUntil(() => ended() !== 'no', 60_000);
    expect(ended()).toMatchObject({ code: 'syncer/kubeconfig-changed' });
  });
});

describe('a binding', () => {
  test('without a mount namespace is refused, for nobody knows where its pods are', async () => {
    world = await createWholeWorld({ binding: { mountNamespace: '' } });
    await expect(readStart(world.v, bindingName)).rejects.toThrow('ClusterBinding worker1 has no spec.mountNamespace');
  });

  test('that is not there is named, with what may be wrong', async () => {
    world = await createWholeWorld();
    await expect(readStart(world.v, 'none')).rejects.toThrow(/ClusterBinding none is not there/);
  });
});

describe('the way into P', () => {
  const kubeconfigWith = (user: string): string => `
apiVersion: v1
kind: Config
current-context: c
contexts: [{ name: c, context: { cluster: p, user: u } }]
clusters: [{ name: p, cluster: { server: 'https://p.example.com' } }]
users: [{ name: u, user: ${user} }]
`;
  const touched: string[] = [];
  const deps = {
    env: {},
    homeDir: '/home/x',
    isTerminal: () => false,
    readFile: async (path: string) => {
      touched.push(path);
      return 'secret of the machine';
    },
    modifiedMs: async () => 0,
    run: async () => {
      touched.push('a program');
      return { exitCode: 0, stdout: '' };
    },
  };

  test("is the kubeconfig in the binding's Secret", async () => {
    await prepare(kubeconfigWith('{ token: abc }'));
    const { binding } = await readStart(world.v, bindingName);
    const access = await toPhysicalAccess(await readPhysicalKubeconfig(world.v, binding), {
      ...deps,
      clock: world.clock,
    });
    expect(access.server).toBe('https://p.example.com');
    expect(await access.auth.credentials()).toMatchObject({ headers: { authorization: 'Bearer abc' } });
  });

  test('is missing when the Secret has none', async () => {
    await prepare('');
    const { binding } = await readStart(world.v, bindingName);
    await expect(readPhysicalKubeconfig(world.v, binding)).rejects.toMatchObject({ code: 'syncer/bad-kubeconfig' });
  });

  const reaching = [
    { name: 'a file', user: '{ tokenFile: /var/run/secrets/token }' },
    {
      name: 'a program',
      user: '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: /bin/sh, interactiveMode: Never } }',
    },
  ];
  for (const { name, user } of reaching) {
    test(`never leads through ${name} of the syncer's own machine`, async () => {
      await prepare('x');
      const way = async (): Promise<unknown> => {
        const access = await toPhysicalAccess(kubeconfigWith(user), { ...deps, clock: world.clock });
        return access.auth.credentials();
      };
      await expect(way()).rejects.toThrow(/may neither name files nor a plugin/);
      expect(touched).toEqual([]);
    });
  }
});
