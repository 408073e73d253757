import type { FieldError } from '../registry/field-error.ts';
import { invalidField, unsupportedField } from '../schema/field-errors.ts';

export type DeleteOptions = {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
};

const policies = ['Foreground', 'Background', 'Orphan'];

export function checkDeleteOptions({ orphanDependents, propagationPolicy, dryRun = [] }: DeleteOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    const text = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidField('propagationPolicy', propagationPolicy, text));
  }
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    errors.push(unsupportedField('propagationPolicy', propagationPolicy, [...policies, 'nil']));
  }
  return [...errors, ...checkDryRun(dryRun)];
}

export function checkDryRun(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [unsupportedField('dryRun', dryRun, ['All'])];
}
