import { compareVersions } from './compare-versions.ts';
import type { ResourceType } from './resource-type.ts';
import type { SubresourceHandler } from './subresource.ts';

/** The kinds that are served right now. Custom resources come and go while the server runs. */
export type Registry = {
  readonly add: (type: ResourceType) => void;
  /** All served versions of one resource at once; an empty list removes it. */
  readonly set: (group: string, plural: string, types: readonly ResourceType[]) => void;
  readonly find: (group: string, version: string, plural: string) => ResourceType | undefined;
  readonly findKind: (group: string, version: string, kind: string) => ResourceType | undefined;
  /** The version that objects are stored as. */
  readonly storageType: (group: string, plural: string) => ResourceType | undefined;
  /** Every served version, groups in order of their arrival, versions with the most stable first. */
  readonly all: () => readonly ResourceType[];
  readonly hasGroup: (group: string) => boolean;
  readonly hasGroupVersion: (group: string, version: string) => boolean;
  readonly addSubresource: (handler: SubresourceHandler) => void;
  readonly subresource: (group: string, plural: string, name: string) => SubresourceHandler | undefined;
  /** Rises with every change: what is derived from the registry may be kept as long as it stands. */
  readonly generation: () => number;
  readonly onChange: (listener: () => void) => () => void;
};

export function createRegistry(initial: readonly ResourceType[] = []): Registry {
  const types = createTypeIndex(initial);
  const handlers = new Map<string, SubresourceHandler>();
  const listeners = new Set<() => void>();
  let generation = 0;
  const changed = (): void => {
    generation++;
    for (const listener of listeners) listener();
  };
  return {
    ...types.reads,
    add: (type) => {
      types.put(type);
      changed();
    },
    set: (group, plural, next) => {
      types.versionsOf(group, plural).forEach(types.drop);
      next.forEach(types.put);
      changed();
    },
    addSubresource: (handler) => {
      handlers.set(pathOf(handler.group, handler.plural, handler.name), handler);
      changed();
    },
    subresource: (group, plural, name) => handlers.get(pathOf(group, plural, name)),
    generation: () => generation,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type TypeReads = Pick<Registry, 'find' | 'findKind' | 'storageType' | 'all' | 'hasGroup' | 'hasGroupVersion'>;

function createTypeIndex(initial: readonly ResourceType[]): {
  readonly reads: TypeReads;
  readonly put: (type: ResourceType) => void;
  readonly drop: (type: ResourceType) => void;
  readonly versionsOf: (group: string, plural: string) => readonly ResourceType[];
} {
  const byPath = new Map<string, ResourceType>();
  const byKind = new Map<string, ResourceType>();
  const groups: string[] = [];
  let sorted: readonly ResourceType[] | undefined;

  const put = (type: ResourceType): void => {
    byPath.set(pathOf(type.group, type.version, type.plural), type);
    byKind.set(pathOf(type.group, type.version, type.kind), type);
    if (!groups.includes(type.group)) groups.push(type.group);
    sorted = undefined;
  };
  const drop = (type: ResourceType): void => {
    byPath.delete(pathOf(type.group, type.version, type.plural));
    byKind.delete(pathOf(type.group, type.version, type.kind));
    sorted = undefined;
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
      const versions = versionsOf(group, plural);
      return versions.find((type) => type.storageVersion) ?? versions[0];
    },
    all,
    hasGroup: (group) => all().some((type) => type.group === group),
    hasGroupVersion: (group, version) => all().some((type) => type.group === group && type.version === version),
  };
  return { reads, put, drop, versionsOf };
}

const pathOf = (group: string, version: string, resource: string): string => `${group}/${version}/${resource}`;
