import type { Draft } from '../../registry/json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import { pathSegmentName } from '../../registry/name-checks.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import { child, maybeChild, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkRequiredLabel } from '../validation/field-checks.ts';
import { validateReference } from './validate-reference.ts';

/** Where each type of metric keeps what it needs, in the order in which the server looks. */
const sources: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

export function validateMetric(metric: Draft, path: string): Errors {
  const type = text(metric, 'type');
  const types = Object.keys(sources).toSorted();
  const present = Object.values(sources).filter((field) => maybeChild(metric, field) !== undefined);
  const expected = sources[type];
  const [first] = present;
  const errors: FieldError[] = [];
  if (type === '') errors.push(requiredField(`${path}.type`, 'must specify a metric source type'));
  if (expected === undefined) errors.push(unsupportedField(`${path}.type`, type, types));
  if (first !== undefined) errors.push(...validateSource(first, child(metric, first), `${path}.${first}`));
  if (expected !== undefined && !present.includes(expected)) {
    errors.push(requiredField(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return errors;
  const others = present.filter((field) => field !== expected);
  const fault = 'must populate the given metric source only';
  return [...errors, ...others.map((field) => forbiddenField(`${path}.${field}`, fault))];
}

function validateSource(field: string, source: Draft, path: string): Errors {
  const target = child(source, 'target');
  const named = field === 'resource' || field === 'containerResource';
  return [
    ...(field === 'object' ? validateReference(child(source, 'describedObject'), `${path}.describedObject`, true) : []),
    ...(named ? resourceErrors(source, path) : metricErrors(child(source, 'metric'), `${path}.metric`)),
    ...(field === 'containerResource' ? containerErrors(source, path) : []),
    ...targetErrors(target, `${path}.target`),
    ...choiceErrors(field, target, `${path}.target`),
  ];
}

function resourceErrors(source: Draft, path: string): Errors {
  return text(source, 'name') === '' ? [requiredField(`${path}.name`, 'must specify a resource name')] : [];
}

function containerErrors(source: Draft, path: string): Errors {
  const container = text(source, 'container');
  if (container === '') return [requiredField(`${path}.container`, 'must specify a container')];
  return checkRequiredLabel(container, `${path}.container`);
}

function metricErrors(metric: Draft, path: string): Errors {
  const name = text(metric, 'name');
  if (name === '') return [requiredField(`${path}.name`, 'must specify a metric name')];
  return pathSegmentName(name, false).map((fault) => invalidField(`${path}.name`, name, fault));
}

function targetErrors(target: Draft, path: string): Errors {
  const type = text(target, 'type');
  const errors: FieldError[] = [];
  if (type === '') errors.push(requiredField(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalidField(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const key of ['value', 'averageValue']) {
    const value = text(target, key);
    const sound = !(key in target) || (!value.startsWith('-') && /[1-9]/.test(value));
    if (!sound) errors.push(invalidField(`${path}.${key}`, value, 'must be positive'));
  }
  const share = target['averageUtilization'];
  if (typeof share === 'number' && share < 1) {
    errors.push(invalidField(`${path}.averageUtilization`, share, 'must be greater than 0'));
  }
  return errors;
}

/** Each type of metric aims at one of two numbers. */
function choiceErrors(field: string, target: Draft, path: string): Errors {
  const has = (key: string): boolean => target[key] !== undefined;
  const require = (key: string, why: string): Errors => [requiredField(`${path}.${key}`, why)];
  if (field === 'pods')
    return has('averageValue') ? [] : require('averageValue', 'must specify a positive target averageValue');
  if (field === 'object') {
    if (has('value') || has('averageValue')) return [];
    return require('averageValue', 'must set either a target value or averageValue');
  }
  if (field === 'external') {
    const either = 'must set either a target value for metric or a per-pod target';
    if (!has('value') && !has('averageValue')) return require('averageValue', either);
    const both = 'may not set both a target value for metric and a per-pod target';
    return has('value') && has('averageValue') ? [forbiddenField(`${path}.value`, both)] : [];
  }
  const either = 'must set either a target raw value or a target utilization';
  if (!has('averageUtilization') && !has('averageValue')) return require('averageUtilization', either);
  const both = 'may not set both a target raw value and a target utilization';
  return has('averageUtilization') && has('averageValue') ? [forbiddenField(`${path}.averageValue`, both)] : [];
}
