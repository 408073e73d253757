import { readdirSync, readFileSync } from 'node:fs';
import type { TableColumn } from '../registry/resource-type.ts';
import { wireFolder } from './wire-folder.ts';

type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string };

export type WireSubresource = {
  readonly subresource: string;
  readonly responseKind: GroupVersionKind;
  readonly acceptedTypes?: readonly GroupVersionKind[];
  readonly verbs: readonly string[];
};

export type WireResource = {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly WireSubresource[];
  readonly columns: readonly TableColumn[];
};

/** One group-version as kube-apiserver serves it. */
export type WireGroup = {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly WireResource[];
  /** Schemas of its OpenAPI document that no other schema refers to. */
  readonly roots: readonly string[];
};

const folder = new URL('groups/', wireFolder);
const loaded = new Map<string, WireGroup>();

/** What the real server says of a built-in group-version; read from disk when first asked for. */
export function wireGroup(group: string, version: string): WireGroup {
  const name = `${group === '' ? 'core' : group}.${version}.json`;
  const found = loaded.get(name) ?? (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as WireGroup);
  loaded.set(name, found);
  return found;
}

/** All built-in group-versions. */
export function wireGroups(): readonly WireGroup[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => name.slice(0, -'.json'.length))
    .map((name) => {
      const dot = name.lastIndexOf('.');
      const group = name.slice(0, dot);
      return wireGroup(group === 'core' ? '' : group, name.slice(dot + 1));
    });
}
