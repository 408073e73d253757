import type { JsonObject } from '../registry/json.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { compileRules } from '../schema/cel/compile-rules.ts';
import { validateRules } from '../schema/cel/validate-rules.ts';

/** Rules that an object breaks, as it did before: they let it pass, but not without a word. */
export function ratchetWarnings(
  schema: SchemaNode,
  object: JsonObject,
  old: JsonObject | undefined,
): readonly string[] {
  const tree = old === undefined ? undefined : compileRules(schema);
  const broken = tree === undefined ? [] : validateRules(object, undefined, tree);
  if (tree === undefined || broken.length === 0) return [];
  const refused = new Set(validateRules(object, old, tree).map(({ field, message }) => `${field}: ${message}`));
  return broken.map(({ field, message }) => `${field}: ${message}`).filter((text) => !refused.has(text));
}
