import type { Draft } from '../../registry/json.ts';
import { items } from '../draft-fields.ts';

export type PodCondition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
};

/** Puts a condition in its place; its time moves only when its status does. */
export function setPodCondition(status: Draft, condition: PodCondition, now: string): void {
  const conditions = items(status, 'conditions');
  const known = conditions.find((found) => found['type'] === condition.type);
  const same = known?.['status'] === condition.status;
  const next = { lastProbeTime: null, ...condition, lastTransitionTime: same ? known['lastTransitionTime'] : now };
  status['conditions'] =
    known === undefined ? [...conditions, next] : conditions.map((found) => (found === known ? next : found));
}
