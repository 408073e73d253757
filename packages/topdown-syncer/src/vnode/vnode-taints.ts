import type { Taint } from '../contract/cluster-kinds.ts';
import { taints as taintKeys } from '../contract/keys.ts';

/** These follow from conditions, and the virtual cluster draws that conclusion itself: two who draw it would get in each other's way. */
const ofConditions = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/network-unavailable',
]);

export type TaintInputs = {
  readonly physical: readonly Taint[];
  readonly defaultTaint: boolean;
  readonly window: Taint | undefined;
};

/** The taints that a virtual node shall have for its physical one. */
export function toVnodeTaints({ physical, defaultTaint, window }: TaintInputs): readonly Taint[] {
  const copied = physical
    .filter(({ key }) => !ofConditions.has(key) && key !== taintKeys.outOfTimeWindows)
    .map((taint) =>
      taint.key === taintKeys.unschedulable ? { ...taint, key: taintKeys.physicalNodeUnschedulable } : taint,
    );
  const ours = [...(defaultTaint ? [{ key: taintKeys.vnode, effect: 'NoSchedule' }] : []), ...(window ? [window] : [])];
  return [...copied.filter((taint) => !ours.some((own) => isSameTaint(own, taint))), ...ours];
}

/** A node may have one key with several effects. */
export function isSameTaint(left: Pick<Taint, 'key' | 'effect'>, right: Pick<Taint, 'key' | 'effect'>): boolean {
  return left.key === right.key && left.effect === right.effect;
}
