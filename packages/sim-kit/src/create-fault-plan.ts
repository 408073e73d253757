/** A rule as it stands: how many calls it met and how many it hit. */
export type ArmedFault<Rule> = { readonly id: number; readonly rule: Rule; readonly met: number; readonly hit: number };

/** What goes wrong, on demand. */
export type FaultPlan<Rule extends { readonly fault: unknown }, Call> = {
  /** Arms a rule; the number is for `disarm`. */
  readonly arm: (rule: Rule) => number;
  readonly disarm: (id: number) => void;
  readonly clear: () => void;
  readonly list: () => readonly ArmedFault<Rule>[];
  /** The faults that hit this call, in the order in which their rules were armed. */
  readonly draw: (call: Call) => readonly Rule['fault'][];
};

export type FaultPlanDeps<Rule, Call> = {
  readonly random: () => number;
  readonly isMatch: (rule: Rule, call: Call) => boolean;
  readonly limitsOf: (rule: Rule) => FaultLimits;
  readonly onArm?: (rule: Rule) => void;
};

export type FaultLimits = {
  /** So many matching calls pass first. */
  readonly skip?: number | undefined;
  /** So many are hit; one when absent. */
  readonly times?: number | 'always' | undefined;
  /** Of those, this share. */
  readonly chance?: number | undefined;
};

export function createFaultPlan<Rule extends { readonly fault: unknown }, Call>(
  deps: FaultPlanDeps<Rule, Call>,
): FaultPlan<Rule, Call> {
  let armed: readonly ArmedFault<Rule>[] = [];
  let lastId = 0;

  const meet = (entry: ArmedFault<Rule>): { readonly entry: ArmedFault<Rule>; readonly hits: boolean } => {
    const { skip = 0, times = 1, chance } = deps.limitsOf(entry.rule);
    const open = entry.met >= skip && entry.hit < (times === 'always' ? Infinity : times);
    const hits = open && (chance === undefined || deps.random() < chance);
    return { entry: { ...entry, met: entry.met + 1, hit: entry.hit + (hits ? 1 : 0) }, hits };
  };

  return {
    arm: (rule) => {
      deps.onArm?.(rule);
      lastId += 1;
      armed = [...armed, { id: lastId, rule, met: 0, hit: 0 }];
      return lastId;
    },
    disarm: (id) => void (armed = armed.filter((entry) => entry.id !== id)),
    clear: () => void (armed = []),
    list: () => armed,
    draw: (call) => {
      const faults: Rule['fault'][] = [];
      armed = armed.map((entry) => {
        if (!deps.isMatch(entry.rule, call)) return entry;
        const met = meet(entry);
        if (met.hits) faults.push(entry.rule.fault);
        return met.entry;
      });
      return faults;
    },
  };
}
