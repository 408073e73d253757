import type { FieldError } from '../registry/field-error.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../schema/field-errors.ts';
import { checkLabel1035 } from '../registry/name-checks.ts';
import type { CrdConversion } from './crd-object.ts';

const at = 'spec.conversion';
const known = ['v1', 'v1beta1'];

/**
 * How objects come from one version to another. Conversion by webhook is done by a function that the embedded server
 * was given at start; without one for this CRD the strategy is refused, for its objects could never be read.
 */
export function conversionErrors(
  conversion: CrdConversion | undefined,
  crdName: string,
  hasConverter: (crdName: string) => boolean,
): readonly FieldError[] {
  if (!conversion) return [];
  const { strategy = '', webhook } = conversion;
  if (strategy === '') return [requiredField(`${at}.strategy`)];
  if (strategy === 'Webhook') return [...webhookErrors(webhook), ...converterErrors(crdName, hasConverter)];
  const unknown = strategy === 'None' ? [] : [unsupportedField(`${at}.strategy`, strategy, ['None', 'Webhook'])];
  const detail = 'should not be set when strategy is not set to Webhook';
  return [
    ...unknown,
    ...(webhook?.clientConfig ? [forbiddenField(`${at}.webhookClientConfig`, detail)] : []),
    ...(webhook?.conversionReviewVersions?.length ? [forbiddenField(`${at}.conversionReviewVersions`, detail)] : []),
  ];
}

function webhookErrors(webhook: CrdConversion['webhook']): readonly FieldError[] {
  const config = webhook?.clientConfig;
  const client = `${at}.webhookClientConfig`;
  const errors: FieldError[] = [];
  if (!config) errors.push(requiredField(client, 'required when strategy is set to Webhook'));
  else if ((config['url'] === undefined) === (config['service'] === undefined)) {
    errors.push(requiredField(client, 'exactly one of url or service is required'));
  }
  return [...errors, ...reviewErrors(webhook?.conversionReviewVersions ?? [])];
}

function reviewErrors(versions: readonly string[]): readonly FieldError[] {
  const here = `${at}.conversionReviewVersions`;
  if (versions.length === 0) return [requiredField(here)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) !== index) return [invalidField(`${here}[${index}]`, version, 'duplicate version')];
    return checkLabel1035(version).map((detail) => invalidField(`${here}[${index}]`, version, detail));
  });
  if (versions.some((version) => known.includes(version))) return errors;
  return [...errors, invalidField(here, versions, `must include at least one of ${known.join(', ')}`)];
}

function converterErrors(crdName: string, hasConverter: (crdName: string) => boolean): readonly FieldError[] {
  if (hasConverter(crdName)) return [];
  const detail = `this server calls no conversion webhooks: give it a converter for ${crdName} when it starts`;
  return [invalidField(`${at}.strategy`, 'Webhook', detail)];
}
