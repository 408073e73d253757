import type { Kind } from '../kind.ts';
import { toKey } from '../object.ts';
import type { KubeObject, ObjectKey } from '../object.ts';

/**
 * Maps an object to the object of `kind` that controls it, for `watch(child, { toKeys: ownedBy(parent) })`.
 * The version in the reference is ignored, since an owner may have been written with another version.
 */
export function ownedBy(
  kind: Kind<KubeObject>,
  { anyOwner = false }: { /** Owners that are not the controller count too. */ readonly anyOwner?: boolean } = {},
): (object: KubeObject) => readonly ObjectKey[] {
  return ({ metadata }) =>
    (metadata.ownerReferences ?? [])
      .filter((owner) => owner.kind === kind.kind && groupOf(owner.apiVersion) === kind.group)
      .filter((owner) => anyOwner || owner.controller === true)
      .map(({ name }) => toKey(kind.scope === 'Namespaced' ? { namespace: metadata.namespace, name } : { name }));
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
