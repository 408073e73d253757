// Three-way merges of what a virtual node has, what it was given last time, and what it shall be given now: what others added
// stays, what we no longer want goes, and where both have a say ours counts.
import type { Taint } from '../contract/cluster-kinds.ts';
import { taints as taintKeys } from '../contract/keys.ts';
import { isSameTaint } from './vnode-taints.ts';

type Texts = Readonly<Record<string, string>>;

export function mergeTexts(current: Texts, given: Texts, wanted: Texts): Texts {
  const others = Object.entries(current).filter(([key]) => !(key in given) && !(key in wanted));
  return { ...Object.fromEntries(others), ...wanted };
}

/** Taints of ours by their key, whatever the effect: they were never somebody else's. */
const ownKeys: ReadonlySet<string> = new Set([taintKeys.vnode, taintKeys.outOfTimeWindows, taintKeys.vnodeDeleting]);

export function mergeTaints(
  current: readonly Taint[],
  given: readonly Pick<Taint, 'key' | 'effect'>[],
  wanted: readonly Taint[],
): readonly Taint[] {
  const isOurs = (taint: Taint): boolean =>
    ownKeys.has(taint.key) || [...given, ...wanted].some((one) => isSameTaint(one, taint));
  const kept = wanted.map((taint) => {
    const timeAdded = taint.timeAdded ?? current.find((one) => isSameTaint(one, taint))?.timeAdded;
    return timeAdded === undefined ? taint : { ...taint, timeAdded };
  });
  return [...current.filter((taint) => !isOurs(taint)), ...kept];
}
