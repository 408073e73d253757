// How far a rollout goes in one step: a pure decision from the Deployment and the sizes of its ReplicaSets.
import type { StoredObject } from '../../registry/json.ts';
import { child, count, maybeNumber, text } from '../../kinds/draft-fields.ts';

/** A ReplicaSet as a rollout sees it. */
export type Sized = {
  readonly name: string;
  readonly wanted: number;
  /** Pods that exist. */
  readonly actual: number;
  readonly ready: number;
  readonly available: number;
  readonly terminating: number;
  /** For how many replicas it was last sized, and how many pods there could be then. */
  readonly sizedFor: number | undefined;
  readonly mostThen: number | undefined;
};

export type Resize = { readonly name: string; readonly from: number; readonly to: number };

export function sizedOf(set: StoredObject): Sized {
  const status = child(set, 'status');
  return {
    name: set.metadata.name,
    wanted: count(child(set, 'spec'), 'replicas'),
    actual: count(status, 'replicas'),
    ready: count(status, 'readyReplicas'),
    available: count(status, 'availableReplicas'),
    terminating: count(status, 'terminatingReplicas'),
    sizedFor: noted(set, desiredKey),
    mostThen: noted(set, mostKey),
  };
}

export const desiredKey = 'deployment.kubernetes.io/desired-replicas';
export const mostKey = 'deployment.kubernetes.io/max-replicas';

function noted({ metadata }: StoredObject, key: string): number | undefined {
  const value = metadata.annotations?.[key];
  return value === undefined ? undefined : Number(value);
}

export function sum(
  sets: readonly Sized[],
  field: 'wanted' | 'actual' | 'ready' | 'available' | 'terminating',
): number {
  return sets.reduce((total, set) => total + set[field], 0);
}

export function isRolling(deployment: StoredObject): boolean {
  return text(child(child(deployment, 'spec'), 'strategy'), 'type') !== 'Recreate';
}

export function maxSurge(deployment: StoredObject): number {
  return isRolling(deployment) ? shareOf(deployment, 'maxSurge', Math.ceil) : 0;
}

export function maxUnavailable(deployment: StoredObject): number {
  const replicas = count(child(deployment, 'spec'), 'replicas');
  if (!isRolling(deployment) || replicas === 0) return 0;
  const allowed = shareOf(deployment, 'maxUnavailable', Math.floor);
  // With neither more nor fewer pods than wanted no step would be possible.
  return Math.min(replicas, allowed === 0 && maxSurge(deployment) === 0 ? 1 : allowed);
}

function shareOf(deployment: StoredObject, field: string, round: (value: number) => number): number {
  const spec = child(deployment, 'spec');
  const bounds = child(child(spec, 'strategy'), 'rollingUpdate');
  const absolute = maybeNumber(bounds, field);
  if (absolute !== undefined) return absolute;
  return round((Number.parseInt(text(bounds, field) || '0', 10) * count(spec, 'replicas')) / 100);
}

/** How large the set of the newest template may be made now. */
export function newSize(deployment: StoredObject, current: Sized, old: readonly Sized[]): number {
  const replicas = count(child(deployment, 'spec'), 'replicas');
  if (current.wanted >= replicas) return replicas;
  if (!isRolling(deployment))
    return old.some(({ actual, terminating }) => actual + terminating > 0) ? current.wanted : replicas;
  const room = replicas + maxSurge(deployment) - sum([current, ...old], 'wanted');
  return current.wanted + Math.max(0, Math.min(room, replicas - current.wanted));
}

/** One step: the new set grows as far as it may; when it cannot, the old ones shrink as far as they may. */
export function planRollout(deployment: StoredObject, current: Sized, old: readonly Sized[]): readonly Resize[] {
  if (!isRolling(deployment)) return recreate(deployment, current, old);
  const to = newSize(deployment, current, old);
  if (to !== current.wanted) return [{ name: current.name, from: current.wanted, to }];
  return shrinkOld(deployment, current, old);
}

function recreate(deployment: StoredObject, current: Sized, old: readonly Sized[]): readonly Resize[] {
  const shrinking = old.filter(({ wanted }) => wanted > 0);
  if (shrinking.length > 0) return shrinking.map(({ name, wanted }) => ({ name, from: wanted, to: 0 }));
  const to = newSize(deployment, current, old);
  return to === current.wanted ? [] : [{ name: current.name, from: current.wanted, to }];
}

/** `old` with the oldest first: pods that serve nobody go first, then as many as availability allows. */
function shrinkOld(deployment: StoredObject, current: Sized, old: readonly Sized[]): readonly Resize[] {
  const least = count(child(deployment, 'spec'), 'replicas') - maxUnavailable(deployment);
  const unavailable = current.wanted - current.available;
  const most = sum([current, ...old], 'wanted') - least - unavailable;
  if (most <= 0) return [];
  let useless = most;
  let spare = sum([current, ...old], 'available') - least;
  return old
    .map(({ name, wanted, available }) => {
      const idle = Math.min(useless, Math.max(0, wanted - available));
      useless -= idle;
      const serving = Math.max(0, Math.min(spare, wanted - idle));
      spare -= serving;
      return { name, from: wanted, to: wanted - idle - serving };
    })
    .filter(({ from, to }) => from !== to);
}
