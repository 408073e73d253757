import { canonicalJson } from '@tributary/runtime';
import type { Connection, Informer, Result, Runnable } from '@tributary/runtime';
import type { CredentialsRef } from '../engine/l4-state/sync-state.ts';
import { cloudflareCredentialsKind } from '../kinds/cloudflare-credentials/resource.ts';
import type { CloudflareCredentials } from '../kinds/cloudflare-credentials/resource.ts';
import { readCredential } from './read-credential.ts';
import type { CredentialPlace, StoredCredential } from './read-credential.ts';
import { createWatchedSecrets } from './watched-secrets.ts';
import type { WatchedSecretsDeps } from './watched-secrets.ts';

/** The way from a reference in a SyncState to a credential. It watches the Secrets that are asked for and no others. */
export type CredentialStore = {
  readonly credentialFor: (ref: CredentialsRef) => Promise<Result<StoredCredential>>;
  /** Told when credentials that were asked for have become others. Returns unsubscribe. */
  readonly onChange: (listener: (ref: CredentialsRef) => void) => () => void;
  /** Secrets are watched while it runs. */
  readonly runnable: Runnable;
};

export type CredentialStoreDeps = WatchedSecretsDeps & Pick<Connection, 'cache'>;

export function createCredentialStore(deps: CredentialStoreDeps): CredentialStore {
  const objects = deps.cache.informer(cloudflareCredentialsKind);
  const listeners = new Set<(ref: CredentialsRef) => void>();
  const askers = new Map<string, Map<string, CredentialsRef>>();
  const tell = (ref: CredentialsRef): void => {
    for (const listener of listeners) listener(ref);
  };
  const secrets = createWatchedSecrets(deps, (key) => {
    for (const ref of askers.get(key)?.values() ?? []) tell(ref);
  });
  objects.onChange((change) => {
    // What the first list shows is no change, and neither is a status.
    if (change.initial) return;
    if (change.type === 'updated' && canonicalJson(change.object.spec) === canonicalJson(change.old.spec)) return;
    tell({ name: change.object.metadata.name ?? '' });
  });
  const credentialFor = async (ref: CredentialsRef): Promise<Result<StoredCredential>> => {
    const place = placeOf(ref, objects);
    if (!place.ok) return place;
    const { namespace, name } = place.value;
    const key = `${namespace}/${name}`;
    askers.set(key, (askers.get(key) ?? new Map<string, CredentialsRef>()).set(canonicalJson(ref), ref));
    const secret = await secrets.get({ namespace, name });
    return secret.ok ? readCredential(secret.value, place.value) : secret;
  };
  return {
    credentialFor,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    runnable: { name: 'credential-store', runs: 'always', run: secrets.run },
  };
}

/** Where the secret parts are, and which of them count. */
function placeOf(ref: CredentialsRef, objects: Pick<Informer<CloudflareCredentials>, 'get'>): Result<CredentialPlace> {
  if (ref.secret) {
    const { namespace, name, tokenKey, apiKeyKey, email } = ref.secret;
    const place = {
      namespace,
      name,
      tokenKey,
      keyKey: apiKeyKey,
      emailKeys: ['CLOUDFLARE_EMAIL', 'CLOUDFLARE_API_EMAIL'],
    };
    return { ok: true, value: { ...place, accepts: 'any', ...(email && { email }) } };
  }
  const object = objects.get({ name: ref.name });
  if (!object) return { ok: false, reason: 'NotFound', message: `CloudflareCredentials ${ref.name} is not there` };
  // Read as the schema would fill it in: a server with an older CRD may not have.
  const parsed = cloudflareCredentialsKind.parseSpec(object.spec);
  if (!parsed.ok)
    return { ok: false, reason: 'Invalid', message: `CloudflareCredentials ${ref.name}: ${parsed.message}` };
  const { secretRef, authType } = parsed.value;
  const { namespace, name, apiTokenKey: tokenKey, apiKeyKey: keyKey, emailKey } = secretRef;
  const accepts = authType === 'apiToken' ? 'token' : 'key';
  return { ok: true, value: { namespace, name, tokenKey, keyKey, emailKeys: [emailKey], accepts } };
}
