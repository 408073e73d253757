// Who owns whom, kept in step with the store. Objects are known by uid; owners that do not exist have dependents too.
import type { StoredObject } from '../registry/json.ts';
import type { ResourceId } from '../storage/store.ts';

export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
};

export type GraphNode = {
  readonly resource: ResourceId;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
};

export type OwnerGraph = {
  readonly put: (resource: ResourceId, object: StoredObject) => void;
  readonly remove: (uid: string) => void;
  readonly get: (uid: string) => GraphNode | undefined;
  /** Uids of the objects that name this one as an owner. */
  readonly dependentsOf: (uid: string) => readonly string[];
};

export function createOwnerGraph(): OwnerGraph {
  const nodes = new Map<string, GraphNode>();
  const dependents = new Map<string, Set<string>>();
  const unlink = (uid: string): void => {
    for (const owner of nodes.get(uid)?.owners ?? []) {
      const known = dependents.get(owner.uid);
      known?.delete(uid);
      if (known?.size === 0) dependents.delete(owner.uid);
    }
  };
  return {
    put: (resource, object) => {
      const { uid, name, namespace } = object.metadata;
      unlink(uid);
      const owners = ownersOf(object);
      nodes.set(uid, { resource, name, namespace, owners });
      for (const owner of owners) {
        const known = dependents.get(owner.uid) ?? new Set();
        dependents.set(owner.uid, known.add(uid));
      }
    },
    remove: (uid) => {
      unlink(uid);
      nodes.delete(uid);
    },
    get: (uid) => nodes.get(uid),
    dependentsOf: (uid) => [...(dependents.get(uid) ?? [])],
  };
}

export function ownersOf({ metadata }: StoredObject): readonly OwnerReference[] {
  return (metadata['ownerReferences'] ?? []) as unknown as readonly OwnerReference[];
}
