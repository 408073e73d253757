import { selectorMatches } from '../../kinds/validation/field-checks.ts';
import { storageOf, toServed } from '../../registry/convert.ts';
import type { JsonObject } from '../../registry/json.ts';
import type { ViewDeps } from '../webhooks/choose-view.ts';
import type { ParamRef, PolicySpec } from './policy-objects.ts';

/** The parameters that a binding names cannot be had. */
export class ParamProblem extends Error {}

/** The objects that a policy is to be evaluated with, `null` where it takes none. Throws a ParamProblem. */
export function collectParams(
  { paramKind }: PolicySpec,
  reference: ParamRef | undefined,
  namespace: string,
  { registry, hooks }: ViewDeps,
): readonly (JsonObject | null)[] {
  if (paramKind === undefined || reference === undefined) return [null];
  const { apiVersion = '', kind = '' } = paramKind;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const type = registry.findKind(group, version, kind);
  if (type === undefined) {
    throw new ParamProblem(
      `failed to find resource referenced by paramKind: '${group === '' ? '' : `${group}/`}${version}, Kind=${kind}'`,
    );
  }
  if (!type.namespaced && (reference.namespace ?? '') !== '') {
    throw new ParamProblem('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const place = type.namespaced ? reference.namespace || namespace : undefined;
  if (place === '') {
    const fault = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
    throw new ParamProblem(fault);
  }
  const home = storageOf(type);
  const all = hooks.list(home.group, home.plural, place);
  const chosen = all.filter(({ metadata }) =>
    (reference.name ?? '') === ''
      ? selectorMatches(reference.selector, metadata.labels ?? {})
      : metadata.name === reference.name,
  );
  if (chosen.length === 0 && reference.parameterNotFoundAction === 'Deny') {
    throw new ParamProblem('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return chosen.map((object) => toServed(type, object));
}
