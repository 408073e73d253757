import type { FieldError } from '../../registry/field-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import { checkLabel1035, checkQualifiedName, checkSubdomain } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { checkLabelSelector } from '../../kinds/validation/field-checks.ts';
import type { Errors } from '../../kinds/validation/field-checks.ts';
import { compileProblem } from '../../schema/cel/check-rule.ts';
import {
  duplicateField,
  invalidField,
  requiredField,
  tooManyField,
  unsupportedField,
} from '../../schema/field-errors.ts';
import { clientConfigErrors } from './client-config-errors.ts';
import { expressionEnvironment } from '../expression-variables.ts';
import { ruleErrors } from './rule-errors.ts';
import type { Webhook } from './webhook-configuration.ts';

const reviewVersions = ['v1', 'v1beta1'];
const sideEffectClasses = ['None', 'NoneOnDryRun'];
const mostConditions = 64;

/** What is wrong with a webhook configuration; conditions that stood before in `old` are not looked at again. */
export function webhookConfigurationErrors(object: JsonObject, old: JsonObject | undefined): Errors {
  const hooks = (object['webhooks'] ?? []) as unknown as readonly Webhook[];
  const before = (old?.['webhooks'] ?? []) as unknown as readonly Webhook[];
  const sameConditions =
    old !== undefined &&
    hooks.length === before.length &&
    hooks.every((hook, index) => sameJson(hook.matchConditions, before[index]?.matchConditions));
  const names = hooks.map(({ name }) => name ?? '');
  return hooks.flatMap((hook, index) => {
    const at = `webhooks[${index}]`;
    const name = hook.name ?? '';
    const repeated = name !== '' && names.indexOf(name) < index;
    return [
      ...nameErrors(name, `${at}.name`),
      ...(hook.rules ?? []).flatMap((rule, place) => ruleErrors(rule, `${at}.rules[${place}]`)),
      ...policyErrors(hook, at),
      ...checkLabelSelector(hook.namespaceSelector, `${at}.namespaceSelector`),
      ...checkLabelSelector(hook.objectSelector, `${at}.objectSelector`),
      ...reinvocationErrors(hook, at),
      ...clientConfigErrors(hook.clientConfig ?? {}, `${at}.clientConfig`),
      ...(sameConditions ? [] : conditionErrors(hook, `${at}.matchConditions`)),
      ...reviewVersionErrors(hook.admissionReviewVersions ?? [], `${at}.admissionReviewVersions`),
      ...(repeated ? [duplicateField(`${at}.name`, name)] : []),
    ];
  });
}

/** A name with a domain, so that it can be told apart wherever it is mentioned. */
function nameErrors(name: string, at: string): Errors {
  if (name === '') return [requiredField(at)];
  const faults = checkSubdomain(name);
  if (faults.length > 0) return [invalidField(at, name, faults.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalidField(at, name, 'should be a domain with at least three segments separated by dots')];
}

function policyErrors(hook: Webhook, at: string): Errors {
  const { failurePolicy, matchPolicy, sideEffects, timeoutSeconds } = hook;
  const errors: FieldError[] = [];
  if (failurePolicy !== undefined && !['Fail', 'Ignore'].includes(failurePolicy)) {
    errors.push(unsupportedField(`${at}.failurePolicy`, failurePolicy, ['Fail', 'Ignore']));
  }
  if (matchPolicy !== undefined && !['Equivalent', 'Exact'].includes(matchPolicy)) {
    errors.push(unsupportedField(`${at}.matchPolicy`, matchPolicy, ['Equivalent', 'Exact']));
  }
  if (sideEffects === undefined) {
    errors.push(requiredField(`${at}.sideEffects`, `must specify one of ${sideEffectClasses.join(', ')}`));
  } else if (!sideEffectClasses.includes(sideEffects)) {
    errors.push(unsupportedField(`${at}.sideEffects`, sideEffects, sideEffectClasses));
  }
  if (timeoutSeconds !== undefined && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalidField(`${at}.timeoutSeconds`, timeoutSeconds, detail));
  }
  return errors;
}

function reinvocationErrors({ reinvocationPolicy: policy }: Webhook, at: string): Errors {
  if (policy === undefined || policy === 'IfNeeded' || policy === 'Never') return [];
  return [unsupportedField(`${at}.reinvocationPolicy`, policy, ['IfNeeded', 'Never'])];
}

/** `more`: variables beside those that every condition may speak of. */
export function conditionErrors(
  { matchConditions = [] }: Pick<Webhook, 'matchConditions'>,
  at: string,
  more: readonly string[] = [],
): Errors {
  if (matchConditions.length === 0) return [];
  const names = matchConditions.map(({ name }) => name ?? '');
  const environment = expressionEnvironment(more);
  return [
    ...(matchConditions.length > mostConditions ? [tooManyField(at, matchConditions.length, mostConditions)] : []),
    ...matchConditions.flatMap(({ name = '', expression = '' }, index) => {
      const here = `${at}[${index}]`;
      const trimmed = expression.trim();
      const problem = trimmed === '' ? undefined : compileProblem(environment, trimmed, 'bool');
      const repeated = name !== '' && names.indexOf(name) < index;
      return [
        ...(trimmed === '' ? [requiredField(`${here}.expression`)] : []),
        ...(problem === undefined ? [] : [invalidField(`${here}.expression`, trimmed, problem)]),
        ...(name === ''
          ? [requiredField(`${here}.name`)]
          : checkQualifiedName(name).map((fault) => invalidField(`${here}.name`, name, fault))),
        ...(repeated ? [duplicateField(`${here}.name`, name)] : []),
      ];
    }),
  ];
}

function reviewVersionErrors(versions: readonly string[], at: string): Errors {
  if (versions.length === 0) return [requiredField(at, `must specify one of ${reviewVersions.join(', ')}`)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) !== index) return [invalidField(`${at}[${index}]`, version, 'duplicate version')];
    return checkLabel1035(version).map((detail) => invalidField(`${at}[${index}]`, version, detail));
  });
  if (versions.some((version) => reviewVersions.includes(version))) return errors;
  return [...errors, invalidField(at, versions, `must include at least one of ${reviewVersions.join(', ')}`)];
}
