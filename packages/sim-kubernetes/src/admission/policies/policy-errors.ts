import { checkLabel1035, checkQualifiedName, checkSubdomain, pathSegmentName } from '../../registry/name-checks.ts';
import type { Errors } from '../../kinds/validation/field-checks.ts';
import { checkLabelSelector } from '../../kinds/validation/field-checks.ts';
import { compileProblem } from '../../schema/cel/check-rule.ts';
import { duplicateField, invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import { expressionEnvironment } from '../expression-variables.ts';
import { ruleErrors } from '../webhooks/rule-errors.ts';
import { conditionErrors } from '../webhooks/webhook-configuration-errors.ts';
import type { WebhookRule } from '../webhooks/webhook-configuration.ts';
import type { MatchResources, PolicySpec, PolicyValidation, PolicyVariable } from './policy-objects.ts';

type Environment = ReturnType<typeof expressionEnvironment>;

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const failurePolicies = ['Fail', 'Ignore'];

/** What is wrong with a ValidatingAdmissionPolicy. */
export function policyErrors(name: string, spec: PolicySpec): Errors {
  const { failurePolicy, paramKind, matchConstraints, validations = [], auditAnnotations = [], variables = [] } = spec;
  const params = paramKind === undefined ? [] : ['params'];
  const environment = expressionEnvironment([...params, 'namespaceObject', 'variables']);
  const nothing = 'validations or auditAnnotations must contain at least one item';
  return [
    ...(failurePolicy !== undefined && !failurePolicies.includes(failurePolicy)
      ? [unsupportedField('spec.failurePolicy', failurePolicy, failurePolicies)]
      : []),
    ...(paramKind === undefined ? [] : paramKindErrors(paramKind)),
    ...constraintErrors(matchConstraints),
    ...conditionErrors(spec, 'spec.matchConditions', params),
    ...variables.flatMap((variable, index) => variableErrors(environment, variable, `spec.variables[${index}]`)),
    ...(validations.length + auditAnnotations.length === 0
      ? [requiredField('spec.validations', nothing), requiredField('spec.auditAnnotations', nothing)]
      : []),
    ...validations.flatMap((validation, index) =>
      validationErrors(environment, validation, `spec.validations[${index}]`),
    ),
    ...annotationErrors(environment, name, auditAnnotations),
  ];
}

function constraintErrors(match: MatchResources | undefined): Errors {
  if (match === undefined) return [requiredField('spec.matchConstraints')];
  const at = 'spec.matchConstraints';
  const none = (match.resourceRules ?? []).length === 0;
  return [...matchErrors(match, at), ...(none ? [requiredField(`${at}.resourceRules`)] : [])];
}

/** What is wrong with a choice of requests. */
export function matchErrors(match: MatchResources, at: string): Errors {
  const { matchPolicy = '', resourceRules = [], excludeResourceRules = [] } = match;
  const known = ['Equivalent', 'Exact'];
  return [
    ...(known.includes(matchPolicy) ? [] : [unsupportedField(`${at}.matchPolicy`, matchPolicy, known)]),
    ...checkLabelSelector(match.namespaceSelector, `${at}.namespaceSelector`),
    ...checkLabelSelector(match.objectSelector, `${at}.objectSelector`),
    ...resourceRules.flatMap((rule, index) => namedRuleErrors(rule, `${at}.resourceRules[${index}]`)),
    ...excludeResourceRules.flatMap((rule, index) => namedRuleErrors(rule, `${at}.excludeResourceRules[${index}]`)),
  ];
}

function namedRuleErrors(rule: WebhookRule, at: string): Errors {
  const names = rule.resourceNames ?? [];
  const ofNames = names.flatMap((name, index) => [
    ...pathSegmentName(name, false).map((fault) => invalidField(`${at}.resourceNames[${index}]`, name, fault)),
    ...(names.indexOf(name) < index ? [duplicateField(`${at}.resourceNames[${index}]`, name)] : []),
  ]);
  return [...ofNames, ...ruleErrors(rule, at)];
}

function paramKindErrors({ apiVersion = '', kind = '' }: NonNullable<PolicySpec['paramKind']>): Errors {
  const at = 'spec.paramKind';
  const parts = apiVersion.split('/');
  const [group = '', version = ''] = parts.length === 1 ? ['', ...parts] : parts;
  const odd = `unexpected GroupVersion string: ${apiVersion}`;
  const versionErrors = (): Errors => {
    if (apiVersion === '') return [requiredField(`${at}.apiVersion`)];
    if (parts.length > 2) return [invalidField(`${at}.apiVersion`, apiVersion, odd)];
    const ofGroup = group === '' ? [] : checkSubdomain(group);
    const ofVersion = checkLabel1035(version);
    return [
      ...(ofGroup.length > 0 ? [invalidField(`${at}.apiVersion`, group, ofGroup.join(','))] : []),
      ...(ofVersion.length > 0 ? [invalidField(`${at}.apiVersion`, version, ofVersion.join(','))] : []),
    ];
  };
  const ofKind = checkLabel1035(kind.toLowerCase());
  const mixed = `may have mixed case, but should otherwise match: ${ofKind.join(',')}`;
  if (kind === '') return [...versionErrors(), requiredField(`${at}.kind`)];
  return [...versionErrors(), ...(ofKind.length > 0 ? [invalidField(`${at}.kind`, kind, mixed)] : [])];
}

function variableErrors(environment: Environment, { name = '', expression = '' }: PolicyVariable, at: string): Errors {
  const unnamed = 'must be a valid CEL identifier';
  return [
    ...(name.trim() === '' ? [requiredField(`${at}.name`, 'name is not specified')] : []),
    ...(name.trim() !== '' && !/^[A-Za-z_]\w*$/.test(name) ? [invalidField(`${at}.name`, name, unnamed)] : []),
    ...expressionErrors(environment, expression, `${at}.expression`, 'any'),
  ];
}

function expressionErrors(
  environment: Environment,
  expression: string,
  at: string,
  wanted: 'bool' | 'string' | 'any',
): Errors {
  if (expression.trim() === '') return [requiredField(at, 'expression is not specified')];
  const problem = compileProblem(environment, expression, wanted);
  return problem === undefined ? [] : [invalidField(at, expression, problem)];
}

function validationErrors(environment: Environment, validation: PolicyValidation, at: string): Errors {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  const blank = 'must be non-empty if specified';
  const messageErrors = (): Errors => {
    if (message !== '' && message.trim() === '') return [invalidField(`${at}.message`, message, blank)];
    if (!/[\n\r]/.test(message.trim())) return [];
    return [invalidField(`${at}.message`, message, 'must not contain line breaks')];
  };
  const spoken = messageExpression.trim() !== '';
  return [
    ...expressionErrors(environment, expression, `${at}.expression`, 'bool'),
    ...(messageExpression !== '' && !spoken ? [invalidField(`${at}.messageExpression`, messageExpression, blank)] : []),
    ...(spoken ? expressionErrors(environment, messageExpression, `${at}.messageExpression`, 'string') : []),
    ...messageErrors(),
    ...(reason === undefined || reasons.includes(reason) ? [] : [unsupportedField(`${at}.reason`, reason, reasons)]),
  ];
}

function annotationErrors(
  environment: Environment,
  name: string,
  annotations: NonNullable<PolicySpec['auditAnnotations']>,
): Errors {
  const keys = annotations.map(({ key = '' }) => key);
  return annotations.flatMap(({ key = '', valueExpression = '' }, index) => {
    const at = `spec.auditAnnotations[${index}]`;
    const full = `${name}/${key}`;
    const problem = compileProblem(environment, valueExpression.trim(), 'any');
    return [
      ...checkQualifiedName(full).map((fault) => invalidField(`${at}.key`, full, fault)),
      ...(valueExpression.trim() === ''
        ? [requiredField(`${at}.valueExpression`, 'valueExpression is not specified')]
        : []),
      ...(valueExpression.trim() !== '' && problem !== undefined
        ? [invalidField(`${at}.valueExpression`, valueExpression, problem)]
        : []),
      ...(keys.indexOf(key) < index ? [duplicateField(`${at}.key`, key)] : []),
    ];
  });
}
