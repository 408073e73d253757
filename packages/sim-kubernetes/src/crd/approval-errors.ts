import type { FieldError } from '../registry/field-error.ts';
import type { JsonObject } from '../registry/json.ts';
import { invalidField, requiredField } from '../schema/field-errors.ts';
import { goQuote } from '../schema/go-format.ts';
import { parseRequestUri } from '../schema/go-url.ts';

const annotation = 'api-approved.kubernetes.io';
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the Kubernetes project need a note of who approved them. */
export function approvalErrors(group: string, annotations: JsonObject | undefined): readonly FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const given = annotations?.[annotation];
  const value = typeof given === 'string' ? given : '';
  const at = `metadata.annotations[${annotation}]`;
  const must = `protected groups must have approval annotation ${goQuote(annotation)}`;
  if (value === '') return [requiredField(at, `${must}, ${see}`)];
  const url = parseRequestUri(value);
  if (value.startsWith('unapproved') || (url && url.host !== '' && url.scheme !== '')) return [];
  return [invalidField(at, value, `${must} with either a URL or a reason starting with "unapproved", ${see}`)];
}
