// Checks that many kinds share, in the words of the API.
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject } from '../../registry/json.ts';
import { checkLabel, checkLabelValue, checkQualifiedName, checkSubdomain } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import { child, items, text, textMap, texts } from '../draft-fields.ts';

export type Errors = readonly FieldError[];
type Fields = Draft | JsonObject;

export const protocols = ['SCTP', 'TCP', 'UDP'];

export function checkPort(port: unknown, path: string): Errors {
  const fits = typeof port === 'number' && port >= 1 && port <= 65_535;
  return fits ? [] : [invalidField(path, port ?? 0, 'must be between 1 and 65535, inclusive')];
}

/** A port by number or by name. */
export function checkPortReference(port: unknown, path: string): Errors {
  if (typeof port !== 'string') return checkPort(port, path);
  return portNameFaults(port).map((fault) => invalidField(path, port, fault));
}

export function portNameFaults(name: string): readonly string[] {
  const faults: string[] = [];
  if (name.length > 15) faults.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) {
    faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) faults.push('must contain at least one letter (a-z)');
  if (name.includes('--')) faults.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
}

export function checkNotNegative(value: unknown, path: string): Errors {
  return typeof value === 'number' && value < 0
    ? [invalidField(path, value, 'must be greater than or equal to 0')]
    : [];
}

export function checkSame(next: unknown, old: unknown, path: string): Errors {
  return sameJson(next, old) ? [] : [invalidField(path, next ?? null, 'field is immutable')];
}

/** One of a set of words; an empty one is a missing one. */
export function checkOneOf(value: string, path: string, allowed: readonly string[]): Errors {
  if (value === '') return [requiredField(path)];
  return allowed.includes(value) ? [] : [unsupportedField(path, value, allowed)];
}

export function checkRequiredLabel(value: string, path: string): Errors {
  if (value === '') return [requiredField(path)];
  return checkLabel(value).map((fault) => invalidField(path, value, fault));
}

/** A prefix of names is looked at again on every update of kinds that look at all of themselves. */
export function checkPrefix(object: Fields, checkName: (name: string, prefix: boolean) => readonly string[]): Errors {
  const prefix = text(child(object, 'metadata'), 'generateName');
  if (prefix === '') return [];
  return checkName(prefix, true).map((fault) => invalidField('metadata.generateName', prefix, fault));
}

export function checkSubdomainField(value: string, path: string): Errors {
  return checkSubdomain(value).map((fault) => invalidField(path, value, fault));
}

export function checkLabels(labels: Readonly<Record<string, string>>, path: string): Errors {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...checkQualifiedName(key).map((fault) => invalidField(path, key, fault)),
    ...checkLabelValue(value).map((fault) => invalidField(path, value, fault)),
  ]);
}

export function checkLabelSelector(selector: Fields | undefined, path: string): Errors {
  return [
    ...checkLabels(textMap(selector, 'matchLabels'), `${path}.matchLabels`),
    ...items(selector, 'matchExpressions').flatMap((expression, index) =>
      checkRequirement(expression, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

function checkRequirement(expression: Draft, path: string): Errors {
  const operator = text(expression, 'operator');
  const values = texts(expression, 'values');
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(requiredField(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const fault = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbiddenField(`${path}.values`, fault));
    }
  } else errors.push(invalidField(`${path}.operator`, operator, 'not a valid selector operator'));
  const key = text(expression, 'key');
  errors.push(...checkQualifiedName(key).map((fault) => invalidField(`${path}.key`, key, fault)));
  for (const [index, value] of values.entries()) {
    errors.push(...checkLabelValue(value).map((fault) => invalidField(`${path}.values[${index}]`, value, fault)));
  }
  return errors;
}

/** Whether a label selector as objects have it chooses these labels; an absent one chooses nothing. */
export function selectorMatches(selector: Fields | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined) return false;
  const equal = Object.entries(textMap(selector, 'matchLabels')).every(([key, value]) => labels[key] === value);
  return equal && items(selector, 'matchExpressions').every((expression) => meets(expression, labels));
}

function meets(expression: Draft, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[text(expression, 'key')];
  const operator = text(expression, 'operator');
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  const listed = value !== undefined && texts(expression, 'values').includes(value);
  return operator === 'In' ? listed : operator === 'NotIn' && !listed;
}

const dataKey = /^[-._a-zA-Z0-9]+$/;

/** Keys of ConfigMaps and Secrets become file names. */
export function checkDataKey(key: string, path: string): Errors {
  const faults: string[] = [];
  if (Buffer.byteLength(key) > 253) faults.push('must be no more than 253 characters');
  if (!dataKey.test(key)) {
    faults.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === '.') faults.push("must not be '.'");
  else if (key === '..') faults.push("must not be '..'");
  else if (key.startsWith('..')) faults.push("must not start with '..'");
  return faults.map((fault) => invalidField(`${path}[${key}]`, key, fault));
}
