import type { Refs, Resolution } from '../engine/l2-controllers/contributor.ts';
import { contribution } from '../engine/l4-state/contract.ts';
import type { CredentialsRef } from '../engine/l4-state/sync-state.ts';
import { cloudflareCredentialsKind } from '../kinds/cloudflare-credentials/resource.ts';
import type { CloudflareCredentials } from '../kinds/cloudflare-credentials/resource.ts';
import { cloudflareCredentialsContract } from '../targets/cloudflare-credentials/contract.ts';
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
  if (accountId !== '' || accountOptional) return { ok: true, value: { ...found.value, accountId } };
  if (details?.accountName) return byName(refs, found.value, details.accountName);
  const message = 'spec.cloudflare.accountId, or accountName: needed where a Secret is named without credentials';
  return broken('AccountUnknown', message);
}

/** Only layer 5 can ask Cloudflare whose name it is; until it has answered the object waits. */
function byName(refs: Refs, account: Account, accountName: string): Resolution<Account> {
  const { credentials } = account;
  const { namespace = '', name = '', tokenKey = '', apiKeyKey = '' } = credentials.secret ?? {};
  const key = { name: `${namespace}/${name}`, entries: `${tokenKey},${apiKeyKey}`, accountName };
  const lookup = contribution(cloudflareCredentialsContract, key, { accountName }, { credentials });
  const { status } = refs.lookUp(lookup) ?? {};
  const accountId = status?.resultData?.['accountId'];
  if (accountId) return { ok: true, value: { ...account, accountId } };
  if (status?.syncStatus === 'Error') {
    return broken('AccountNotFound', `spec.cloudflare.accountName: ${status.error ?? 'the lookup failed'}`);
  }
  const message = `the account ${accountName} is being looked up`;
  return { ok: false, state: 'waiting', reason: 'AccountPending', message };
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
