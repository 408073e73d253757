import type { FieldError } from '../registry/field-error.ts';
import { forbiddenField, invalidField, requiredField, unsupportedField } from '../schema/field-errors.ts';
import { checkLabel1035 } from '../registry/name-checks.ts';
import { clientConfigErrors } from '../admission/webhooks/client-config-errors.ts';
import type { CrdConversion } from './crd-object.ts';

const at = 'spec.conversion';
const known = ['v1', 'v1beta1'];

/** How objects come from one version to another. */
export function conversionErrors(conversion: CrdConversion | undefined): readonly FieldError[] {
  if (!conversion) return [];
  const { strategy = '', webhook } = conversion;
  if (strategy === '') return [requiredField(`${at}.strategy`)];
  if (strategy === 'Webhook') return webhookErrors(webhook);
  const unknown = strategy === 'None' ? [] : [unsupportedField(`${at}.strategy`, strategy, ['None', 'Webhook'])];
  const detail = 'should not be set when strategy is not set to Webhook';
  return [
    ...unknown,
    ...(webhook?.clientConfig ? [forbiddenField(`${at}.webhookClientConfig`, detail)] : []),
    ...(webhook?.conversionReviewVersions?.length ? [forbiddenField(`${at}.conversionReviewVersions`, detail)] : []),
  ];
}

function webhookErrors(webhook: CrdConversion['webhook']): readonly FieldError[] {
  const client = `${at}.webhookClientConfig`;
  const config = webhook?.clientConfig;
  return [
    ...(config
      ? clientConfigErrors(config, client)
      : [requiredField(client, 'required when strategy is set to Webhook')]),
    ...reviewErrors(webhook?.conversionReviewVersions ?? []),
  ];
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
