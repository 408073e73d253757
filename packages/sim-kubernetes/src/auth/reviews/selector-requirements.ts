import { items, text, texts } from '../../kinds/draft-fields.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import { checkLabelValue, checkQualifiedName } from '../../registry/name-checks.ts';
import { parseLabelSelector } from '../../rest/label-selector.ts';
import { forbiddenField, invalidField, requiredField } from '../../schema/field-errors.ts';

export const selectorKinds = ['fieldSelector', 'labelSelector'] as const;
export type SelectorKind = (typeof selectorKinds)[number];

/** An operator that is not known is no fault: it may be one of a later version. */
export function requirementErrors(kind: SelectorKind, requirement: Draft, path: string): readonly FieldError[] {
  const [key, operator, values] = [
    text(requirement, 'key'),
    text(requirement, 'operator'),
    texts(requirement, 'values'),
  ];
  const errors: FieldError[] = [];
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    errors.push(requiredField(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    const fault = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push(forbiddenField(`${path}.values`, fault));
  }
  if (kind === 'fieldSelector')
    return key === '' ? [...errors, requiredField(`${path}.key`, 'must be specified')] : errors;
  errors.push(...checkQualifiedName(key).map((fault) => invalidField(`${path}.key`, key, fault)));
  values.forEach((value, index) => {
    errors.push(...checkLabelValue(value).map((fault) => invalidField(`${path}.values[${index}]`, value, fault)));
  });
  return errors;
}

/** How much of a selector can be read; the rest narrows nothing. */
export function readableShare(kind: SelectorKind, selector: Draft): 'all' | 'some' | 'none' {
  const raw = text(selector, 'rawSelector');
  if (raw !== '') return isReadable(kind, raw) ? 'all' : 'none';
  const given = items(selector, 'requirements');
  const read = given.filter((requirement) => isUnderstood(kind, requirement));
  return read.length === given.length ? 'all' : read.length === 0 ? 'none' : 'some';
}

function isReadable(kind: SelectorKind, raw: string): boolean {
  if (kind === 'fieldSelector') return raw.split(',').every((term) => term === '' || term.includes('='));
  try {
    parseLabelSelector(raw);
    return true;
  } catch {
    return false;
  }
}

/** Of fields only equality with one value is served so far. */
function isUnderstood(kind: SelectorKind, requirement: Draft): boolean {
  const operator = text(requirement, 'operator');
  if (kind === 'fieldSelector') return ['In', 'NotIn'].includes(operator) && texts(requirement, 'values').length === 1;
  return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator);
}
