import type { Environment } from '@marcbachmann/cel-js';
import type { Authorizer } from '../auth/authorizer.ts';
import type { AdmissionAttributes, UserInfo } from '../registry/admission.ts';
import type { JsonObject } from '../registry/json.ts';
import { createCelEnvironment } from '../schema/cel/cel-environment.ts';
import { toCelValue } from '../schema/cel/cel-values.ts';
import { CelAuthorizer, registerAuthorizer } from '../schema/cel/register-authorizer.ts';
import type { AskedRight } from '../schema/cel/register-authorizer.ts';
import { toReview } from './webhooks/admission-review.ts';
import type { RequestView } from './webhooks/request-view.ts';

export type Variables = Readonly<Record<string, unknown>>;

const bases = new Map<string, Environment>();

/** CEL that knows what expressions about requests may speak of: the objects, the request, whom to ask, and more. */
export function expressionEnvironment(more: readonly string[] = []): Environment {
  const key = more.join(' ');
  let found = bases.get(key);
  if (found === undefined) {
    const names = ['object', 'oldObject', 'request', ...more];
    found = createCelEnvironment();
    for (const name of names) found.registerVariable(name, 'dyn');
    registerAuthorizer(found);
    bases.set(key, found);
  }
  return found;
}

/** A request as expressions see it. */
export function expressionVariables(
  attributes: AdmissionAttributes,
  view: RequestView,
  authorizer: Authorizer,
): Variables {
  const { request } = toReview(attributes, view, { uid: '', version: 'v1' }) as { readonly request: JsonObject };
  const { object: _object, oldObject: _old, uid: _uid, ...rest } = request;
  const { subresource, namespace = '', name } = attributes;
  const { group, resource } = view.resource;
  const asked = { group, resource, subresource, namespace, name };
  return {
    object: toCelValue(view.object ?? null, {}),
    oldObject: toCelValue(view.old ?? null, {}),
    request: toCelValue(rest, {}),
    authorizer: new CelAuthorizer((right) => authorizer.authorize(attributesOf(right, attributes.user)), asked),
  };
}

function attributesOf({ account, path, ...asked }: AskedRight, user: UserInfo): Parameters<Authorizer['authorize']>[0] {
  const who = account === undefined ? user : accountUser(account);
  return { user: who, ...asked, ...(path === undefined ? {} : { path }) };
}

function accountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: `system:serviceaccount:${namespace}:${name}`, groups };
}
