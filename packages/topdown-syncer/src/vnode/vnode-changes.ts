import { isDeepStrictEqual } from 'node:util';
import { mergePatchBetween } from '@tributary/runtime';
import type { Node, Taint } from '../contract/cluster-kinds.ts';
import { decodeExpectedMetadata, encodeExpectedMetadata } from '../contract/expected-metadata.ts';
import type { ExpectedMetadata } from '../contract/expected-metadata.ts';
import { annotations as keys, finalizers, taints as taintKeys } from '../contract/keys.ts';
import type { PodCondition } from '../contract/pod.ts';
import { mergeTaints, mergeTexts } from './merge-expected.ts';
import { isSameResources } from './resource-list.ts';
import type { ResourceList } from './resource-list.ts';
import type { WantedVnode } from './wanted-vnode.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Merge patches, each only where something differs. Metadata travels with the spec, or with the status where the spec is right. */
export type VnodeChanges = { readonly spec: Fields | undefined; readonly status: Fields | undefined };

/** The virtual node as it is first made: in one request, with its status. */
export function toNewVnode(wanted: WantedVnode, now: string): Node {
  return {
    metadata: {
      name: wanted.name,
      labels: wanted.labels,
      annotations: { ...wanted.annotations, [keys.expectedMetadata]: encode(wanted), [keys.lastSyncTime]: now },
      finalizers: [finalizers.vnode],
    },
    spec: { taints: wanted.taints },
    status: wanted.status,
  };
}

/** What must be written so that the virtual node is as wanted; undefined when it is. */
export function vnodeChanges(vnode: Node, wanted: WantedVnode, now: string): VnodeChanges | undefined {
  const read = decodeExpectedMetadata(vnode.metadata.annotations?.[keys.expectedMetadata]);
  const given = read.ok ? read.value : {};
  const metadata = metadataChanges(vnode, given, wanted);
  const spec = specChanges(vnode, given, wanted);
  const status = statusChanges(vnode.status ?? {}, wanted.status);
  if (!metadata && !spec && !status) return undefined;
  const stamped = withTime(metadata, now);
  const inSpec = spec !== undefined || !status;
  return {
    spec: inSpec ? { metadata: stamped, ...(spec && { spec }) } : undefined,
    status: status && { ...(!inSpec && { metadata: stamped }), status },
  };
}

function metadataChanges({ metadata }: Node, given: ExpectedMetadata, wanted: WantedVnode): Fields | undefined {
  const before = { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} };
  const labels = mergeTexts(before.labels, given.labels ?? {}, wanted.labels);
  const merged = mergeTexts(before.annotations, given.annotations ?? {}, wanted.annotations);
  const { [keys.deletionTaintTime]: _taintedAt, ...kept } = merged;
  return mergePatchBetween(before, { labels, annotations: { ...kept, [keys.expectedMetadata]: encode(wanted) } });
}

function specChanges({ spec = {} }: Node, given: ExpectedMetadata, wanted: WantedVnode): Fields | undefined {
  const current = spec.taints ?? [];
  const known = (given.taints ?? []) as readonly Pick<Taint, 'key' | 'effect'>[];
  const taints = mergeTaints(current, known, wanted.taints);
  // A node that was about to be given up is lent out again.
  const reopened = spec.unschedulable === true && current.some(({ key }) => key === taintKeys.vnodeDeleting);
  if (areSameTaints(taints, current) && !reopened) return undefined;
  return { taints, ...(reopened && { unschedulable: null }) };
}

/** Taints it, so that nothing new comes while it is emptied. Undefined when that is done. */
export function deletionMarks({ metadata, spec = {} }: Node, now: string): Fields | undefined {
  const marked = spec.unschedulable === true && (spec.taints ?? []).some(({ key }) => key === taintKeys.vnodeDeleting);
  if (marked && metadata.annotations?.[keys.deletionTaintTime]) return undefined;
  const others = (spec.taints ?? []).filter(({ key }) => key !== taintKeys.vnodeDeleting);
  return {
    metadata: { annotations: { [keys.deletionTaintTime]: now } },
    spec: {
      unschedulable: true,
      taints: [...others, { key: taintKeys.vnodeDeleting, value: 'true', effect: 'NoSchedule' }],
    },
  };
}

/** In whatever order: the server and V's controllers put theirs where they like. */
function areSameTaints(left: readonly Taint[], right: readonly Taint[]): boolean {
  return left.length === right.length && left.every((taint) => right.some((one) => isDeepStrictEqual(one, taint)));
}

function encode({ labels, annotations, taints }: WantedVnode): string {
  // Times move; whose taint it is does not.
  return encodeExpectedMetadata({ labels, annotations, taints: taints.map(({ timeAdded: _time, ...taint }) => taint) });
}

/** When it was last written is told along with what is written, never for its own sake. */
function withTime(patch: Fields | undefined, now: string): Fields {
  const annotations = (patch?.['annotations'] ?? {}) as Fields;
  return { ...patch, annotations: { ...annotations, [keys.lastSyncTime]: now } };
}

function statusChanges(current: Fields, wanted: Fields): Fields | undefined {
  const changed = Object.entries(wanted).flatMap(([field, next]) => {
    const before = current[field];
    if (field === 'capacity' || field === 'allocatable') return resourceChange(field, before, next);
    if (field === 'conditions') return conditionChange(before, next);
    return isSameValue(before, next) ? [] : [[field, next] as const];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/** A server does not store an empty list. */
function isSameValue(before: unknown, next: unknown): boolean {
  return isDeepStrictEqual(before, next) || (before === undefined && isDeepStrictEqual(next, []));
}

function resourceChange(field: string, before: unknown, next: unknown): readonly (readonly [string, unknown])[] {
  const [current, wanted] = [before as ResourceList | undefined, next as ResourceList];
  if (isSameResources(current, wanted)) return [];
  return [[field, mergePatchBetween(current ?? {}, wanted) ?? {}]];
}

function conditionChange(before: unknown, next: unknown): readonly (readonly [string, unknown])[] {
  const [current, wanted] = [(before ?? []) as readonly PodCondition[], next as readonly PodCondition[]];
  return isDeepStrictEqual(withoutBeats(current), withoutBeats(wanted)) ? [] : [['conditions', wanted]];
}

/** A heartbeat alone is no news: that the node is alive is told by its lease. */
function withoutBeats(conditions: readonly PodCondition[]): unknown {
  return conditions.map(({ lastHeartbeatTime: _beat, ...condition }) => condition);
}
