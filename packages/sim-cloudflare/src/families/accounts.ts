import { accountAccess, maySee, userAccess } from '../api/access.ts';
import { refusal } from '../api/api-error.ts';
import { toPage } from '../api/page.ts';
import { param } from '../api/route.ts';
import type { Call, Family, Reply } from '../api/route.ts';
import { globalScope } from '../store/table.ts';
import { accounts } from './account-tables.ts';
import type { Account } from './account-tables.ts';

/** Accounts, and what a caller can learn about its own credential. */
export const accountFamily: Family = {
  name: 'accounts',
  routes: [
    { method: 'GET', path: '/accounts', access: userAccess, run: listAccounts },
    { method: 'GET', path: '/accounts/:account', access: accountAccess(), run: getAccount },
    { method: 'GET', path: '/accounts/:account/tokens/verify', access: accountAccess(), run: verifyAccountToken },
    { method: 'GET', path: '/user/tokens/verify', access: userAccess, run: verifyUserToken },
    { method: 'GET', path: '/user', access: userAccess, run: getUser },
    { method: 'GET', path: '/memberships', access: userAccess, run: listMemberships },
  ],
};

function toAccount({ id, name, createdOn }: Account): unknown {
  const settings = { enforce_twofactor: false, api_access_enabled: null, access_approval_expiry: null };
  return { id, name, type: 'standard', settings, created_on: createdOn };
}

function listAccounts({ state, query, principal }: Call): Reply {
  const name = query.get('name');
  const rows = [...state.rows(accounts, globalScope).values()]
    .filter((account) => maySee(principal, account.id))
    .filter((account) => name === null || account.name.includes(name));
  return toPage(query, rows.map(toAccount), { defaultSize: 20, maxSize: 50 });
}

function getAccount(call: Call): Reply {
  const account = call.state.get(accounts, globalScope, param(call, 'account'));
  return { result: account ? toAccount(account) : null };
}

function verifyUserToken({ principal }: Call): Reply {
  // A token of an account is not known to the user's endpoint, nor is a key a token.
  if (principal.ownerAccountId !== undefined) throw refusal(401, 1000, 'Invalid API Token');
  if (principal.tokenId === 'global-key') throw refusal(400, 1001, 'No API token was sent');
  return tokenStatus(principal);
}

function verifyAccountToken(call: Call): Reply {
  if (call.principal.ownerAccountId !== param(call, 'account')) throw refusal(401, 1000, 'Invalid API Token');
  return tokenStatus(call.principal);
}

function tokenStatus({ tokenId, tokenStatus: status, expiresOn }: Call['principal']): Reply {
  const message = status === 'active' ? 'This API Token is valid and active' : `This API Token is ${status}`;
  const result = { id: tokenId, status, ...(expiresOn !== undefined && { expires_on: expiresOn }) };
  return { result, messages: [{ code: 10000, message }] };
}

function refuseAccountToken({ principal }: Call): void {
  if (principal.ownerAccountId !== undefined) throw refusal(403, 9109, 'Unauthorized to access requested resource');
}

function getUser(call: Call): Reply {
  refuseAccountToken(call);
  const { principal } = call;
  return { result: { id: principal.owner, email: 'user@example.com', suspended: false } };
}

/** The accounts that the user behind a credential is a member of. */
function listMemberships(call: Call): Reply {
  refuseAccountToken(call);
  const { state, query, principal } = call;
  const name = query.get('account.name') ?? query.get('name');
  const status = query.get('status') ?? 'accepted';
  const rows = [...state.rows(accounts, globalScope).values()]
    .filter((account) => maySee(principal, account.id) && status === 'accepted')
    .filter((account) => name === null || account.name === name);
  const memberships = rows.map((account) => ({
    id: account.id,
    status: 'accepted',
    account: toAccount(account),
    roles: ['Super Administrator - All Privileges'],
    permissions: {},
    api_access_enabled: null,
  }));
  return toPage(query, memberships, { defaultSize: 20, maxSize: 50 });
}
