import type { Fault, FaultMatch, FaultRule } from './fault-rule.ts';

export type FaultedCall = {
  readonly method: string;
  readonly path: string;
  readonly family: string;
  readonly tokenId: string;
};

/** A rule as it stands: how often it was met and how many calls it still hits. */
export type ArmedFault = { readonly id: number; readonly rule: FaultRule; readonly met: number; readonly hit: number };

export type FaultPlan = {
  /** Arms a rule; the number is for `disarm`. */
  readonly arm: (rule: FaultRule) => number;
  readonly disarm: (id: number) => void;
  readonly clear: () => void;
  readonly list: () => readonly ArmedFault[];
  /** The faults that hit this call, in the order in which their rules were armed. */
  readonly draw: (call: FaultedCall) => readonly Fault[];
};

export type FaultPlanDeps = {
  readonly random: () => number;
  /** Old states must be kept from the moment that a rule may ask for them. */
  readonly keepHistory: (forMs: number) => void;
};

export function createFaultPlan({ random, keepHistory }: FaultPlanDeps): FaultPlan {
  let armed: readonly ArmedFault[] = [];
  let lastId = 0;

  const meet = (entry: ArmedFault): { readonly entry: ArmedFault; readonly hits: boolean } => {
    const { rule } = entry;
    const limit = rule.count === 'always' ? Infinity : (rule.count ?? 1);
    const open = entry.met >= (rule.skip ?? 0) && entry.hit < limit;
    const hits = open && (rule.probability === undefined || random() < rule.probability);
    return { entry: { ...entry, met: entry.met + 1, hit: entry.hit + (hits ? 1 : 0) }, hits };
  };

  return {
    arm: (rule) => {
      if (rule.fault.kind === 'eventual-read') keepHistory(rule.fault.lagMs);
      lastId += 1;
      armed = [...armed, { id: lastId, rule, met: 0, hit: 0 }];
      return lastId;
    },
    disarm: (id) => void (armed = armed.filter((entry) => entry.id !== id)),
    clear: () => void (armed = []),
    list: () => armed,
    draw: (call) => {
      const faults: Fault[] = [];
      armed = armed.map((entry) => {
        if (!isMatch(entry.rule.match ?? {}, call)) return entry;
        const met = meet(entry);
        if (met.hits) faults.push(entry.rule.fault);
        return met.entry;
      });
      return faults;
    },
  };
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
