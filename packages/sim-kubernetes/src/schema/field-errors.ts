import type { FieldError } from '../registry/field-error.ts';
import { goJson, goNumber, goQuote } from './go-format.ts';

/** Where a value is. The empty path is the object itself, which the API writes as `<nil>`. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function keyPath(path: string, key: string | number): string {
  return `${path}[${key}]`;
}

/** A value that a message shows as it is given, for example a Go struct with its fields in their order. */
export class Verbatim {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Stands for a value that a message leaves out. */
export const omitted: unique symbol = Symbol('omitted');

export function requiredField(path: string, detail = ''): FieldError {
  return make(path, 'FieldValueRequired', withDetail('Required value', detail));
}

export function invalidField(path: string, value: unknown, detail: string): FieldError {
  return make(path, 'FieldValueInvalid', withDetail(withValue('Invalid value', value), detail));
}

export function invalidType(path: string, value: unknown, detail: string): FieldError {
  return make(path, 'FieldValueTypeInvalid', withDetail(withValue('Invalid value', value), detail));
}

export function unsupportedField(path: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return make(path, 'FieldValueNotSupported', withDetail(withValue('Unsupported value', value), detail));
}

export function duplicateField(path: string, value: unknown): FieldError {
  return make(path, 'FieldValueDuplicate', withValue('Duplicate value', value));
}

export function forbiddenField(path: string, detail: string): FieldError {
  return make(path, 'FieldValueForbidden', withDetail('Forbidden', detail));
}

export function tooLongField(path: string, maxBytes: number): FieldError {
  return make(
    path,
    'FieldValueTooLong',
    `Too long: may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`,
  );
}

export function tooManyField(path: string, actual: number, max: number): FieldError {
  return make(
    path,
    'FieldValueTooMany',
    `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  );
}

function make(path: string, reason: FieldError['reason'], message: string): FieldError {
  return { field: path === '' ? '<nil>' : path, reason, message };
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}

function withValue(text: string, value: unknown): string {
  if (value === omitted) return text;
  if (value instanceof Verbatim) return `${text}: ${value.text}`;
  if (typeof value === 'string') return `${text}: ${goQuote(value)}`;
  if (typeof value === 'number') return `${text}: ${goNumber(value)}`;
  return `${text}: ${goJson(value)}`;
}
