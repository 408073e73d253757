import type { Kind, KubeObject } from '@tributary/runtime';
import { ownerLabel, ownerLabelOf } from './children.ts';
import type { ExistingChild } from './children.ts';
import { kindName } from './kind-stores.ts';
import type { KindStore, KindStores } from './kind-stores.ts';
import type { SourceRef } from '../l4-state/source.ts';
import type { Reading, Topics } from './topics.ts';

/** The objects that go with others of ours. Only what carries our label is watched: no other Secret, no other Deployment. */
export type ChildStores = {
  readonly open: (kind: Kind<KubeObject>) => void;
  /** The children of an owner, which their changes wake. */
  readonly of: (
    kinds: readonly Kind<KubeObject>[],
    owner: SourceRef,
    reading: Pick<Reading, 'note'>,
  ) => readonly ExistingChild[];
};

export function createChildStores(stores: Pick<KindStores, 'labelled'>, topics: Pick<Topics, 'announce'>): ChildStores {
  const opened = new Map<string, KindStore>();
  const open = (kind: Kind<KubeObject>): KindStore => {
    const known = opened.get(kindName(kind));
    if (known) return known;
    const store = stores.labelled(kind, ownerLabel);
    opened.set(kindName(kind), store);
    store.addIndex('owner', (object) => [labelOf(object)]);
    store.onChange(({ object, old }) => {
      for (const each of old ? [object, old] : [object]) topics.announce(topicOfChildren(labelOf(each)));
    });
    return store;
  };
  return {
    open,
    of: (kinds, owner, reading) => {
      const value = ownerLabelOf(owner);
      reading.note(topicOfChildren(value));
      return kinds.flatMap((kind) =>
        open(kind)
          .byIndex('owner', value)
          .map((object) => ({ kind, object })),
      );
    },
  };
}

function labelOf({ metadata }: KubeObject): string {
  return metadata.labels?.[ownerLabel] ?? '';
}

function topicOfChildren(label: string): string {
  return `children|${label}`;
}
