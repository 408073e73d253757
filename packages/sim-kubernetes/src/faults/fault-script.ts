import type { Fault, FaultRule } from './fault-rule.ts';
import { matchesRequest } from './match-request.ts';
import type { RequestFacts } from './match-request.ts';

/** The rules in force, and what they have done so far. */
export type FaultScript = {
  readonly add: (rule: FaultRule) => () => void;
  readonly clear: () => void;
  readonly isEmpty: () => boolean;
  /** The faults that this request meets, in the order of their rules. */
  readonly hit: (facts: RequestFacts) => readonly Fault[];
  readonly hits: () => number;
};

type Running = { readonly rule: FaultRule; seen: number; hit: number };

export function createFaultScript(random: () => number): FaultScript {
  let running: readonly Running[] = [];
  let hits = 0;
  const hitsNow = (entry: Running, facts: RequestFacts): boolean => {
    const { match = {}, skip = 0, times = Infinity, chance = 1 } = entry.rule;
    if (!matchesRequest(match, facts)) return false;
    entry.seen++;
    if (entry.seen <= skip || entry.hit >= times) return false;
    // Chance is drawn only where it counts, so that rules without it do not disturb a seeded run.
    if (chance < 1 && random() >= chance) return false;
    entry.hit++;
    return true;
  };
  return {
    add: (rule) => {
      const entry: Running = { rule, seen: 0, hit: 0 };
      running = [...running, entry];
      return () => void (running = running.filter((other) => other !== entry));
    },
    clear: () => void (running = []),
    isEmpty: () => running.length === 0,
    hit: (facts) => {
      const met = running.filter((entry) => hitsNow(entry, facts)).map(({ rule }) => rule.fault);
      if (met.length > 0) hits++;
      return met;
    },
    hits: () => hits,
  };
}
