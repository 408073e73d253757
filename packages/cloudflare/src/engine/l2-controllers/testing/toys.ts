import { conditionList, configMapKind, defineCustomKind } from '@tributary/runtime';
import { z } from 'zod';
import { contribution, defineContract } from '../../l4-state/contract.ts';
import { withMark } from '../../l4-state/ownership-mark.ts';
import { defineTarget } from '../../l5-sync/target.ts';
import type { AnyTarget } from '../../l5-sync/target.ts';
import { defineContributor } from '../contributor.ts';
import type { Resolution } from '../contributor.ts';

// Kinds and targets that have nothing to do with Cloudflare, for tests of the engine: a Pebble is one remote thing of its
// own, Leaves grow many on one remote tree, a Pebble may lie on a Shelf and may bring a ConfigMap.

const text = z.string();
const status = z.object({
  seen: text.optional(),
  observedGeneration: z.int().optional(),
  conditions: conditionList().optional(),
});
const kind = { group: 'toys.tributary.dev', scope: 'Namespaced' } as const;

export const pebbleKind = defineCustomKind({
  ...kind,
  kind: 'Pebble',
  plural: 'pebbles',
  versions: [
    {
      name: 'v1',
      spec: z.object({ value: text.max(20), shelf: text.optional(), child: text.optional() }),
      status,
    },
  ],
});
export const leafKind = defineCustomKind({
  ...kind,
  kind: 'Leaf',
  plural: 'leaves',
  versions: [{ name: 'v1', spec: z.object({ tree: text, colour: text }), status }],
});
export const shelfKind = defineCustomKind({
  ...kind,
  kind: 'Shelf',
  plural: 'shelves',
  scope: 'Cluster',
  versions: [{ name: 'v1', spec: z.object({ room: text.optional() }), status }],
});

export type Pebble = NonNullable<(typeof pebbleKind)['objectType']>;
type Leaf = NonNullable<(typeof leafKind)['objectType']>;

const pebbleContract = defineContract({
  type: 'VirtualNetwork',
  sources: 'one',
  config: z.object({ value: text, shelf: text }),
  readable: ({ name }: { readonly name: string }) => name,
  cloudflareId: ({ name }) => name,
});
const treeContract = defineContract({
  type: 'TunnelConfiguration',
  sources: 'many',
  config: z.object({ colour: text }),
  readable: ({ tree }: { readonly tree: string }) => tree,
  cloudflareId: ({ tree }) => tree,
});

const credentials = { name: 'main' };

export const pebbleContributor = defineContributor<Pebble, string>({
  kind: pebbleKind,
  finalizer: 'pebble.cloudflare-operator.io/finalizer',
  formerFinalizers: ['old.example.com/pebble'],
  reads: [shelfKind],
  childKinds: [configMapKind],
  selects: ({ metadata }) => metadata.labels?.['mine'] !== 'no',
  resolve: ({ spec }, refs): Resolution<string> => {
    if (spec.shelf === undefined) return { ok: true, value: '' };
    const shelf = refs.get(shelfKind, { name: spec.shelf });
    if (!shelf) return { ok: false, state: 'broken', reason: 'DependencyError', message: `no Shelf ${spec.shelf}` };
    if (shelf.spec.room) return { ok: true, value: shelf.spec.room };
    return { ok: false, state: 'waiting', reason: 'DependencyError', message: `Shelf ${spec.shelf} has no room` };
  },
  contribute: ({ metadata, spec }, shelf) => {
    const name = `${metadata.namespace ?? ''}.${metadata.name ?? ''}`;
    return [contribution(pebbleContract, { name }, { value: spec.value, shelf }, { credentials })];
  },
  children: ({ metadata, spec }) =>
    spec.child === undefined
      ? []
      : [
          {
            kind: configMapKind,
            object: {
              metadata: { name: spec.child, namespace: metadata.namespace ?? '' },
              data: { value: spec.value },
            } as never,
          },
        ],
  status: (_, { parts }) => ({ seen: parts[0]?.outputs['value'] }),
  whileDeleting: { seen: 'on its way out' },
});

