import type { Draft } from '../../registry/json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import { invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import { count, items, maybeNumber, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';

const longestWindowSeconds = 3600;
const longestPeriodSeconds = 1800;

/** How fast an autoscaler may go up or down. */
export function validateScalingRules(rules: Draft | undefined, path: string): Errors {
  if (rules === undefined) return [];
  const window = maybeNumber(rules, 'stabilizationWindowSeconds') ?? 0;
  const policies = items(rules, 'policies');
  const select = text(rules, 'selectPolicy');
  const errors: FieldError[] = [];
  const at = `${path}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(invalidField(at, window, 'must be greater than or equal to zero'));
  if (window > longestWindowSeconds) {
    errors.push(invalidField(at, window, `must be less than or equal to ${longestWindowSeconds}`));
  }
  const choices = ['Disabled', 'Max', 'Min'];
  if (!choices.includes(select)) errors.push(unsupportedField(`${path}.selectPolicy`, select, choices));
  if (policies.length === 0) errors.push(requiredField(`${path}.policies`, 'must specify at least one Policy'));
  return [...errors, ...policies.flatMap((policy, index) => validatePolicy(policy, `${path}.policies[${index}]`))];
}

function validatePolicy(policy: Draft, path: string): Errors {
  const [type, value, period] = [text(policy, 'type'), count(policy, 'value'), count(policy, 'periodSeconds')];
  const errors: FieldError[] = [];
  if (type !== 'Pods' && type !== 'Percent') errors.push(unsupportedField(`${path}.type`, type, ['Percent', 'Pods']));
  if (value <= 0) errors.push(invalidField(`${path}.value`, value, 'must be greater than zero'));
  if (period <= 0) errors.push(invalidField(`${path}.periodSeconds`, period, 'must be greater than zero'));
  if (period > longestPeriodSeconds) {
    errors.push(invalidField(`${path}.periodSeconds`, period, `must be less than or equal to ${longestPeriodSeconds}`));
  }
  return errors;
}
