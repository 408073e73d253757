import type { Loser } from '../../engine/l4-state/loser.ts';
import { withMark } from '../../engine/l4-state/ownership-mark.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import type { Source, SourceRef } from '../../engine/l4-state/source.ts';
import type { Aggregate } from '../../engine/l5-sync/target.ts';
import type { ZoneRule, ZoneRulesetConfig } from './contract.ts';
import type { WantedRule, WantedRuleset } from './ruleset.ts';

/**
 * All rules of all sources, in winning order and then as each source has them. A ref can be that of one rule only: the
 * first has it. The descriptions of all stand in that of the whole.
 */
export function aggregateRules(sources: readonly Source<ZoneRulesetConfig>[]): Aggregate<WantedRuleset> {
  const holders = new Map<string, SourceRef>();
  const losers: Loser[] = [];
  const rules: WantedRule[] = [];
  for (const { ref: source, config } of sources) {
    for (const rule of config.rules) {
      const holder = rule.ref === undefined ? undefined : holders.get(rule.ref);
      if (holder) losers.push(toLoser(source, rule.ref ?? '', holder));
      else rules.push({ owner: sourceId(source), rule: marked(rule, source), ...(config.adopt && { adopt: true }) });
      if (rule.ref !== undefined && !holder) holders.set(rule.ref, source);
    }
  }
  const descriptions = new Set(sources.flatMap(({ config }) => config.description || []));
  const description = descriptions.size > 0 ? { description: [...descriptions].join('; ') } : {};
  return { ok: true, desired: { ...description, rules }, losers };
}

function marked(rule: ZoneRule, source: SourceRef): ZoneRule {
  const { description = '' } = rule;
  // How long a description may be is not known; Cloudflare says when one is too long.
  const text = withMark(description, source, Number.POSITIVE_INFINITY);
  return { ...rule, description: text.ok ? text.text : description };
}

function toLoser(ref: SourceRef, name: string, winner: SourceRef): Loser {
  const reason = `${sourceId(winner)} has a rule with this ref already`;
  return { ref, what: `the rule with ref ${name}`, winner, reason };
}
