import type { FieldError } from '../registry/field-error.ts';
import {
  invalidField,
  invalidType,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
} from './field-errors.ts';

/** One violated schema keyword, before it becomes a cause. `text` is the whole sentence of the validator. */
export type Finding = {
  readonly kind: 'required' | 'type' | 'invalid' | 'unsupported' | 'tooLong' | 'tooMany';
  /** May begin with a dot: the validator joins names that way. */
  readonly at: string;
  readonly text: string;
  readonly value: unknown;
  readonly limit?: number;
  readonly allowed?: readonly string[];
};

export function finding(kind: Finding['kind'], at: string, claim: string, value: unknown): Finding {
  return { kind, at, value, text: `${at} in body ${claim}` };
}

export function toFieldErrors(found: readonly Finding[], base: string): readonly FieldError[] {
  return found.map((one) => toFieldError(one, joined(base, one.at)));
}

function toFieldError(one: Finding, path: string): FieldError {
  switch (one.kind) {
    case 'required':
      return requiredField(path);
    case 'unsupported':
      return unsupportedField(path, one.value, one.allowed ?? []);
    case 'tooLong':
      return tooLongField(path, one.limit ?? -1);
    case 'tooMany':
      return tooManyField(path, one.value as number, one.limit ?? -1);
    case 'type':
      return invalidType(path, one.value, one.text);
    case 'invalid':
      return invalidField(path, one.value, one.text);
    default:
      return one.kind satisfies never;
  }
}

function joined(base: string, at: string): string {
  const name = at.startsWith('.') ? at.slice(1) : at;
  if (name === '') return base;
  if (base === '') return name;
  return `${base}.${name}`;
}
