import { EvaluationError, Optional, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import type { FieldError } from '../../registry/field-error.ts';
import type { ValidationRule } from '../../registry/schema-node.ts';
import { correlatedChild, correlatedItem, equalValues, nothing } from '../correlation.ts';
import type { Correlated } from '../correlation.ts';
import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  omitted,
  requiredField,
} from '../field-errors.ts';
import { isRecord } from '../schema-walk.ts';
import { restoreCalls } from './cel-source.ts';
import { toCelValue } from './cel-values.ts';
import type { CompiledRule, RuleTree } from './compile-rules.ts';

/**
 * What the rules of a schema say of a value. With an old value transition rules run too, and a rule that fails on a
 * part that has not changed is let through.
 */
export function validateRules(value: unknown, old: unknown, tree: RuleTree, path = ''): readonly FieldError[] {
  const before: Correlated = old === undefined ? nothing : { value: old };
  return checkTree(value, before, before, tree, path);
}

/** `near` is the closest place that has an old value: what it says of equality holds for what has none. */
function checkTree(
  value: unknown,
  old: Correlated,
  near: Correlated,
  tree: RuleTree,
  path: string,
): readonly FieldError[] {
  if (value === null || value === undefined) return [];
  const own = checkOwn(value, old, tree, path, old === nothing ? false : equalValues(value, near.value));
  if (Array.isArray(value)) return [...own, ...checkItems(value, old, tree, path)];
  return isRecord(value) ? [...own, ...checkFields(value, old, tree, path)] : own;
}

function checkItems(list: readonly unknown[], old: Correlated, tree: RuleTree, path: string): readonly FieldError[] {
  const { items } = tree;
  if (!items) return [];
  return list.flatMap((item, index) => {
    const was = correlatedItem(tree.schema, item, old);
    return checkTree(item, was, was, items, keyPath(path, index));
  });
}

function checkFields(
  value: { readonly [key: string]: unknown },
  old: Correlated,
  tree: RuleTree,
  path: string,
): readonly FieldError[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const property = tree.properties.get(key);
    const was = correlatedChild(key, old);
    if (property) return checkTree(item, was, was, property, childPath(path, key));
    return tree.values ? checkTree(item, was, was, tree.values, keyPath(path, key)) : [];
  });
}

function checkOwn(
  value: unknown,
  old: Correlated,
  tree: RuleTree,
  path: string,
  unchanged: boolean,
): readonly FieldError[] {
  if (tree.rules.length === 0) return [];
  const before = old.value === null ? undefined : old.value;
  const self = toCelValue(value, tree.schema, tree.isResource);
  const oldSelf = before === undefined ? undefined : toCelValue(before, tree.schema, tree.isResource);
  return tree.rules.flatMap((compiled) => {
    const optional = compiled.rule.optionalOldSelf === true;
    if (compiled.usesOldSelf && oldSelf === undefined && !optional) return [];
    const variables = { self, oldSelf: optional ? Optional.of(oldSelf) : oldSelf };
    const error = failure(compiled, variables, value, tree, path);
    return error && (compiled.usesOldSelf || !unchanged) ? [error] : [];
  });
}

type Variables = Parameters<CompiledRule['evaluate']>[0];

function failure(
  compiled: CompiledRule,
  variables: Variables,
  value: unknown,
  tree: RuleTree,
  path: string,
): FieldError | undefined {
  const type = tree.schema.type ?? '';
  try {
    if (compiled.evaluate(variables) === true) return undefined;
  } catch (error) {
    return invalidField(path, type, evaluationText(error, ruleText(compiled.rule)));
  }
  const detail = message(compiled, variables);
  const at = compiled.fieldPath === '' ? path : joinPaths(path, compiled.fieldPath);
  return forReason(at, type === 'object' || type === 'array' ? omitted : value, detail, compiled.rule.reason);
}

function joinPaths(path: string, below: string): string {
  return below.startsWith('[') ? `${path}${below}` : childPath(path, below);
}

function forReason(path: string, value: unknown, detail: string, reason: string | undefined): FieldError {
  if (reason === 'FieldValueForbidden') return forbiddenField(path, detail);
  if (reason === 'FieldValueRequired') return requiredField(path, detail);
  return reason === 'FieldValueDuplicate' ? duplicateField(path, value) : invalidField(path, value, detail);
}

/** A message expression that fails, or says nothing usable, gives way to the fixed message. */
function message({ rule, message: evaluate }: CompiledRule, variables: Variables): string {
  const made = evaluate && quietly(() => evaluate(variables));
  const text = typeof made === 'string' ? made.trim() : '';
  if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= 5 * 1024) return text;
  return rule.message === undefined || rule.message === '' ? `failed rule: ${ruleText(rule)}` : rule.message.trim();
}

function quietly(run: () => unknown): unknown {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function ruleText(rule: ValidationRule): string {
  return (rule.message === undefined || rule.message === '' ? rule.rule : rule.message).trim();
}

function evaluationText(error: unknown, rule: string): string {
  const text = evaluationReason(error);
  if (text === 'no such overload') {
    return `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
  }
  return `${text} evaluating rule: ${rule}`;
}

/** Why an expression could not be evaluated, in the words of the server. */
export function evaluationReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = restoreCalls(error.message.split('\n')[0] ?? '');
  if (!(error instanceof EvaluationError) && !(error instanceof CelTypeError)) return text;
  switch (error.code) {
    case 'no_such_key':
      return text.replace('No such key', 'no such key');
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(text)?.[1] ?? ''}`;
    case 'no_such_overload':
    case 'no_matching_overload':
      return 'no such overload';
    default:
      return text;
  }
}
