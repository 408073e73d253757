import type { Environment } from '@marcbachmann/cel-js';
import type { SchemaNode, ValidationRule } from '../../registry/schema-node.ts';
import { mapValueSchema } from '../schema-walk.ts';
import { createCelEnvironment } from './cel-environment.ts';
import { replaceCalls, usesVariable } from './cel-source.ts';
import { normaliseFieldPath } from './rule-field-path.ts';

export type Evaluate = (variables: { readonly self: unknown; readonly oldSelf?: unknown }) => unknown;

export type CompiledRule = {
  readonly rule: ValidationRule;
  readonly usesOldSelf: boolean;
  readonly evaluate: Evaluate;
  readonly message: Evaluate | undefined;
  /** The `fieldPath` of the rule as the API writes paths, empty when it has none. */
  readonly fieldPath: string;
};

/** The rules of a schema in its own shape: only the branches that hold any. */
export type RuleTree = {
  readonly schema: SchemaNode;
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly items: RuleTree | undefined;
  readonly values: RuleTree | undefined;
};

const trees = new WeakMap<SchemaNode, { readonly tree: RuleTree | undefined }>();

/** Compiles all rules below a resource's schema, once per schema. Undefined when there are none. */
export function compileRules(schema: SchemaNode): RuleTree | undefined {
  const known = trees.get(schema);
  if (known) return known.tree;
  const environment = createCelEnvironment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
  const tree = compileNode(environment, schema, true);
  trees.set(schema, { tree });
  return tree;
}

function compileNode(environment: Environment, schema: SchemaNode, isResource: boolean): RuleTree | undefined {
  const below = (node: SchemaNode | undefined): RuleTree | undefined =>
    node && compileNode(environment, node, node['x-kubernetes-embedded-resource'] === true);
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const tree = below(property);
    if (tree) properties.set(name, tree);
  }
  const items = below(schema.items);
  const values = below(mapValueSchema(schema));
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) => compileRule(environment, schema, rule));
  if (rules.length === 0 && properties.size === 0 && !items && !values) return undefined;
  return { schema, isResource, rules, properties, items, values };
}

function compileRule(environment: Environment, schema: SchemaNode, rule: ValidationRule): CompiledRule {
  return {
    rule,
    usesOldSelf: usesVariable(rule.rule, 'oldSelf'),
    evaluate: environment.parse(replaceCalls(rule.rule)),
    message:
      rule.messageExpression === undefined || rule.messageExpression === ''
        ? undefined
        : environment.parse(replaceCalls(rule.messageExpression)),
    fieldPath: rule.fieldPath === undefined ? '' : (normaliseFieldPath(rule.fieldPath, schema)?.path ?? ''),
  };
}
