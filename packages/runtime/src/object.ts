/** The parts of a Kubernetes object that every kind has. */
export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

export type ObjectMeta = {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[] | undefined;
};

export type KubeObject = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
};

/** An object of a kind that we hold no type for. */
export type AnyObject = KubeObject & Readonly<Record<string, unknown>>;

/** Which object of a kind: no namespace for cluster-wide kinds. */
export type ObjectRef = { readonly namespace?: string | undefined; readonly name: string };

/** `namespace/name`, or `name` for cluster-wide kinds: how queues and caches name an object. */
export type ObjectKey = string;

export function toKey(ref: ObjectRef): ObjectKey {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}

export function toRef(key: ObjectKey): ObjectRef {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

export function keyOf(object: KubeObject): ObjectKey {
  return toKey({ namespace: object.metadata.namespace, name: object.metadata.name ?? '' });
}
