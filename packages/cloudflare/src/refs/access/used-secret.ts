import { secretKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import type { Child, Refs } from '../../engine/l2-controllers/contributor.ts';
import { hashSecrets } from '../../engine/l4-state/secret-use.ts';
import type { SecretUse } from '../../engine/l4-state/secret-use.ts';

/** Secrets of an object by their places in the request to Cloudflare: `config.client_secret`. */
export type SecretValues = Readonly<Record<string, string | undefined>>;

export type OwnSecret = { readonly use: SecretUse; readonly child: Child };

/**
 * Secrets that stand in an object in clear text. Nothing of them may come into a SyncState, so they go into a Secret of
 * the operator that goes with the object, in its namespace if it has one, and layer 5 takes them from there.
 */
export function ownSecret(
  kind: string,
  { metadata }: KubeObject,
  values: SecretValues,
  { operatorNamespace }: Pick<Refs, 'operatorNamespace'>,
): OwnSecret | undefined {
  const given = definedOf(values);
  if (Object.keys(given).length === 0) return undefined;
  const place = {
    namespace: metadata.namespace ?? operatorNamespace,
    name: `${kind.toLowerCase()}-${metadata.name ?? ''}`,
  };
  const data = Object.fromEntries(
    Object.entries(given).map(([path, value]) => [path, Buffer.from(value).toString('base64')]),
  );
  const entries = Object.fromEntries(Object.keys(given).map((path) => [path, path]));
  return {
    use: toUse(place, entries, given, metadata.uid),
    child: { kind: secretKind, object: { metadata: place, type: 'Opaque', data } as KubeObject, whole: ['data'] },
  };
}

export function toUse(
  place: { readonly namespace: string; readonly name: string },
  entries: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
  salt = '',
): SecretUse {
  return { ...place, entries: { ...entries }, salt, hash: hashSecrets(values, salt) };
}

function definedOf(values: SecretValues): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
