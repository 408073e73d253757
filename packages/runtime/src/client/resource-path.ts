import type { Kind } from '../kind.ts';
import type { ObjectRef } from '../object.ts';

type PathKind = Pick<Kind, 'group' | 'version' | 'kind' | 'plural' | 'scope'>;

export type QueryValue = string | number | boolean | undefined;

/** Where the objects of a kind are listed: in one namespace, or everywhere when none is given. */
export function collectionPath(kind: PathKind, namespace: string | undefined): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${segment(kind.group)}/${segment(kind.version)}`;
  if (namespace === undefined) return `${root}/${segment(kind.plural)}`;
  // Dropping the namespace instead would turn "delete all in this namespace" into "delete all".
  if (kind.scope === 'Cluster') throw new TypeError(`${kind.kind} is cluster-wide, it has no namespace ${namespace}`);
  return `${root}/namespaces/${segment(namespace)}/${segment(kind.plural)}`;
}

/** Where new objects of a kind are posted. */
export function creationPath(kind: PathKind, namespace: string | undefined): string {
  if (kind.scope === 'Namespaced' && namespace === undefined) throw new TypeError(`${kind.kind} needs a namespace`);
  return collectionPath(kind, namespace);
}

export function objectPath(kind: PathKind, ref: ObjectRef, subresource?: string): string {
  const path = `${creationPath(kind, ref.namespace)}/${segment(ref.name)}`;
  return subresource === undefined ? path : `${path}/${segment(subresource)}`;
}

/** Appends what is defined, in the order given. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

/** An empty segment, or one that a server would resolve away, would address something else: the whole collection. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new TypeError(`"${value}" cannot be part of a path`);
  return encodeURIComponent(value);
}
