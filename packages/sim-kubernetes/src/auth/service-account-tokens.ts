import type { UserInfo } from '../registry/admission.ts';
import type { StoredObject } from '../registry/json.ts';
import type { HookContext } from '../registry/resource-type.ts';
import { goList } from './rbac/covers.ts';
import type { TokenSource, TokenVerdict } from './token-authenticator.ts';
import { tokenIssuerOf } from './token-issuer.ts';
import type { TokenClaims, TokenIssuer } from './token-issuer.ts';

type Reference = { readonly name: string; readonly uid?: string };
type Bound = {
  readonly namespace: string;
  readonly serviceaccount: Reference;
  readonly pod?: Reference;
  readonly secret?: Reference;
  readonly node?: Reference;
};

/** Clocks may differ: a token that is over counts for so much longer, and so does one whose owner is being deleted. */
const leewayMs = 60_000;
const extraPrefix = 'authentication.kubernetes.io/';

/** Tokens of ServiceAccounts count until they expire, or the account or what they are bound to is gone. */
export function serviceAccountTokens(
  issuer: TokenIssuer,
  hooks: Pick<HookContext, 'get'>,
  nowMs: () => number,
): TokenSource {
  return (token, audiences) => {
    if (tokenIssuerOf(token) !== issuer.issuer) return undefined;
    const claims = issuer.verify(token);
    if (claims === undefined) return { error: 'go-jose/go-jose: error in cryptographic primitive' };
    const meant = audiences.filter((audience) => claims.aud.includes(audience));
    if (meant.length === 0) {
      const [given, wanted] = [goList(claims.aud), goList(audiences)];
      return { error: `token audiences ${given} is invalid for the target audiences ${wanted}` };
    }
    return judge(claims, meant, hooks, nowMs());
  };
}

function judge(
  claims: TokenClaims,
  audiences: readonly string[],
  { get }: Pick<HookContext, 'get'>,
  nowMs: number,
): TokenVerdict {
  if (nowMs - leewayMs > claims.exp * 1000) return { error: 'service account token has expired' };
  if (nowMs + leewayMs < claims.nbf * 1000) return { error: 'service account token is not valid yet' };
  const bound = claims['kubernetes.io'] as Bound;
  const { namespace, serviceaccount: owner } = bound;
  const account = get('', 'serviceaccounts', namespace, owner.name);
  if (account === undefined) return { error: `serviceaccounts ${JSON.stringify(owner.name)} not found` };
  if (account.metadata.uid !== owner.uid) {
    return { error: `service account UID (${account.metadata.uid}) does not match claim (${owner.uid ?? ''})` };
  }
  if (isOver(account, nowMs)) return { error: `service account ${namespace}/${owner.name} has been deleted` };
  const error = faultOfBound(bound, get, nowMs);
  return error === undefined ? { user: userOf(claims, bound), audiences } : { error };
}

const places = [
  { key: 'secret', plural: 'secrets', namespaced: true },
  { key: 'pod', plural: 'pods', namespaced: true },
  { key: 'node', plural: 'nodes', namespaced: false },
] as const;

/** Of a token for a pod the node is only told, not asked for. */
function faultOfBound(bound: Bound, get: HookContext['get'], nowMs: number): string | undefined {
  for (const { key, plural, namespaced } of places) {
    const reference = bound[key];
    if (reference === undefined || (key === 'node' && bound.pod !== undefined)) continue;
    const object = get('', plural, namespaced ? bound.namespace : undefined, reference.name);
    if (object === undefined || isOver(object, nowMs)) return 'service account token has been invalidated';
    const { uid } = object.metadata;
    if (uid === reference.uid) continue;
    return `${key} UID (${uid}) does not match service account ${key} ref claim (${reference.uid ?? ''})`;
  }
  return undefined;
}

function isOver({ metadata }: StoredObject, nowMs: number): boolean {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - leewayMs;
}

function userOf({ sub, jti }: TokenClaims, { namespace, serviceaccount, pod, node }: Bound): UserInfo {
  const extra: Record<string, readonly string[]> = { [`${extraPrefix}credential-id`]: [`JTI=${jti}`] };
  for (const [key, reference] of Object.entries({ node, pod })) {
    if (reference === undefined) continue;
    extra[`${extraPrefix}${key}-name`] = [reference.name];
    if (reference.uid !== undefined) extra[`${extraPrefix}${key}-uid`] = [reference.uid];
  }
  return {
    username: sub,
    uid: serviceaccount.uid ?? '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra,
  };
}
