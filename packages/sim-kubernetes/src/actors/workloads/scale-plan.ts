// A Deployment that is made larger or smaller: a pure decision, apart from rollouts, which it may come in the middle of.
import type { StoredObject } from '../../registry/json.ts';
import { child, count } from '../../kinds/draft-fields.ts';
import { isRolling, maxSurge, sum } from './rollout-plan.ts';
import type { Resize, Sized } from './rollout-plan.ts';

/** Whether the size that is wanted is another than the one that the sets were made for. */
export function isScaling(deployment: StoredObject, sets: readonly Sized[]): boolean {
  const replicas = count(child(deployment, 'spec'), 'replicas');
  return sets.some(({ wanted, sizedFor }) => wanted > 0 && sizedFor !== undefined && sizedFor !== replicas);
}

/** `old` with the oldest first. Sets that keep their size are told too: they know then what they are sized for. */
export function planScale(
  deployment: StoredObject,
  current: Sized | undefined,
  old: readonly Sized[],
): readonly Resize[] {
  const replicas = count(child(deployment, 'spec'), 'replicas');
  const all = current === undefined ? old : [...old, current];
  const active = all.filter(({ wanted }) => wanted > 0);
  const only = active.length === 0 ? (current ?? all.at(-1)) : active.length === 1 ? active[0] : undefined;
  if (only !== undefined) return [{ name: only.name, from: only.wanted, to: replicas }];
  if (current !== undefined && current.wanted === replicas && current.available === replicas) {
    return active.filter((set) => set !== current).map(({ name, wanted }) => ({ name, from: wanted, to: 0 }));
  }
  return isRolling(deployment) ? proportional(deployment, replicas, active) : [];
}

/** In the middle of a rollout every set gets its share, the largest first, and the largest what is left over. */
function proportional(deployment: StoredObject, replicas: number, active: readonly Sized[]): readonly Resize[] {
  const most = replicas === 0 ? 0 : replicas + maxSurge(deployment);
  const change = most - sum(active, 'wanted');
  const newerFirst = change > 0 ? active.toReversed() : active;
  const sorted = newerFirst.toSorted((a, b) => b.wanted - a.wanted);
  let left = change;
  const steps = sorted.map(({ name, wanted, mostThen = most }) => {
    const share = replicas === 0 ? -wanted : Math.round((wanted * most) / mostThen) - wanted;
    const given = change > 0 ? Math.min(share, left) : Math.max(share, left);
    left -= given;
    return { name, from: wanted, to: wanted + given };
  });
  return steps.map((step, index) => (index === 0 ? { ...step, to: Math.max(0, step.to + left) } : step));
}
