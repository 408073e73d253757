import type { Change, Informer, InformerScope, Kind, KubeObject, ObjectCache, ObjectRef } from '@tributary/runtime';
import { keyOf } from '@tributary/runtime';
import type { Topics } from './topics.ts';

/** All objects of a kind in the namespaces that are watched. */
export type KindStore<T extends KubeObject = KubeObject> = {
  readonly get: (ref: ObjectRef) => T | undefined;
  readonly list: (options?: { readonly namespace?: string }) => readonly T[];
  readonly hasSynced: () => boolean;
  readonly byIndex: (index: string, value: string) => readonly T[];
  readonly addIndex: (index: string, toValues: (object: T) => readonly string[]) => void;
  readonly onChange: (listener: (change: Change<T>) => void) => () => void;
};

export type KindStores = {
  /** Opens the kind on first use; every change is announced under the topics of its object and of its kind. */
  readonly of: <T extends KubeObject>(kind: Kind<T>) => KindStore<T>;
  /** The kind's objects that carry this label, and no others. Their changes are announced too. */
  readonly labelled: (kind: Kind<KubeObject>, label: string) => KindStore;
  /** Which parts of a kind are watched: one scope, or one for each namespace. */
  readonly scopes: (kind: Kind<KubeObject>) => readonly InformerScope[];
  /** Everything that was opened is complete. */
  readonly hasSynced: () => boolean;
};

export type KindStoresOptions = {
  /** All namespaces when absent or empty. */
  readonly watchNamespaces?: readonly string[] | undefined;
  /** Where cluster-wide objects have theirs; always watched. */
  readonly operatorNamespace: string;
};

export function createKindStores(
  { watchNamespaces = [], operatorNamespace }: KindStoresOptions,
  { cache, topics }: { readonly cache: Pick<ObjectCache, 'informer'>; readonly topics: Pick<Topics, 'announce'> },
): KindStores {
  const stores = new Map<string, KindStore>();
  const namespaces = watchNamespaces.length === 0 ? [] : [...new Set([...watchNamespaces, operatorNamespace])];
  const scopes = (kind: Kind<KubeObject>): readonly InformerScope[] =>
    kind.scope === 'Cluster' || namespaces.length === 0 ? [{}] : namespaces.map((namespace) => ({ namespace }));
  const open = (kind: Kind<KubeObject>, labelSelector?: string): KindStore => {
    const id = `${kindName(kind)}|${labelSelector ?? ''}`;
    const known = stores.get(id);
    if (known) return known;
    const store = join(scopes(kind).map((scope) => cache.informer(kind, { ...scope, labelSelector })));
    stores.set(id, store);
    store.onChange(({ object }) => {
      topics.announce(topicOf(kind, keyOf(object)));
      topics.announce(topicOf(kind));
    });
    return store;
  };
  return {
    of: <T extends KubeObject>(kind: Kind<T>) => open(kind) as unknown as KindStore<T>,
    labelled: open,
    scopes,
    hasSynced: () => [...stores.values()].every((store) => store.hasSynced()),
  };
}

/** Without the version: it is the same object in all of them. */
export function kindName({ group, plural }: Pick<Kind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** The topic of one object, or of the kind as a whole. */
export function topicOf(kind: Pick<Kind, 'group' | 'plural'>, key = '*'): string {
  return `${kindName(kind)}|${key}`;
}

function join<T extends KubeObject>(informers: readonly Informer<T>[]): KindStore<T> {
  const [first] = informers;
  if (first && informers.length === 1) return first;
  const all = <R>(ask: (informer: Informer<T>) => R | readonly R[]): readonly R[] => informers.flatMap(ask);
  return {
    get: (ref) => all((informer) => informer.get(ref) ?? [])[0],
    list: (options) => all((informer) => informer.list(options)),
    hasSynced: () => informers.every((informer) => informer.hasSynced()),
    byIndex: (index, value) => all((informer) => informer.byIndex(index, value)),
    addIndex: (index, toValues) => {
      for (const informer of informers) informer.addIndex(index, toValues);
    },
    onChange: (listener) => {
      const ends = informers.map((informer) => informer.onChange(listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
