import { CloudflareError, isCloudflareError, listAll } from '@tributary/cloudflare-api';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { cloudflareCredentialsContract } from './contract.ts';
import type { CredentialsConfig, CredentialsKey } from './contract.ts';

type Observed = { readonly name: string; readonly accountName: string; readonly accountId?: string };

/** Nothing is written: the credentials are tried by using them. */
export const cloudflareCredentialsTarget = defineTarget<CredentialsKey, CredentialsConfig, CredentialsConfig, Observed>(
  {
    contract: cloudflareCredentialsContract,
    aggregate: ([source]) =>
      source
        ? { ok: true, desired: source.config, losers: [] }
        : { ok: false, message: 'nobody says which account they are for' },
    scope: ({ name }) => name,
    observe: {
      lookup: async ({ key, desired }, call) => {
        if (!desired) return [];
        if ('accountName' in desired) return [{ name: key.name, ...(await accountNamed(desired.accountName, call)) }];
        if (desired.authType === 'apiToken') await verifyToken(desired.accountId, call);
        return [{ name: key.name, accountName: await nameOfAccount(desired.accountId, call) }];
      },
    },
    idOf: ({ name }) => name,
    relation: () => 'same',
    difference: () => [],
    giveUp: () => 'retain',
    outputs: ({ accountName, accountId }) => ({ data: { accountName, ...(accountId && { accountId }) } }),
  },
);

/** A token belongs to a user or to an account, and each kind is known at its own place only. */
async function verifyToken(accountId: string, { api, signal }: Call): Promise<void> {
  const status = await api.user.tokens.verify({ signal }).then(
    (answer) => answer.status,
    async (error: unknown) => {
      if (!isCloudflareError(error, 'auth', 'permission', 'validation', 'not-found')) throw error;
      const answer = await api.accounts.tokens.verify({ account_id: accountId }, { signal });
      return answer.status;
    },
  );
  if (status !== 'active') throw refused('auth', `the API token is ${status}`, '/user/tokens/verify');
}

/**
 * Not every token may ask about its account. One that may see accounts, but not this one, is for another; one that may see
 * none is believed.
 */
async function nameOfAccount(accountId: string, { api, signal }: Call): Promise<string> {
  try {
    const { name } = await api.accounts.get({ account_id: accountId }, { signal });
    return name;
  } catch (error) {
    if (!isCloudflareError(error, 'permission', 'not-found', 'validation')) throw error;
  }
  const visible = await listAll(api.accounts.list({ per_page: 50 }, { signal }));
  const found = visible.find(({ id }) => id === accountId);
  if (found || visible.length === 0) return found?.name ?? '';
  const names = visible.slice(0, 3).map(({ id }) => id);
  throw refused(
    'permission',
    `the credentials are not for account ${accountId} but for ${names.join(', ')}`,
    '/accounts',
  );
}

/** Names are not unique: only one that leads to a single account says which. */
async function accountNamed(accountName: string, { api, signal }: Call): Promise<Omit<Observed, 'name'>> {
  const found = await listAll(api.accounts.list({ name: accountName, per_page: 50 }, { signal }));
  const [first, ...more] = found.filter(({ name }) => name === accountName);
  if (first && more.length === 0) return { accountName, accountId: first.id };
  const ids = [first, ...more].flatMap((account) => account?.id ?? []).join(', ');
  const why = first
    ? `${more.length + 1} accounts are named ${accountName}: ${ids}; say which by accountId`
    : `the credentials see no account named ${accountName}; a token that may not read accounts needs accountId`;
  throw refused('permission', why, '/accounts');
}

function refused(errorClass: 'auth' | 'permission', detail: string, path: string): CloudflareError {
  return new CloudflareError({
    class: errorClass,
    retry: { kind: 'after', ms: 5 * 60_000 },
    family: 'other',
    method: 'GET',
    path,
    status: 200,
    apiCode: undefined,
    messages: [],
    detail,
    pointer: undefined,
    requestId: undefined,
    effect: 'none',
  });
}
