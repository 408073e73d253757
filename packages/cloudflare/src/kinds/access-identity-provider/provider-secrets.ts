import type { Secret } from '@tributary/runtime';
import type { Child, Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import type { SecretUse } from '../../engine/l4-state/secret-use.ts';
import { ownSecret, toUse } from '../../refs/access/used-secret.ts';
import { snakeCase } from '../../refs/snake-case.ts';
import type { AccessIdentityProvider } from './resource.ts';

export type ProviderSecrets = { readonly use?: SecretUse; readonly child?: Child };

/** Options that a Secret may hold, under these names or as `CLIENT_SECRET`. */
const options = ['clientId', 'clientSecret', 'apiToken'] as const;

/** Where the secrets of a provider are: in the Secret that it names, else in one of ours for what it says in clear text. */
export function secretsOf(object: AccessIdentityProvider, refs: Refs): Resolution<ProviderSecrets> {
  const { configSecretRef, config, scimConfig } = object.spec;
  if (!configSecretRef) {
    const values = {
      'config.client_secret': config?.clientSecret,
      'config.api_token': config?.apiToken,
      'scim_config.secret': scimConfig?.secret,
    };
    return { ok: true, value: ownSecret('AccessIdentityProvider', object, values, refs) ?? {} };
  }
  const place = { namespace: configSecretRef.namespace || refs.operatorNamespace, name: configSecretRef.name };
  const secret = refs.secret(place);
  if (!secret.ok) {
    const state = secret.reason === 'NotReady' ? 'waiting' : 'broken';
    return { ok: false, state, reason: 'SecretNotFound', message: `spec.configSecretRef: ${secret.message}` };
  }
  const entries = entriesOf(secret.value, configSecretRef.key);
  if (Object.keys(entries).length === 0) {
    const message = `spec.configSecretRef.key: Secret ${place.namespace}/${place.name} has no ${configSecretRef.key}`;
    return { ok: false, state: 'broken', reason: 'InvalidSecret', message };
  }
  const values = Object.fromEntries(
    Object.entries(entries).map(([path, entry]) => [path, decoded(secret.value.data?.[entry])]),
  );
  return { ok: true, value: { use: toUse(place, entries, values, object.metadata.uid) } };
}

function entriesOf({ data = {} }: Secret, key: string): Readonly<Record<string, string>> {
  const known = options.flatMap((option): readonly (readonly [string, string])[] => {
    const name = [option, snakeCase(option), snakeCase(option).toUpperCase()].find((each) => data[each] !== undefined);
    return name === undefined ? [] : [[`config.${snakeCase(option)}`, name]];
  });
  const entries = Object.fromEntries(known);
  const isOther = data[key] !== undefined && !Object.values(entries).includes(key);
  return isOther ? { ...entries, 'config.client_secret': key } : entries;
}

function decoded(value = ''): string {
  return Buffer.from(value, 'base64').toString();
}
