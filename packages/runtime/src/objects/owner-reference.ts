import { isDeepStrictEqual } from 'node:util';
import { apiVersionOf } from '../kind.ts';
import type { Kind } from '../kind.ts';
import { keyOf } from '../object.ts';
import type { KubeObject, OwnerReference } from '../object.ts';
import { OperatorError } from '../operator-error.ts';

export type OwnerOptions = {
  /** The one owner that manages the object. */
  readonly controller?: boolean;
  /** Foreground deletion of the owner waits for this object. */
  readonly blockOwnerDeletion?: boolean;
};

export function ownerReferenceTo(
  kind: Pick<Kind, 'group' | 'version' | 'kind'>,
  owner: KubeObject,
  { controller, blockOwnerDeletion }: OwnerOptions = {},
): OwnerReference {
  const { name, uid } = owner.metadata;
  if (!name || !uid) throw new TypeError(`an owner needs a name and a uid, ${kind.kind} ${name ?? ''} lacks one`);
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

/**
 * The object with this owner, the same object if it says so already. The garbage collector deletes what has an
 * owner in another namespace, for it cannot find the owner there; and an object has one controller at most.
 * Both are refused.
 */
export function withOwner<T extends KubeObject>(
  object: T,
  kind: Pick<Kind, 'group' | 'version' | 'kind'>,
  owner: KubeObject,
  options: OwnerOptions = {},
): T {
  refuseOtherNamespace(object, kind, owner);
  const reference = ownerReferenceTo(kind, owner, options);
  const current = object.metadata.ownerReferences ?? [];
  const controller = controllerOf(object);
  if (options.controller && controller && controller.uid !== reference.uid) {
    throw new OperatorError(
      'objects/already-controlled',
      `${keyOf(object)} is controlled by ${controller.kind} ${controller.name} and cannot be by ${reference.kind} ${reference.name}`,
      { kind: 'never' },
    );
  }
  const known = current.find(({ uid }) => uid === reference.uid);
  if (known && isDeepStrictEqual(known, reference)) return object;
  const ownerReferences = known
    ? current.map((other) => (other === known ? reference : other))
    : [...current, reference];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** By uid: an owner of the same name that was made anew is another owner. */
export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && (object.metadata.ownerReferences ?? []).some((reference) => reference.uid === uid);
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

function refuseOtherNamespace(object: KubeObject, kind: Pick<Kind, 'kind'>, owner: KubeObject): void {
  const { namespace } = owner.metadata;
  if (!namespace || namespace === object.metadata.namespace) return;
  const where = object.metadata.namespace ? `in namespace ${object.metadata.namespace}` : 'cluster-wide';
  throw new OperatorError(
    'objects/owner-in-other-namespace',
    `${kind.kind} ${keyOf(owner)} cannot own ${object.metadata.name ?? object.metadata.generateName ?? ''}, which is ${where}`,
    { kind: 'never' },
  );
}
