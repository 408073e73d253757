import { createHash } from 'node:crypto';
import { apiVersionOf } from '../registry/convert.ts';
import type { JsonObject } from '../registry/json.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';

// What the server says it serves, in the older form (one document per group and version) and in the aggregated one.

export type DiscoverySubresource = {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
};

const updateVerbs = ['get', 'patch', 'update'];

export function subresourcesOf(registry: Registry, type: ResourceType): readonly DiscoverySubresource[] {
  const own = { group: type.group, version: type.version, kind: type.kind };
  const found: DiscoverySubresource[] = [];
  for (const name of type.subresources) {
    const handler = registry.subresource(type.group, type.plural, name);
    if (handler === undefined) continue;
    found.push({ name, kind: handler.form === 'call' ? handler.kind : own, verbs: handler.verbs });
  }
  if (type.scale !== undefined) {
    found.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: updateVerbs });
  }
  if (type.hasStatus) found.push({ name: 'status', kind: own, verbs: updateVerbs });
  return type.origin === 'custom' ? found.toReversed() : found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** `/api/v1` and `/apis/GROUP/VERSION`. */
export function resourceList(registry: Registry, group: string, version: string): JsonObject {
  const types = registry.all().filter((type) => type.group === group && type.version === version);
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: types.flatMap((type) => [mainEntry(type), ...subresourcesOf(registry, type).map(subEntry(type))]),
  };
}

function mainEntry(type: ResourceType): JsonObject {
  return {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    storageVersionHash: storageHash(type),
  };
}

function subEntry(type: ResourceType): (subresource: DiscoverySubresource) => JsonObject {
  return ({ name, kind, verbs }) => ({
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(kind.group === type.group && kind.version === type.version ? {} : { group: kind.group, version: kind.version }),
    kind: kind.kind,
    verbs,
  });
}

/** The first bytes of a hash, as clients compare it to learn that objects must be stored anew. */
function storageHash({ group, version, kind }: ResourceType): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}

export function groupNames(registry: Registry): readonly string[] {
  return [...new Set(registry.all().map(({ group }) => group))].filter((group) => group !== '');
}

/** `/apis/GROUP`, or `undefined` when there is no such group. */
export function groupDocument(registry: Registry, name: string): JsonObject | undefined {
  const versions = [...new Set(registry.all().flatMap((type) => (type.group === name ? [type.version] : [])))].map(
    (version) => ({ groupVersion: `${name}/${version}`, version }),
  );
  return versions[0] && { name, versions, preferredVersion: versions[0] };
}

/** `/apis`. */
export function groupList(registry: Registry): JsonObject {
  const groups = groupNames(registry).map((name) => groupDocument(registry, name) ?? {});
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** `/api`. */
export function coreVersions(serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/api` and `/apis` in one document with everything below them. */
export function aggregatedDiscovery(registry: Registry, core: boolean): JsonObject {
  const types = registry.all().filter(({ group }) => (group === '') === core);
  const groups = [...new Set(types.map(({ group }) => group))];
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => {
      const ofGroup = types.filter((type) => type.group === group);
      const versions = [...new Set(ofGroup.map((type) => type.version))];
      return {
        metadata: group === '' ? {} : { name: group },
        versions: versions.map((of) => ({
          version: of,
          resources: ofGroup.filter((type) => type.version === of).map((type) => aggregatedEntry(registry, type)),
          freshness: 'Current',
        })),
      };
    }),
  };
}

/** A built-in kind of the version that lists it is named without group and version; custom ones have them always. */
function relativeKind(kind: DiscoverySubresource['kind'], { group, version, origin }: ResourceType): JsonObject {
  const own = origin === 'builtin' && kind.group === group && kind.version === version;
  return { group: own ? '' : kind.group, version: own ? '' : kind.version, kind: kind.kind };
}

function aggregatedEntry(registry: Registry, type: ResourceType): JsonObject {
  const subresources = subresourcesOf(registry, type).map(({ name, kind, verbs }) => ({
    subresource: name,
    responseKind: relativeKind(kind, type),
    verbs,
  }));
  return {
    resource: type.plural,
    responseKind: relativeKind(type, type),
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
