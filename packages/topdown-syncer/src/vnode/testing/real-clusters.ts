import {
  connect,
  createManager,
  createUndiciTransport,
  loadClusterAccess,
  namespaceKind,
  silentLog,
  sleep,
} from '@tributary/runtime';
import { crdKind, systemAccessDeps, systemClock } from '@tributary/runtime';
import type { Connection } from '@tributary/runtime';
import { startControlPlane } from '../../../../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../../../../tools/control-plane/start-control-plane.ts';
import { createBindingController } from '../../binding/binding-controller.ts';
import { clusterBindingKind } from '../../contract/cluster-binding.ts';
import { nodeKind } from '../../contract/cluster-kinds.ts';
import { resourceLeasingPolicyKind } from '../../contract/resource-leasing-policy.ts';
import { createDownParts } from '../../down-parts.ts';
import { createEventsPart } from '../../events-part.ts';
import { openSides, readStart } from '../../open-sides.ts';
import { createEventMirror } from '../../up/event-mirror.ts';
import { createPodStatusController } from '../../up/pod-status-controller.ts';
import { createVnodeParts } from '../create-vnode-parts.ts';
import { createPhysicalPing } from '../physical-ping.ts';

export type RealClusters = {
  readonly virtual: ControlPlane;
  readonly physical: ControlPlane;
  readonly v: Connection['client'];
  readonly p: Connection['client'];
  /** Asks until it holds; rejects with the name of what did not. */
  readonly until: (what: string, holds: () => Promise<boolean>, limitMs?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const names = { binding: 'worker1', clusterId: 'cls-worker1', mountNamespace: 'mount' };

/** Two real clusters, in P with nodes that run pods, and a syncer between them in this process. */
export async function startRealClusters(nodes: readonly string[]): Promise<RealClusters> {
  const managed = { components: ['kube-controller-manager', 'kube-scheduler'] as const, serviceAccountAdmission: true };
  const virtual = await startControlPlane(managed);
  const physical = await startControlPlane({ ...managed, components: [...managed.components, 'kwok'] });
  const [v, p] = [await open(virtual, 'test'), await open(physical, 'test')];
  await v.client.create(crdKind, { ...clusterBindingKind.toCrd() });
  await p.client.create(crdKind, { ...resourceLeasingPolicyKind.toCrd() });
  await p.client.create(namespaceKind, { metadata: { name: names.mountNamespace } });
  for (const name of nodes) await p.client.create(nodeKind, { metadata: { name, labels: { zone: 'a' } } });
  const stopSyncer = new AbortController();
  await until('the CRDs are served', async () => {
    await v.client.list(clusterBindingKind);
    await p.client.list(resourceLeasingPolicyKind);
    return true;
  });
  await v.client.create(clusterBindingKind, {
    metadata: { name: names.binding },
    spec: {
      clusterID: names.clusterId,
      mountNamespace: names.mountNamespace,
      secretRef: { name: 'worker1', namespace: 'kube-system' },
      disableNodeDefaultTaint: true,
    },
  });
  const { ended } = await runSyncer(virtual, physical, stopSyncer.signal);
  return {
    virtual,
    physical,
    v: v.client,
    p: p.client,
    until,
    stop: async () => {
      stopSyncer.abort();
      await ended.catch(() => undefined);
      await Promise.all([virtual.stop(), physical.stop()]);
    },
  };
}

async function open({ kubeconfigPath }: ControlPlane, userAgent: string): Promise<Connection> {
  const deps = systemAccessDeps({});
  const access = await loadClusterAccess({ kubeconfig: kubeconfigPath }, deps);
  return connect({ transport: createUndiciTransport({ access }, deps), userAgent });
}

async function runSyncer(
  virtualPlane: ControlPlane,
  physicalPlane: ControlPlane,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const [virtual, physical] = [await open(virtualPlane, 'syncer'), await open(physicalPlane, 'syncer')];
  const options = { clusterBindingName: names.binding };
  const ping = createPhysicalPing({}, { physical, clock: systemClock, log: silentLog });
  const start = await readStart(virtual.client, names.binding);
  const opened = openSides(options, start, { virtual, physical, physicalAnswers: ping.answers });
  const sides = { ...opened, ping };
  const runnables = [
    createEventsPart(opened.events),
    ping,
    ...createDownParts(sides, options),
    createPodStatusController({}, sides),
    createEventMirror({}, sides),
    ...createVnodeParts({}, sides).runnables,
    createBindingController({ manageStatus: true }, sides),
  ];
  const deps = { caches: [virtual.cache, physical.cache], clock: systemClock, log: silentLog };
  return { ended: createManager({ runnables, healthAddress: '0' }, deps).run(signal) };
}

async function until(what: string, holds: () => Promise<boolean>, limitMs = 60_000): Promise<void> {
  const endMs = systemClock.monotonic() + limitMs;
  while (!(await holds().catch(() => false))) {
    if (systemClock.monotonic() > endMs) throw new Error(`it did not come about within ${limitMs} ms that ${what}`);
    await sleep(systemClock, 100);
  }
}
