import { isDeepStrictEqual } from 'node:util';
import { refusal } from '../../api/api-error.ts';
import { textOf } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { timestamp } from '../../api/route.ts';
import type { World } from '../../api/route.ts';
import { completed } from './ruleset.ts';
import type { Rule } from './ruleset.ts';

/** The server's own fields are not part of what a rule says. */
function definitionOf(given: Fields): Fields {
  const { id: _id, ref: _ref, version: _version, last_updated: _updated, position: _position, ...definition } = given;
  return definition;
}

/**
 * The new list of rules. A rule whose ref (or id) was there keeps its id, and its version rises only when it says
 * something else; every other rule is a new one.
 */
export function replaceRules(before: readonly Rule[], given: readonly Fields[], world: World): readonly Rule[] {
  const rules = given.map((fields) => toRule(fields, findOld(before, fields), world));
  for (const [index, { ref }] of rules.entries()) {
    if (rules.findIndex((other) => other.ref === ref) !== index) {
      throw refusal(400, 20217, `the ref '${ref}' is used by two rules`);
    }
  }
  return rules;
}

function findOld(before: readonly Rule[], fields: Fields): Rule | undefined {
  const id = textOf(fields['id']);
  const ref = textOf(fields['ref']);
  const old = before.find((rule) => rule.id === id) ?? before.find((rule) => ref !== undefined && rule.ref === ref);
  if (id !== undefined && !old) throw refusal(404, 10_003, `rule with ID '${id}' could not be found`);
  return old;
}

export function toRule(fields: Fields, old: Rule | undefined, world: World): Rule {
  const definition = definitionOf(fields);
  const id = old?.id ?? world.ids.hex(32);
  const ref = textOf(fields['ref']) ?? old?.ref ?? id;
  if (old && old.ref === ref && isDeepStrictEqual(completed(old.definition), completed(definition))) return old;
  return { id, ref, version: (old?.version ?? 0) + 1, lastUpdated: timestamp(world), definition };
}

/** `{index}` counts from one; `{before: ""}` is the beginning, `{after: ""}` the end. */
export function placeRule(rules: readonly Rule[], rule: Rule, position: unknown): readonly Rule[] {
  const others = rules.filter(({ id }) => id !== rule.id);
  const at = placeOf(others, position) ?? placeBefore(rules, rule, others.length);
  return [...others.slice(0, at), rule, ...others.slice(at)];
}

function placeBefore(rules: readonly Rule[], rule: Rule, end: number): number {
  const at = rules.findIndex(({ id }) => id === rule.id);
  return at === -1 ? end : at;
}

function placeOf(others: readonly Rule[], position: unknown): number | undefined {
  if (typeof position !== 'object' || position === null) return undefined;
  const { index, before, after } = position as {
    readonly index?: number;
    readonly before?: string;
    readonly after?: string;
  };
  if (index !== undefined) return Math.min(Math.max(index - 1, 0), others.length);
  if (before !== undefined) return before === '' ? 0 : indexOf(others, before);
  if (after !== undefined) return after === '' ? others.length : indexOf(others, after) + 1;
  return undefined;
}

function indexOf(rules: readonly Rule[], id: string): number {
  const at = rules.findIndex((rule) => rule.id === id);
  if (at === -1) throw refusal(400, 20_005, `rule with ID '${id}' could not be found`);
  return at;
}
