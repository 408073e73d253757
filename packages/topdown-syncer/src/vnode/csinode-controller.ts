// Copies what CSI drivers say about a physical node to its virtual one, for topology and for limits of volumes. Keys are names of physical nodes.
import { isDeepStrictEqual } from 'node:util';
import {
  createController,
  isAlreadyExists,
  mergePatchBetween,
  recheck,
  settled,
  toTimestamp,
  watch,
} from '@tributary/runtime';
import type { KubeObject, Outcome, Runnable } from '@tributary/runtime';
import { csiNodeKind, nodeKind } from '../contract/cluster-kinds.ts';
import type { CsiNode, Node } from '../contract/cluster-kinds.ts';
import { annotations, labels, managedByValue } from '../contract/keys.ts';
import { toLabelValue, vnodeName } from '../contract/names.ts';
import { toScopes } from '../informers.ts';
import type { Sides } from '../sides.ts';
import { physicalNodeOf } from './physical-node-of.ts';
import { unlessGone } from './unless-gone.ts';

const notReadyMs = 5000;

export function createCsiNodeController(sides: Sides): Runnable {
  const { virtual, physical, informers } = sides;
  const scope = toScopes(sides.binding()).vnodes;
  const theirs = physical.cache.informer(csiNodeKind);
  const ours = virtual.cache.informer(csiNodeKind, scope);
  const watches = [
    watch(csiNodeKind),
    watch(csiNodeKind, { cache: virtual.cache, scope, toKeys: toPhysical }),
    watch(nodeKind, { cache: virtual.cache, scope, when: ({ type }) => type !== 'updated', toKeys: toPhysical }),
  ];
  const reconcile = async (key: string, { signal }: { readonly signal: AbortSignal }): Promise<Outcome> => {
    const name = vnodeName(sides.binding().clusterId, key);
    await ours.caughtUp(name, signal);
    if (!sides.ready()) return recheck(notReadyMs);
    const vnode = informers.virtual.vnodes.get({ name });
    const [source, copy] = [theirs.get({ name: key }), ours.get({ name })];
    if (!vnode || !source) {
      const preconditions = { uid: copy?.metadata.uid };
      if (copy) await unlessGone(virtual.client.delete(csiNodeKind, { name }, { preconditions, signal }));
      return settled;
    }
    await writeCopy(toCopy(source, vnode, sides), copy, sides, signal);
    return settled;
  };
  return createController({ name: 'csinode', watches, reconcile }, physical);
}

function toPhysical(object: KubeObject): readonly string[] {
  return [physicalNodeOf(object)];
}

function toCopy(source: CsiNode, vnode: Node, sides: Sides): CsiNode {
  const { name = '', uid = '' } = vnode.metadata;
  const binding = sides.binding();
  const physicalName = source.metadata.name ?? '';
  return {
    metadata: {
      name,
      labels: {
        ...source.metadata.labels,
        [labels.managedBy]: managedByValue,
        [labels.clusterBinding]: binding.name,
        [labels.physicalClusterId]: binding.clusterId,
        [labels.physicalNodeName]: toLabelValue(physicalName),
      },
      annotations: {
        ...source.metadata.annotations,
        [annotations.physicalNodeName]: physicalName,
        [annotations.physicalCsiNodeUid]: source.metadata.uid ?? '',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: source.spec,
  };
}

async function writeCopy(
  wanted: CsiNode,
  copy: CsiNode | undefined,
  { virtual, clock }: Sides,
  signal: AbortSignal,
): Promise<void> {
  const { name = '' } = wanted.metadata;
  const time = { [annotations.lastSyncTime]: toTimestamp(clock.now()) };
  if (!copy) {
    const metadata = { ...wanted.metadata, annotations: { ...wanted.metadata.annotations, ...time } };
    await virtual.client.create(csiNodeKind, { ...wanted, metadata }, { signal }).catch((error: unknown) => {
      // One that is not ours has the name: it is left alone.
      if (!isAlreadyExists(error)) throw error;
    });
    return;
  }
  const metadata = mergePatchBetween(
    { labels: copy.metadata.labels ?? {} },
    { labels: { ...copy.metadata.labels, ...wanted.metadata.labels } },
  );
  const before = { ...copy.metadata.annotations };
  const annotated = mergePatchBetween(
    { annotations: before },
    { annotations: { ...before, ...wanted.metadata.annotations } },
  );
  const changed = isDeepStrictEqual(driversOf(copy), driversOf(wanted)) ? undefined : { drivers: driversOf(wanted) };
  if (!metadata && !annotated && !changed) return;
  const stamped = { ...(annotated?.['annotations'] as object), ...time };
  const body = { metadata: { ...metadata, annotations: stamped }, ...(changed && { spec: changed }) };
  await unlessGone(virtual.client.patch(csiNodeKind, { name }, { type: 'merge', body }, { signal }));
}

function driversOf({ spec }: CsiNode): unknown {
  return spec['drivers'] ?? [];
}
