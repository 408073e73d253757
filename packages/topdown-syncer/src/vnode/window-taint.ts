import type { Taint } from '../contract/cluster-kinds.ts';
import { taints } from '../contract/keys.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import { toTimestamp } from '@tributary/runtime';
import { isActive, nextChangeMs } from './time-windows.ts';

export type WindowVerdict = {
  /** None while the node is lent out. */
  readonly taint: Taint | undefined;
  /** The time of grace is over: pods that do not tolerate the taint must go. */
  readonly reclaim: boolean;
  /** When to look again. */
  readonly nextMs: number | undefined;
};

/**
 * What the time means for a node. Outside its windows nothing new is scheduled there; a policy that reclaims by force then waits for its
 * grace. The taint that evicts comes only after it: the virtual cluster evicts on that taint at once and knows no grace.
 */
export function judgeWindow(
  { spec }: ResourceLeasingPolicy,
  current: readonly Taint[],
  nowMs: number,
  timeZone: string,
): WindowVerdict {
  const windows = spec.timeWindows ?? [];
  const nextMs = nextChangeMs(windows, nowMs, timeZone);
  if (isActive(windows, nowMs, timeZone)) return { taint: undefined, reclaim: false, nextMs };
  const known = current.find(({ key }) => key === taints.outOfTimeWindows);
  const timeAdded = known?.timeAdded ?? toTimestamp(nowMs);
  // A taint without a time was put there by somebody who did not mean to wait.
  const sinceMs = known && !known.timeAdded ? 0 : Date.parse(timeAdded);
  const dueMs = sinceMs + (spec.gracefulReclaimPeriodSeconds ?? 0) * 1000;
  const reclaim = spec.forceReclaim === true && nowMs >= dueMs;
  const waits = spec.forceReclaim === true && !reclaim;
  const taint = {
    key: taints.outOfTimeWindows,
    value: 'true',
    effect: reclaim ? 'NoExecute' : 'NoSchedule',
    timeAdded,
  };
  return { taint, reclaim, nextMs: waits ? Math.min(dueMs, nextMs ?? dueMs) : nextMs };
}
