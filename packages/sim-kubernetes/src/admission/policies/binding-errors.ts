import { checkSubdomain, pathSegmentName } from '../../registry/name-checks.ts';
import type { Errors } from '../../kinds/validation/field-checks.ts';
import { checkLabelSelector } from '../../kinds/validation/field-checks.ts';
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from '../../schema/field-errors.ts';
import { matchErrors } from './policy-errors.ts';
import type { BindingSpec, ParamRef } from './policy-objects.ts';

const actions = ['Audit', 'Deny', 'Warn'];

/** What is wrong with a ValidatingAdmissionPolicyBinding. */
export function bindingErrors({
  policyName = '',
  paramRef,
  matchResources,
  validationActions = [],
}: BindingSpec): Errors {
  const at = 'spec.policyName';
  return [
    ...(policyName === ''
      ? [requiredField(at)]
      : checkSubdomain(policyName).map((fault) => invalidField(at, policyName, fault))),
    ...(paramRef === undefined ? [] : paramErrors(paramRef)),
    ...(matchResources === undefined ? [] : matchErrors(matchResources, 'spec.matchResources')),
    ...actionErrors(validationActions),
  ];
}

function paramErrors({ name = '', selector, parameterNotFoundAction = '' }: ParamRef): Errors {
  const at = 'spec.paramRef';
  const exclusive = 'name and selector are mutually exclusive';
  const both = name !== '' && selector !== undefined;
  const choices = ['Deny', 'Allow'];
  const ofAction = choices.includes(parameterNotFoundAction)
    ? []
    : [unsupportedField(`${at}.parameterNotFoundAction`, parameterNotFoundAction, choices)];
  return [
    ...(name === '' ? [] : pathSegmentName(name, false).map((fault) => invalidField(`${at}.name`, name, fault))),
    ...(both ? [forbiddenField(`${at}.name`, exclusive)] : []),
    ...(selector === undefined ? [] : checkLabelSelector(selector, `${at}.selector`)),
    ...(both ? [forbiddenField(`${at}.selector`, exclusive)] : []),
    ...(name === '' && selector === undefined ? [requiredField(at, 'one of name or selector must be specified')] : []),
    ...(parameterNotFoundAction === '' ? [requiredField(`${at}.parameterNotFoundAction`)] : ofAction),
  ];
}

function actionErrors(given: readonly string[]): Errors {
  const at = 'spec.validationActions';
  const why = '(repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...given.flatMap((action, index) => [
      ...(actions.includes(action) ? [] : [unsupportedField(`${at}[${index}]`, action, actions)]),
      ...(given.indexOf(action) < index ? [duplicateField(`${at}[${index}]`, action)] : []),
    ]),
    ...(given.includes('Deny') && given.includes('Warn')
      ? [invalidField(at, given, `must not contain both Deny and Warn ${why}`)]
      : []),
    ...(given.length === 0 ? [requiredField(at, 'at least one validation action is required')] : []),
  ];
}
