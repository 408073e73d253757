import { compareVersions } from './compare-versions.ts';
import type { ResourceType } from './resource-type.ts';

/** Looking up kinds by what a path or an object says of them. */
export type TypeReads = {
  readonly find: (group: string, version: string, plural: string) => ResourceType | undefined;
  readonly findKind: (group: string, version: string, kind: string) => ResourceType | undefined;
  /** The version that objects are stored as. */
  readonly storageType: (group: string, plural: string) => ResourceType | undefined;
  /** Every served version, groups in order of their arrival, versions with the most stable first. */
  readonly all: () => readonly ResourceType[];
  readonly hasGroup: (group: string) => boolean;
  readonly hasGroupVersion: (group: string, version: string) => boolean;
};

export type TypeIndex = {
  readonly reads: TypeReads;
  readonly put: (type: ResourceType) => void;
  readonly drop: (type: ResourceType) => void;
  readonly versionsOf: (group: string, plural: string) => readonly ResourceType[];
};

export function createTypeIndex(initial: readonly ResourceType[]): TypeIndex {
  const byPath = new Map<string, ResourceType>();
  const byKind = new Map<string, ResourceType>();
  const groups: string[] = [];
  const storage = new Map<string, ResourceType | undefined>();
  let sorted: readonly ResourceType[] | undefined;
  let servedGroups: ReadonlySet<string> | undefined;

  const changed = (): void => {
    sorted = undefined;
    servedGroups = undefined;
    storage.clear();
  };
  const put = (type: ResourceType): void => {
    byPath.set(pathOf(type.group, type.version, type.plural), type);
    byKind.set(pathOf(type.group, type.version, type.kind), type);
    if (!groups.includes(type.group)) groups.push(type.group);
    changed();
  };
  const drop = (type: ResourceType): void => {
    byPath.delete(pathOf(type.group, type.version, type.plural));
    byKind.delete(pathOf(type.group, type.version, type.kind));
    changed();
  };
  const all = (): readonly ResourceType[] => {
    sorted ??= [...byPath.values()].toSorted(
      (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || compareVersions(a.version, b.version),
    );
    return sorted;
  };
  const versionsOf = (group: string, plural: string): readonly ResourceType[] =>
    all().filter((type) => type.group === group && type.plural === plural);

  initial.forEach(put);
  const reads: TypeReads = {
    find: (group, version, plural) => byPath.get(pathOf(group, version, plural)),
    findKind: (group, version, kind) => byKind.get(pathOf(group, version, kind)),
    storageType: (group, plural) => {
      const key = `${group}/${plural}`;
      if (!storage.has(key)) {
        const versions = versionsOf(group, plural);
        storage.set(key, versions.find((type) => type.storageVersion) ?? versions[0]);
      }
      return storage.get(key);
    },
    all,
    hasGroup: (group) => (servedGroups ??= new Set(all().map((type) => type.group))).has(group),
    hasGroupVersion: (group, version) => all().some((type) => type.group === group && type.version === version),
  };
  return { reads, put, drop, versionsOf };
}

const pathOf = (group: string, version: string, resource: string): string => `${group}/${version}/${resource}`;
