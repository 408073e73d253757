// Acting as somebody else. Since Kubernetes 1.36 there are narrow ways (only as an account, only for some verbs), which
// are tried first, and the old one, which gives everything that the other may do.
import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../registry/admission.ts';
import { isApiError } from '../registry/api-error.ts';
import { attributesOf } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { anonymous, authenticatedGroup, checkAllowed, forbiddenRequest, mastersGroup } from './authorizer.ts';
import type { Authorizer } from './authorizer.ts';
import { wantedUser } from './impersonation-headers.ts';
import { accountOf, associatedNode, narrowModes, nodeOf } from './impersonation-modes.ts';

/** Who the request is made as: the caller, or whom it may act as. Throws 403 when it may not. */
export type Impersonate = (caller: UserInfo, request: ApiRequest) => UserInfo;

const oldWay = '';
const authentication = 'authentication.k8s.io';
/** From so many on, a right to all of them is looked for first. */
const many = 4;

export function createImpersonation(authorizer: Authorizer): Impersonate {
  // The way that worked for a caller is tried first the next time, and its refusal is the one that is told.
  const lastWay = new Map<string, string>();
  return (caller, request) => {
    const wanted = wantedUser(request);
    if (wanted === undefined) return caller;
    const attributes = attributesOf(caller, request);
    const ways = [...narrowModes.filter(({ fits }) => fits(wanted, caller)).map(({ name }) => name), oldWay];
    const last = lastWay.get(caller.username);
    if (last !== undefined && ways.includes(last)) ways.unshift(...ways.splice(ways.indexOf(last), 1));
    let refusal: unknown;
    for (const way of ways) {
      try {
        const user = actBy(way, authorizer, attributes, wanted);
        lastWay.set(caller.username, way);
        if (request.audit !== undefined && way !== oldWay) request.audit.constraint = `impersonate:${way}`;
        return user;
      } catch (error) {
        if (!isApiError(error)) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  };
}

function actBy(way: string, authorizer: Authorizer, attributes: Attributes, wanted: UserInfo): UserInfo {
  if (way === oldWay) return actAs(authorizer, attributes.user, wanted, way);
  const user = way === associatedNode ? withoutNode(attributes.user) : attributes.user;
  checkAllowed(authorizer, { ...attributes, user, verb: `impersonate-on:${way}:${attributes.verb}` });
  return actAs(authorizer, user, wanted, way);
}

/** Each thing that is wanted is a right of its own. */
function actAs(authorizer: Authorizer, caller: UserInfo, wanted: UserInfo, way: string): UserInfo {
  const narrow = way !== oldWay;
  const verb = narrow ? `impersonate:${way}` : 'impersonate';
  const base = { user: caller, verb, namespace: '', group: narrow ? authentication : '', subresource: '', name: '' };
  const groups = checkName(authorizer, { ...base, resource: 'users', name: wanted.username }, wanted, way);
  if (wanted.uid !== undefined) {
    checkAllowed(authorizer, { ...base, group: authentication, resource: 'uids', name: wanted.uid });
  }
  checkGroups(authorizer, { ...base, resource: 'groups' }, wanted.groups, narrow);
  checkExtra(authorizer, { ...base, group: authentication, resource: 'userextras' }, wanted.extra ?? {}, narrow);
  return { ...wanted, groups: withGroup(wanted.username, groups) };
}

/** The groups of accounts and nodes follow from their names. */
function checkName(authorizer: Authorizer, users: Attributes, wanted: UserInfo, way: string): readonly string[] {
  const node = way === oldWay ? undefined : nodeOf(wanted);
  if (node !== undefined) {
    checkAllowed(authorizer, { ...users, resource: 'nodes', name: way === associatedNode ? '*' : node });
    return ['system:nodes'];
  }
  const account = accountOf(wanted);
  if (account === undefined) {
    checkAllowed(authorizer, users);
    return wanted.groups;
  }
  checkAllowed(authorizer, { ...users, resource: 'serviceaccounts', ...account });
  if (wanted.groups.length > 0) return wanted.groups;
  return ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
}

function checkGroups(authorizer: Authorizer, base: Attributes, groups: readonly string[], narrow: boolean): void {
  if (narrow && groups.includes('')) {
    throw forbiddenRequest(base, 'impersonating the empty string group is not allowed');
  }
  if (narrow && groups.includes(mastersGroup)) {
    throw forbiddenRequest({ ...base, name: mastersGroup }, 'impersonating the system:masters group is not allowed');
  }
  if (narrow && groups.length >= many && authorizer.authorize({ ...base, name: '*' }).allowed) return;
  for (const name of groups) checkAllowed(authorizer, { ...base, name });
}

type Extra = Readonly<Record<string, readonly string[]>>;

function checkExtra(authorizer: Authorizer, base: Attributes, extra: Extra, narrow: boolean): void {
  const values = Object.values(extra).flat();
  const fault = narrow ? extraFault(extra) : undefined;
  if (fault !== undefined) throw forbiddenRequest(base, fault);
  const all = { ...base, subresource: '*', name: '*' };
  if (narrow && values.length >= many && authorizer.authorize(all).allowed) return;
  for (const [subresource, each] of Object.entries(extra)) {
    for (const name of each) checkAllowed(authorizer, { ...base, subresource, name });
  }
}

/** What the old way took for granted. */
function extraFault(extra: Extra): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    const [domain = '', path = ''] = key.split(/\/(.*)/s);
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    if (domain === '' || path === '') {
      const detail = `Invalid value: ${JSON.stringify(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
      return `impersonating an invalid key in extra is not allowed: extra.key: ${detail}`;
    }
    if (key !== key.toLowerCase()) {
      return `impersonating a non-lowercase key in extra is not allowed: ${JSON.stringify(key)}`;
    }
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

function withGroup(username: string, groups: readonly string[]): readonly string[] {
  const [unknown = ''] = anonymous.groups;
  const group = username === anonymous.username ? unknown : authenticatedGroup;
  return groups.includes(group) || groups.includes(unknown) ? groups : [...groups, group];
}

/** One right holds for an account on all of its nodes, so what tells them apart is left out. */
function withoutNode(caller: UserInfo): UserInfo {
  const keys = Object.keys(caller.extra ?? {}).toSorted();
  return { ...caller, extra: { 'authentication.kubernetes.io/associated-node-keys': keys } };
}
