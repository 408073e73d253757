import type { ResourceType } from './resource-type.ts';
import type { SubresourceHandler } from './subresource.ts';
import { createTypeIndex } from './type-index.ts';
import type { TypeReads } from './type-index.ts';

/** The kinds that are served right now. Custom resources come and go while the server runs. */
export type Registry = TypeReads & {
  readonly add: (type: ResourceType) => void;
  /** All served versions of one resource at once; an empty list removes it. */
  readonly set: (group: string, plural: string, types: readonly ResourceType[]) => void;
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

const pathOf = (group: string, version: string, resource: string): string => `${group}/${version}/${resource}`;
