// What the syncer counts, under the names and in the units of the original. Gauges are read from the caches when somebody asks, and hold
// no series of what is gone.
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { claimOf } from './contract/claim.ts';
import type { Node } from './contract/cluster-kinds.ts';
import { nodeKind } from './contract/cluster-kinds.ts';
import type { Pod } from './contract/pod.ts';
import type { PodCounters, Sides } from './sides.ts';
import { nodeOffer } from './vnode/leased-resources.ts';
import { requestsOf } from './vnode/occupancy.ts';
import type { Occupancy } from './vnode/occupancy.ts';
import { physicalNodeOf } from './vnode/physical-node-of.ts';
import { readResources, sumResources } from './vnode/resource-list.ts';
import type { Resources } from './vnode/resource-list.ts';

export type SyncerMetrics = {
  readonly counters: PodCounters;
  /** From now on gauges are answered from these caches. */
  readonly observe: (sides: Sides & { readonly occupancy: Occupancy }) => void;
};

export function createSyncerMetrics(bindingName: string, registry: Registry): SyncerMetrics {
  return {
    counters: createCounters(bindingName, [registry]),
    observe: (sides) => {
      addResourceGauges(sides, [registry]);
      addPodGauges(sides, [registry]);
    },
  };
}

const prefix = 'kubeocean_syncer_';

function createCounters(clusterbinding: string, registers: Registry[]): PodCounters {
  const counter = (name: string, help: string): (() => void) => {
    const made = new Counter({ name: `${prefix}${name}`, help, labelNames: ['clusterbinding'], registers });
    made.inc({ clusterbinding }, 0);
    return () => made.inc({ clusterbinding });
  };
  return {
    createPod: counter('create_pod_total', 'Attempts to create a physical pod'),
    createPodError: counter('create_pod_errors_total', 'Attempts to create a physical pod that failed'),
    podCreated: counter('pod_created_total', 'Physical pods that were created'),
    podLost: counter('pod_created_failed_total', 'Virtual pods whose physical pod was lost'),
  };
}

const usages = {
  origin_resource: 'What the physical nodes offer',
  available_resource: 'What is lent of it',
  physical_usage: 'What pods of others ask for on the physical nodes',
  virtual_usage: 'What pods of this binding ask for on the physical nodes',
} as const;
type UsageField = keyof typeof usages;

function addResourceGauges(sides: Sides & { readonly occupancy: Occupancy }, registers: Registry[]): void {
  const clusterbinding = sides.binding().name;
  const nodes = sides.physical.cache.informer(nodeKind);
  const vnodes = (): readonly Node[] => sides.informers.virtual.vnodes.list();
  const usageOf = (vnode: Node, field: UsageField): Resources => {
    const name = physicalNodeOf(vnode);
    switch (field) {
      case 'origin_resource':
        return nodeOffer(nodes.get({ name })?.status ?? {});
      case 'available_resource':
        return readResources(vnode.status?.allocatable);
      case 'physical_usage':
        return requestsOf(sides.occupancy.othersOn(name));
      case 'virtual_usage':
        return requestsOf(sides.occupancy.oursOn(name));
      default:
        return field satisfies never;
    }
  };
  for (const [field, help] of Object.entries(usages) as [UsageField, string][]) {
    addGauge(`vnode_${field}`, `${help}, by node`, ['clusterbinding', 'node', 'resource'], registers, (set) => {
      for (const vnode of vnodes()) {
        const node = vnode.metadata.name ?? '';
        for (const [resource, value] of shown(usageOf(vnode, field))) set({ clusterbinding, node, resource }, value);
      }
    });
    addGauge(`cluster_${field}`, help, ['clusterbinding', 'resource'], registers, (set) => {
      const sum = sumResources(vnodes().map((vnode) => usageOf(vnode, field)));
      for (const [resource, value] of shown(sum)) set({ clusterbinding, resource }, value);
    });
  }
  addGauge('vnode_total', 'Virtual nodes', ['clusterbinding'], registers, (set) =>
    set({ clusterbinding }, vnodes().length),
  );
}

const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;

function addPodGauges({ informers, identity, binding }: Sides, registers: Registry[]): void {
  const clusterbinding = binding().name;
  const isHere = ({ spec }: Pod): boolean => informers.virtual.vnodes.get({ name: spec.nodeName ?? '' }) !== undefined;
  const isOurs = (pod: Pod): boolean => claimOf(pod, identity).of === 'us';
  const add = (name: string, help: string, list: () => readonly Pod[]): void =>
    addGauge(name, help, ['clusterbinding', 'phase'], registers, (set) => {
      const counts = Map.groupBy(list(), ({ status }) => status?.phase ?? 'Pending');
      for (const phase of phases) set({ clusterbinding, phase }, counts.get(phase)?.length ?? 0);
    });
  add('virtual_pod_total', 'Pods on the virtual nodes of this binding, by phase', () =>
    informers.virtual.pods.list().filter(isHere),
  );
  add('physical_pod_total', 'Physical pods of this binding, by phase', () =>
    informers.physical.pods.list().filter(isOurs),
  );
}

type Set = (labels: Readonly<Record<string, string>>, value: number) => void;

function addGauge(
  name: string,
  help: string,
  labelNames: readonly string[],
  registers: Registry[],
  collect: (set: Set) => void,
): void {
  const gauge: Gauge = new Gauge({
    name: `${prefix}${name}`,
    help,
    labelNames: [...labelNames],
    registers,
    collect: () => {
      gauge.reset();
      collect((labels, value) => gauge.set(labels, value));
    },
  });
}

const nano = 1_000_000_000n;
const thousandths = new Set(['cpu', 'gocrane.io/cpu']);
const mebibytes = new Set(['memory', 'ephemeral-storage', 'gocrane.io/memory']);
const plain = new Set([
  'nvidia.com/gpu',
  'tke.cloud.tencent.com/eni-ip',
  'tke.cloud.tencent.com/sub-eni',
  'tke.cloud.tencent.com/direct-eni',
  'tke.cloud.tencent.com/tke-shared-rdma',
]);

/** The resources that are shown, in their units: thousandths of a processor, mebibytes, or pieces. */
function shown(resources: Resources): readonly (readonly [string, number])[] {
  return [...resources].flatMap(([name, { nanos }]) => {
    if (thousandths.has(name)) return [[name, Number(nanos / (nano / 1000n))] as const];
    if (mebibytes.has(name)) return [[name, Number(nanos / nano) / 1024 ** 2] as const];
    return plain.has(name) || name.startsWith('gocrane.io/') ? [[name, Number(nanos / nano)] as const] : [];
  });
}
