import { badRequest, conflict, invalid, notFound } from '../registry/api-error.ts';
import type { ApiError } from '../registry/api-error.ts';
import type { JsonObject, StoredObject } from '../registry/json.ts';
import type { CallSubresource, SubresourceCall } from '../registry/subresource.ts';
import { toTimestamp } from '../rest/hook-context.ts';
import { matchNamespace } from '../rest/object-metadata.ts';
import { invalidField } from '../schema/field-errors.ts';
import { readTokenRequest } from './read-token-request.ts';
import { child, ensureChild, maybeChild, maybeNumber, text, texts } from '../kinds/draft-fields.ts';
import type { TokenIssuer } from './token-issuer.ts';

const accounts = { group: '', plural: 'serviceaccounts' };
const requestKind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const hour = 3600;
const shortest = 600;
const year = 365 * 24 * hour;
/** What the kubelet asks for: such a token lives on for a year, and is warned about after this time. */
const extendedSeconds = 3607;

/** `serviceaccounts/token`: a signed token, bound to the object that the caller names. */
export function createTokenRequest(issuer: TokenIssuer, nowMs: () => number): CallSubresource {
  return {
    form: 'call',
    ...accounts,
    name: 'token',
    verbs: ['create'],
    kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
    read: readTokenRequest,
    complete: (body, account, { now }) => {
      if (account === undefined) return;
      const { name, uid } = account.metadata;
      const metadata = ensureChild(body, 'metadata');
      for (const [key, value] of Object.entries({ name, uid, creationTimestamp: now() })) metadata[key] ??= value;
      const spec = ensureChild(body, 'spec');
      if (texts(spec, 'audiences').length === 0) spec['audiences'] = [issuer.issuer];
    },
    handle: async (call) => {
      const account = checkRequest(call);
      const spec = child(call.body, 'spec');
      const audiences = texts(spec, 'audiences').length === 0 ? [issuer.issuer] : texts(spec, 'audiences');
      const seconds = maybeNumber(spec, 'expirationSeconds') ?? hour;
      checkSeconds(seconds);
      const bound = boundObject(call, account);
      const issuedMs = nowMs();
      const claims = claimsOf(call, account, { audiences, seconds, bound, issuedMs, issuer: issuer.issuer });
      const token = issuer.sign(claims);
      call.annotate?.('authentication.kubernetes.io/issued-credential-id', `JTI=${claims.jti}`);
      const { name, uid } = account.metadata;
      const reference = maybeChild(spec, 'boundObjectRef') as JsonObject | undefined;
      return {
        status: 201,
        object: {
          kind: 'TokenRequest',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: { name, namespace: call.namespace ?? '', uid, creationTimestamp: toTimestamp(issuedMs) },
          spec: { audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null },
          status: { token, expirationTimestamp: toTimestamp(issuedMs + seconds * 1000) },
        },
      };
    },
  };
}

function checkRequest({ body, type, name, namespace, parent }: SubresourceCall): StoredObject {
  const metadata = child(body, 'metadata');
  matchNamespace(metadata, { type, namespace, name, subresource: 'token' });
  const given = text(metadata, 'name');
  if (given !== '' && given !== name) {
    const fault = 'must match the service account name if specified';
    throw invalid(requestKind, name, [invalidField('metadata.name', given, fault)]);
  }
  if (parent === undefined) throw notFound(accounts, name);
  const uid = text(metadata, 'uid');
  if (uid === '' || uid === parent.metadata.uid) return parent;
  const cause = `the UID in the token request (${uid}) does not match the UID of the service account (${parent.metadata.uid})`;
  throw conflict({ group: requestKind.group, plural: requestKind.kind }, name, cause);
}

function checkSeconds(seconds: number): void {
  const path = 'spec.expirationSeconds';
  if (seconds < shortest) {
    throw invalid(requestKind, '', [invalidField(path, seconds, 'may not specify a duration less than 10 minutes')]);
  }
  if (seconds > 2 ** 32) {
    throw invalid(requestKind, '', [
      invalidField(path, seconds, 'may not specify a duration larger than 2^32 seconds'),
    ]);
  }
}

type Bound = { readonly kind: 'pod' | 'secret' | 'node'; readonly object: StoredObject };

const bindable: Readonly<Record<string, { readonly kind: Bound['kind']; readonly plural: string }>> = {
  Pod: { kind: 'pod', plural: 'pods' },
  Secret: { kind: 'secret', plural: 'secrets' },
  Node: { kind: 'node', plural: 'nodes' },
};

function boundObject(call: SubresourceCall, account: StoredObject): Bound | undefined {
  const reference = maybeChild(child(call.body, 'spec'), 'boundObjectRef');
  if (reference === undefined) return undefined;
  const [kind, name, uid] = ['kind', 'name', 'uid'].map((key) => text(reference, key));
  const found = bindable[kind ?? ''];
  if (found === undefined || text(reference, 'apiVersion') !== 'v1') {
    const [version = '', group = ''] = text(reference, 'apiVersion').split('/').toReversed();
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind ?? ''}`);
  }
  const namespace = found.kind === 'node' ? undefined : call.namespace;
  const object = call.context.get('', found.plural, namespace, name ?? '');
  if (object === undefined) throw notFound({ group: '', plural: found.plural }, name ?? '');
  if (found.kind === 'pod' && text(child(object, 'spec'), 'serviceAccountName') !== account.metadata.name) {
    const quoted = JSON.stringify(account.metadata.name);
    throw badRequest(
      `cannot bind token for serviceaccount ${quoted} to pod running with different serviceaccount name.`,
    );
  }
  if (uid !== '' && uid !== object.metadata.uid) throw otherUid(kind ?? '', name ?? '', uid ?? '');
  return { kind: found.kind, object };
}

function otherUid(kind: string, name: string, uid: string): ApiError {
  const cause = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  return conflict({ group: '', plural: kind }, name, cause);
}

type TokenTerms = {
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: Bound | undefined;
  readonly issuedMs: number;
  readonly issuer: string;
};

function claimsOf(call: SubresourceCall, account: StoredObject, terms: TokenTerms): Parameters<TokenIssuer['sign']>[0] {
  const { audiences, seconds, bound, issuedMs, issuer } = terms;
  const now = Math.floor(issuedMs / 1000);
  const { name, uid } = account.metadata;
  const namespace = call.namespace ?? '';
  const ours = audiences.length === 1 && audiences[0] === issuer;
  const extended = bound?.kind === 'pod' && seconds === extendedSeconds && ours;
  return {
    aud: audiences,
    exp: now + (extended ? year : seconds),
    iat: now,
    jti: call.context.uuid(),
    'kubernetes.io': {
      namespace,
      ...(bound?.kind === 'pod' ? nodeOf(call, bound.object) : {}),
      ...(bound === undefined ? {} : { [bound.kind]: identity(bound.object) }),
      serviceaccount: { name, uid },
      ...(extended ? { warnafter: now + seconds } : {}),
    },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

function identity({ metadata: { name, uid } }: StoredObject): JsonObject {
  return { name, uid };
}

/** A token for a pod says on which node it runs. */
function nodeOf({ context }: SubresourceCall, pod: StoredObject): JsonObject {
  const name = text(child(pod, 'spec'), 'nodeName');
  if (name === '') return {};
  const node = context.get('', 'nodes', undefined, name);
  return { node: node === undefined ? { name } : identity(node) };
}
