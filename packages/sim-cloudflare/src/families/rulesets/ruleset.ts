import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';

export type Rule = {
  readonly id: string;
  readonly ref: string;
  readonly version: number;
  readonly lastUpdated: string;
  /** What callers send: action, expression, parameters and so on. */
  readonly definition: Fields;
};

export type Ruleset = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: 'root' | 'zone' | 'custom';
  readonly phase: string;
  readonly version: number;
  readonly lastUpdated: string;
  readonly rules: readonly Rule[];
};

/** By account or zone. */
export const rulesets = defineTable<Ruleset>('rulesets');

/** As a caller sees it. A list leaves the rules out, and a ruleset without any has no such field. */
export function toRuleset(ruleset: Ruleset, withRules = true): object {
  const { id, name, description, kind, phase, version, lastUpdated, rules } = ruleset;
  return {
    id,
    name,
    description,
    kind,
    phase,
    version: String(version),
    last_updated: lastUpdated,
    ...(withRules && rules.length > 0 && { rules: rules.map(toRule) }),
  };
}

/** Actions whose matches are logged unless the rule says otherwise. */
const logged = new Set(['skip', 'execute', 'block']);

/** What a rule says, with what it says by saying nothing. */
export function completed(definition: Fields): Fields {
  const { action } = definition;
  return {
    enabled: true,
    ...(typeof action === 'string' && logged.has(action) && { logging: { enabled: true } }),
    ...definition,
  };
}

function toRule({ id, ref, version, lastUpdated, definition }: Rule): object {
  return {
    ...completed(definition),
    id,
    ref,
    version: String(version),
    last_updated: lastUpdated,
  };
}
