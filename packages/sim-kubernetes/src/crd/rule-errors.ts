import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode, ValidationRule } from '../registry/schema-node.ts';
import { createCelEnvironment } from '../schema/cel/cel-environment.ts';
import { declareTypes } from '../schema/cel/cel-types.ts';
import { usesVariable } from '../schema/cel/cel-source.ts';
import { compileProblem } from '../schema/cel/check-rule.ts';
import { followFieldPath } from '../schema/cel/rule-field-path.ts';
import { childPath, invalidField, keyPath, requiredField, unsupportedField, Verbatim } from '../schema/field-errors.ts';
import { goJsonInOrder } from '../schema/go-format.ts';
import { mapValueSchema } from '../schema/schema-walk.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Rules that are badly written down, before anyone tries to compile them. */
export function ruleShapeErrors(node: SchemaNode, path: string): readonly FieldError[] {
  return (node['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
    shapeErrors(node, rule, keyPath(childPath(path, 'x-kubernetes-validations'), index)),
  );
}

function shapeErrors(node: SchemaNode, rule: ValidationRule, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const text = (rule.rule ?? '').trim();
  const message = rule.message ?? '';
  if (text === '') errors.push(requiredField(childPath(at, 'rule'), 'rule is not specified'));
  else if (message !== '' && message.trim() === '') {
    errors.push(invalidField(childPath(at, 'message'), message, 'must be non-empty if specified'));
  } else if (hasBreaks(message.trim())) {
    errors.push(invalidField(childPath(at, 'message'), message, 'must not contain line breaks'));
  } else if (hasBreaks(text) && message.trim() === '') {
    errors.push(requiredField(childPath(at, 'message'), 'message must be specified if rule contains line breaks'));
  }
  if (rule.messageExpression !== undefined && rule.messageExpression !== '' && rule.messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(requiredField(childPath(at, 'messageExpression'), detail));
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    errors.push(unsupportedField(childPath(at, 'reason'), rule.reason, reasons));
  }
  return [...errors, ...fieldPathErrors(node, rule, at)];
}

function fieldPathErrors(node: SchemaNode, { fieldPath = '' }: ValidationRule, at: string): readonly FieldError[] {
  if (fieldPath === '') return [];
  const here = childPath(at, 'fieldPath');
  return [
    ...(fieldPath.trim() === '' ? [invalidField(here, fieldPath, 'must be non-empty if specified')] : []),
    ...(hasBreaks(fieldPath) ? [invalidField(here, fieldPath, 'must not contain line breaks')] : []),
    ...(typeof followFieldPath(fieldPath, node) === 'string'
      ? [invalidField(here, fieldPath, 'must be a valid path')]
      : []),
  ];
}

/** `uncorrelatable`: the list within which an item cannot be told from the others, so that it has no old self. */
type Place = { readonly isResource: boolean; readonly uncorrelatable?: string };

/** Rules that do not compile against the types of the schema. What they cost at most is not estimated here. */
export function ruleCompileErrors(
  node: SchemaNode,
  path: string,
  place: Place = { isResource: true },
): readonly FieldError[] {
  const below = (schema: SchemaNode | undefined, at: string, uncorrelatable?: string): readonly FieldError[] => {
    if (!schema) return [];
    const within = place.uncorrelatable ?? uncorrelatable;
    const isResource = schema['x-kubernetes-embedded-resource'] === true;
    return ruleCompileErrors(
      schema,
      at,
      within === undefined ? { isResource } : { isResource, uncorrelatable: within },
    );
  };
  const isMapList = node['x-kubernetes-list-type'] === 'map';
  return [
    ...below(mapValueSchema(node), childPath(path, 'additionalProperties')),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
      below(property, keyPath(childPath(path, 'properties'), name)),
    ),
    ...below(node.items, childPath(path, 'items'), isMapList ? undefined : path),
    ...(node['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
      compileErrors(node, rule, keyPath(childPath(path, 'x-kubernetes-validations'), index), place),
    ),
  ];
}

function compileErrors(node: SchemaNode, rule: ValidationRule, at: string, place: Place): readonly FieldError[] {
  const { isResource, uncorrelatable } = place;
  const optionalOldSelf = rule.optionalOldSelf === true;
  const environment = declareTypes(createCelEnvironment(), node, { isResource, optionalOldSelf });
  const errors: FieldError[] = [];
  const problem = compileProblem(environment, rule.rule, 'bool');
  if (problem !== undefined) errors.push(invalidField(childPath(at, 'rule'), goRule(rule), problem));
  if (problem === undefined && rule.messageExpression !== undefined && rule.messageExpression !== '') {
    const wrong = compileProblem(environment, rule.messageExpression, 'string');
    const detail = wrong?.startsWith('compilation failed') ? `messageExpression ${wrong}` : wrong;
    if (detail !== undefined) errors.push(invalidField(childPath(at, 'messageExpression'), goRule(rule), detail));
  }
  if (problem !== undefined) return errors;
  if (!usesVariable(rule.rule, 'oldSelf')) {
    if (rule.optionalOldSelf === undefined) return errors;
    const detail = 'may not be set if oldSelf is not used in rule';
    return [...errors, invalidField(childPath(at, 'optionalOldSelf'), rule.optionalOldSelf, detail)];
  }
  if (uncorrelatable === undefined) return errors;
  const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
  return [...errors, invalidField(childPath(at, 'rule'), rule.rule, detail)];
}

/** The rule as the server prints it: the fields of its Go struct. */
function goRule(rule: ValidationRule): Verbatim {
  const fields = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  return new Verbatim(goJsonInOrder(fields));
}

function hasBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}
