import { createFaultPlan as createAnyPlan } from '@tributary/sim-kit';
import type { ArmedFault as AnyArmed, FaultPlan as AnyPlan } from '@tributary/sim-kit';
import type { FaultMatch, FaultRule } from './fault-rule.ts';

export type FaultedCall = {
  readonly method: string;
  readonly path: string;
  readonly family: string;
  readonly tokenId: string;
};

export type ArmedFault = AnyArmed<FaultRule>;
export type FaultPlan = AnyPlan<FaultRule, FaultedCall>;

export type FaultPlanDeps = {
  readonly random: () => number;
  /** Old states must be kept from the moment that a rule may ask for them. */
  readonly keepHistory: (forMs: number) => void;
};

export function createFaultPlan({ random, keepHistory }: FaultPlanDeps): FaultPlan {
  return createAnyPlan<FaultRule, FaultedCall>({
    random,
    isMatch: ({ match = {} }, call) => isMatch(match, call),
    limitsOf: ({ skip, count, probability }) => ({ skip, times: count, chance: probability }),
    onArm: ({ fault }) => {
      if (fault.kind === 'eventual-read') keepHistory(fault.lagMs);
    },
  });
}

function isMatch(match: FaultMatch, call: FaultedCall): boolean {
  const methods = match.method === undefined ? undefined : [match.method].flat();
  return (
    (methods === undefined || methods.includes(call.method)) &&
    (match.path === undefined || toPattern(match.path).test(call.path)) &&
    (match.family === undefined || match.family === call.family) &&
    (match.tokenId === undefined || match.tokenId === call.tokenId) &&
    (match.write === undefined || match.write === (call.method !== 'GET'))
  );
}

function toPattern(glob: string): RegExp {
  const parts = glob.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
}
