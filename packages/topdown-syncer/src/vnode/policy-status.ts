import { setCondition, toTimestamp } from '@tributary/runtime';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import { parseQuantity } from './quantity.ts';
import { isActive, windowProblems } from './time-windows.ts';

type Status = NonNullable<ResourceLeasingPolicy['status']>;

/** What is wrong with a policy, one sentence each. */
export function policyProblems({ spec }: ResourceLeasingPolicy): readonly string[] {
  const limits = (spec.resourceLimits ?? []).flatMap(({ resource, quantity, percent }, index) => [
    ...(quantity !== undefined && parseQuantity(quantity) === undefined
      ? [`resourceLimits[${index}].quantity of ${resource} is no quantity`]
      : []),
    ...(percent !== undefined && percent > 100
      ? [`resourceLimits[${index}].percent of ${resource} is more than 100`]
      : []),
  ]);
  return [...windowProblems(spec.timeWindows ?? []), ...limits];
}

/** The status of a policy; the very same where nothing about it changed, so that its time is never written for its own sake. */
export function toPolicyStatus(policy: ResourceLeasingPolicy, nowMs: number, timeZone: string): Status {
  const before: Status = policy.status ?? {};
  const problems = policyProblems(policy);
  const active = problems.length === 0 && isActive(policy.spec.timeWindows ?? [], nowMs, timeZone);
  const context = { now: nowMs, observedGeneration: policy.metadata.generation };
  const valid =
    problems.length === 0
      ? { status: 'True' as const, reason: 'ValidationPassed', message: 'the policy can be applied' }
      : { status: 'False' as const, reason: 'ValidationError', message: problems.join('; ') };
  const checked = setCondition(before.conditions, { type: 'Valid', ...valid }, context);
  const conditions = setCondition(checked, { type: 'Active', ...activity(problems, active) }, context);
  const phase = problems.length > 0 ? 'Failed' : active ? 'Active' : 'Inactive';
  if (conditions === before.conditions && before.phase === phase && before.activeTimeWindow === active) return before;
  return { phase, conditions: [...conditions], activeTimeWindow: active, lastAppliedTime: toTimestamp(nowMs) };
}

function activity(problems: readonly string[], active: boolean) {
  if (problems.length > 0) {
    return { status: 'False' as const, reason: 'ValidationError', message: 'the policy cannot be applied' };
  }
  return active
    ? { status: 'True' as const, reason: 'ActiveTimeWindow', message: 'the nodes are lent out' }
    : { status: 'False' as const, reason: 'InactiveTimeWindow', message: 'now is outside all time windows' };
}
