import { createFaultPlan as createAnyPlan } from '@tributary/sim-kit';
import type { ArmedFault as AnyArmed, FaultPlan as AnyPlan } from '@tributary/sim-kit';
import type { Params } from '../rpc/params.ts';
import type { FaultMatch, FaultRule } from './fault-rule.ts';

export type FaultedCall = {
  readonly action: string;
  readonly params: Params;
  readonly write: boolean;
  readonly accessKeyId: string;
};

export type ArmedFault = AnyArmed<FaultRule>;
export type FaultPlan = AnyPlan<FaultRule, FaultedCall>;

export function createFaultPlan({ random }: { readonly random: () => number }): FaultPlan {
  return createAnyPlan<FaultRule, FaultedCall>({
    random,
    isMatch: ({ match = {} }, call) => isMatch(match, call),
    limitsOf: (rule) => rule,
  });
}

function isMatch(match: FaultMatch, call: FaultedCall): boolean {
  const actions = match.action === undefined ? undefined : [match.action].flat();
  return (
    (actions === undefined || actions.includes(call.action)) &&
    (match.write === undefined || match.write === call.write) &&
    (match.accessKeyId === undefined || match.accessKeyId === call.accessKeyId) &&
    Object.entries(match.params ?? {}).every(([name, value]) => call.params[name] === value)
  );
}
