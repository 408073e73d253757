import type { Refs, Resolution } from '../engine/l2-controllers/contributor.ts';
import type { CredentialsRef } from '../engine/l4-state/sync-state.ts';
import { cloudflareCredentialsKind } from '../kinds/cloudflare-credentials/resource.ts';
import type { CloudflareCredentials } from '../kinds/cloudflare-credentials/resource.ts';
import type { CloudflareDetails } from './cloudflare-details.ts';
import { oldest } from './oldest.ts';

/** With what, and in which account, an object's wishes are carried out. */
export type Account = {
  readonly credentials: CredentialsRef;
  /** Empty where nobody says and it was not required. */
  readonly accountId: string;
  /** Of the credentials; for objects that name no domain. */
  readonly defaultDomain?: string;
};

export type AccountOptions = {
  /** A Secret named directly does not tell the account, and what lives in a zone does not need it. */
  readonly accountOptional?: boolean;
};

export const tokenEntry = 'CLOUDFLARE_API_TOKEN';
export const keyEntry = 'CLOUDFLARE_API_KEY';

/**
 * The credentials of an object: those it names, else the Secret it names, else the default ones. Without a namespace (a
 * cluster-wide object) the Secret is in the operator's.
 */
export function credentialsOf(
  refs: Refs,
  details: CloudflareDetails | undefined,
  namespace: string | undefined,
  { accountOptional = false }: AccountOptions = {},
): Resolution<Account> {
  const found = find(refs, details ?? {}, namespace);
  if (!found.ok) return found;
  const accountId = details?.accountId || found.value.accountId;
  if (accountId === '' && !accountOptional) {
    return broken('AccountUnknown', 'spec.cloudflare.accountId: needed where a Secret is named without credentials');
  }
  return { ok: true, value: { ...found.value, accountId } };
}

function find(refs: Refs, details: CloudflareDetails, namespace: string | undefined): Resolution<Account> {
  const { credentialsRef, secret } = details;
  if (credentialsRef?.name) {
    const named = refs.get(cloudflareCredentialsKind, { name: credentialsRef.name });
    if (named) return { ok: true, value: toAccount(named) };
    return broken('CredentialsNotFound', `CloudflareCredentials ${credentialsRef.name} is not there`);
  }
  if (secret) return { ok: true, value: fromSecret(secret, details, namespace ?? refs.operatorNamespace) };
  const fallback = defaultCredentials(refs);
  if (fallback) return { ok: true, value: toAccount(fallback) };
  return broken('CredentialsNotFound', 'no credentials are named, and no CloudflareCredentials has isDefault: true');
}

/** Of several defaults the oldest counts. */
export function defaultCredentials(refs: Pick<Refs, 'list'>): CloudflareCredentials | undefined {
  return oldest(refs.list(cloudflareCredentialsKind).filter(({ spec }) => spec.isDefault));
}

function toAccount({ metadata, spec }: CloudflareCredentials): Account {
  return {
    credentials: { name: metadata.name ?? '' },
    accountId: spec.accountId,
    ...(spec.defaultDomain && { defaultDomain: spec.defaultDomain }),
  };
}

function fromSecret(name: string, details: CloudflareDetails, namespace: string): Account {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_KEY: key, email } = details;
  const entries = { tokenKey: token || tokenEntry, apiKeyKey: key || keyEntry };
  const secret = { namespace, name, ...entries, ...(email && { email }) };
  return { credentials: { name: '', secret }, accountId: '' };
}

function broken(reason: string, message: string): Extract<Resolution<never>, { readonly ok: false }> {
  return { ok: false, state: 'broken', reason, message };
}