export const leafContributor = defineContributor<Leaf, undefined>({
  kind: leafKind,
  finalizer: 'leaf.cloudflare-operator.io/finalizer',
  resolve: () => ({ ok: true, value: undefined }),
  contribute: ({ spec }) => [contribution(treeContract, { tree: spec.tree }, { colour: spec.colour }, { credentials })],
});

/** The toy provider: what is there, and how often it was written. */
export type ToyRoom = {
  readonly pebbles: Map<string, PebbleState>;
  readonly trees: Map<string, readonly string[]>;
  readonly targets: readonly AnyTarget[];
  writes: number;
  /** Told when a pebble is taken away, before anybody else can know. */
  onRemove: (() => void) | undefined;
};

export function createToyRoom(): ToyRoom {
  const room: ToyRoom = { pebbles: new Map(), trees: new Map(), targets: [], writes: 0, onRemove: undefined };
  return Object.assign(room, { targets: [pebbleTarget(room), treeTarget(room)] });
}

type PebbleConfig = { readonly value: string; readonly shelf: string };
type PebbleState = PebbleConfig & { readonly comment: string };

function pebbleTarget(room: ToyRoom): AnyTarget {
  const put = async (wanted: PebbleState, { name }: { readonly name: string }) => {
    room.pebbles.set(name, wanted);
    room.writes += 1;
    return { name, ...wanted };
  };
  return defineTarget<{ readonly name: string }, PebbleConfig, PebbleState, PebbleState & { readonly name: string }>({
    contract: pebbleContract,
    aggregate: ([first]) => {
      if (!first) return { ok: false, message: 'nobody wants it' };
      const marked = withMark('', first.ref, 100);
      if (!marked.ok) return { ok: false, message: 'the name is too long', ref: first.ref };
      return { ok: true, desired: { ...first.config, comment: marked.text }, losers: [] };
    },
    scope: () => 'pebbles',
    observe: {
      lookup: async ({ key }) => {
        const found = room.pebbles.get(key.name);
        return found ? [{ name: key.name, ...found }] : [];
      },
    },
    idOf: ({ name }) => name,
    relation: () => 'same',
    markedText: ({ comment }) => comment,
    difference: (wanted, seen) =>
      (['value', 'shelf', 'comment'] as const).filter((field) => wanted[field] !== seen[field]),
    create: { repeatable: 'natural-key', run: put },
    update: async ({ wanted, key }) => put(wanted, key),
    giveUp: () => 'delete',
    remove: async ({ name }) => {
      room.onRemove?.();
      room.pebbles.delete(name);
      room.writes += 1;
    },
    outputs: ({ value }) => ({ data: { value } }),
  });
}

type Tree = { readonly leaves: readonly string[] };

function treeTarget(room: ToyRoom): AnyTarget {
  return defineTarget<{ readonly tree: string }, { readonly colour: string }, Tree, Tree & { readonly tree: string }>({
    contract: treeContract,
    aggregate: (sources) => ({
      ok: true,
      desired: { leaves: sources.map(({ ref, config }) => `${ref.name}:${config.colour}`).toSorted() },
      losers: [],
    }),
    scope: ({ tree }) => tree,
    observe: { lookup: async ({ key: { tree } }) => [{ tree, leaves: room.trees.get(tree) ?? [] }] },
    idOf: ({ tree }) => tree,
    relation: () => 'same',
    difference: (wanted, seen) => (wanted.leaves.join() === seen.leaves.join() ? [] : ['leaves']),
    shared: {
      record: ({ leaves }) => ({ leaves }),
      merge: (wanted) => wanted,
      cleared: () => ({ leaves: [] }),
      entries: (recorded) => (recorded as Tree | undefined)?.leaves ?? [],
    },
    update: async ({ key: { tree }, wanted }) => {
      room.trees.set(tree, wanted.leaves);
      room.writes += 1;
      return { tree, leaves: wanted.leaves };
    },
    giveUp: () => 'clear',
  });
}
