import type { AnyObject, KubeObject } from './object.ts';

/** A Kubernetes kind as a client needs it: where its objects live and what they are called. `T` is their type. */
export type Kind<T extends KubeObject = AnyObject> = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Never set: it carries the type of the objects. */
  readonly objectType?: T;
};

export function defineKind<T extends KubeObject = AnyObject>(kind: Omit<Kind<T>, 'objectType'>): Kind<T> {
  return Object.freeze({ ...kind });
}

/** `v1` for the core group, `apps/v1` for the others. */
export function apiVersionOf(kind: Pick<Kind, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** A name for maps, logs and metrics that no two kinds share: `deployments.apps/v1`. */
export function kindId(kind: Pick<Kind, 'group' | 'version' | 'plural'>): string {
  return `${kind.plural}.${kind.group === '' ? 'core' : kind.group}/${kind.version}`;
}
