import { z } from 'zod';
import { defineContract } from '../../l4-state/contract.ts';
import type { Loser } from '../../l4-state/loser.ts';
import { withMark } from '../../l4-state/ownership-mark.ts';
import { defineTarget } from '../target.ts';
import { toyOf } from './toy-provider.ts';
import type { ToyBoard, ToyChange, ToyRecord, ToyThing } from './toy-store.ts';

/** One source is one record, with a mark in its comment, seen by lists and written in batches. */
export const recordContract = defineContract({
  type: 'DNSRecord',
  sources: 'one',
  config: z.object({ value: z.string(), comment: z.string().optional(), adopt: z.boolean().optional() }),
  readable: ({ name }: RecordKey) => name,
  cloudflareId: ({ name }) => name,
});
export type RecordKey = { readonly accountId: string; readonly zoneId: string; readonly name: string };
type WantedRecord = { readonly name: string; readonly value: string; readonly comment: string };

const longestComment = 100;

export const recordTarget = defineTarget<RecordKey, z.infer<typeof recordContract.config>, WantedRecord, ToyRecord>({
  contract: recordContract,
  aggregate: ([first, ...others], { name }) => {
    if (!first) return { ok: false, message: 'no source' };
    const marked = withMark(first.config.comment ?? '', first.ref, longestComment);
    if (!marked.ok) return { ok: false, message: `the comment is ${marked.overBy} too long`, ref: first.ref };
    const losers: Loser[] = others.map(({ ref }) => ({ ref, what: name, winner: first.ref, reason: 'first wins' }));
    return { ok: true, desired: { name, value: first.config.value, comment: marked.text }, losers };
  },
  scope: ({ zoneId }) => zoneId,
  observe: {
    lookup: async ({ key, id }, call) => {
      const known = id === undefined ? undefined : await toyOf(call).get(id);
      return known ? [known] : toyOf(call).find(key.zoneId, key.name);
    },
    list: async ({ zoneId }, call) => toyOf(call).list(zoneId),
  },
  idOf: ({ id }) => id,
  markedText: ({ comment }) => comment,
  relation: (wanted, { name }) => (name === wanted.name ? 'same' : 'none'),
  difference: (wanted, observed) =>
    (['name', 'value', 'comment'] as const).filter((field) => wanted[field] !== observed[field]),
  create: {
    repeatable: 'natural-key',
    run: async (wanted, { zoneId }, call) => toyOf(call).create({ zone: zoneId, ...wanted }),
  },
  update: async ({ wanted, observed }, call) => toyOf(call).edit(observed.id, wanted),
  giveUp: () => 'delete',
  remove: async ({ id }, _key, call) => toyOf(call).remove(id),
  batch: {
    limit: async () => 200,
    run: async (changes, call) =>
      toyOf(call).batch(
        changes.map((change): ToyChange => {
          if (change.do === 'create') return { post: { zone: change.key.zoneId, ...change.wanted } };
          if (change.do === 'update') return { patch: { ...change.wanted, id: change.observed.id } };
          return { delete: change.observed.id };
        }),
      ),
  },
  outputs: ({ id, value }) => ({ data: { recordId: id, value } }),
});

/** No mark, and the provider would make a second one: the intent is stored first. Has a secret. */
export const thingContract = defineContract({
  type: 'TunnelLifecycle',
  finalizer: 'tunnel',
  sources: 'one',
  config: z.object({ size: z.int(), secretName: z.string().optional(), adopt: z.boolean().optional() }),
  readable: ({ name }: ThingKey) => name,
  cloudflareId: ({ name }) => name,
});
export type ThingKey = { readonly accountId: string; readonly name: string };
type WantedThing = { readonly name: string; readonly size: number; readonly secretName?: string | undefined };

export const thingTarget = defineTarget<ThingKey, z.infer<typeof thingContract.config>, WantedThing, ToyThing>({
  contract: thingContract,
  aggregate: ([first], { name }) =>
    first
      ? { ok: true, desired: { name, size: first.config.size, secretName: first.config.secretName }, losers: [] }
      : { ok: false, message: 'no source' },
  scope: ({ accountId }) => accountId,
  observe: { lookup: async ({ key }, call) => toyOf(call).findThings(key.name) },
  idOf: ({ id }) => id,
  bornAt: ({ bornAt }) => bornAt,
  relation: (wanted, { name }) => (name === wanted.name ? 'same' : 'none'),
  difference: (wanted, { size }) => (wanted.size === size ? [] : ['size']),
  create: { repeatable: 'intent', run: async ({ name, size }, _key, call) => toyOf(call).createThing({ name, size }) },
  update: async ({ wanted, observed }, call) => toyOf(call).editThing(observed.id, wanted.size),
  giveUp: ({ created }) => (created ? 'delete' : 'retain'),
  remove: async ({ id }, _key, call) => toyOf(call).removeThing(id),
  outputs: ({ id }) => ({ data: { thingId: id } }),
  secrets: async ({ id }, { secretName }, _key, call) =>
    secretName === undefined
      ? []
      : [{ namespace: 'default', name: secretName, data: { token: await toyOf(call).secretOf(id) } }],
});

/** Many sources write one board, which holds entries of others as well. */
export const boardContract = defineContract({
  type: 'TunnelConfiguration',
  sources: 'many',
  config: z.object({ entries: z.array(z.string()) }),
  readable: ({ board }: BoardKey) => board,
  cloudflareId: ({ board }) => board,
});
export type BoardKey = { readonly accountId: string; readonly board: string };
type WantedBoard = { readonly entries: readonly string[]; readonly foreign?: readonly string[] };

export const boardTarget = defineTarget<BoardKey, z.infer<typeof boardContract.config>, WantedBoard, ToyBoard>({
  contract: boardContract,
  aggregate: (sources) => ({
    ok: true,
    desired: { entries: [...new Set(sources.flatMap(({ config }) => config.entries))].toSorted() },
    losers: [],
  }),
  scope: ({ board }) => board,
  observe: {
    lookup: async ({ key }, call) => {
      const found = await toyOf(call).getBoard(key.board);
      return found ? [found] : [];
    },
  },
  idOf: ({ id }) => id,
  relation: () => 'same',
  difference: (wanted, { entries }) => (all(wanted).join() === entries.join() ? [] : ['entries']),
  shared: {
    record: ({ entries }) => ({ entries }),
    merge: ({ entries }, observed, recorded) => ({
      entries,
      foreign: foreignOf(observed, [...entries, ...entriesOf(recorded)]),
    }),
    cleared: (observed, recorded) => ({
      entries: [],
      foreign: foreignOf(observed, entriesOf(recorded)),
    }),
    entries: entriesOf,
  },
  update: async ({ key, wanted }, call) => toyOf(call).putBoard(key.board, all(wanted)),
  giveUp: () => 'clear',
  outputs: ({ version }) => ({ version, data: {} }),
});

function entriesOf(recorded: unknown): readonly string[] {
  return (recorded as { readonly entries: readonly string[] } | undefined)?.entries ?? [];
}

function foreignOf(observed: ToyBoard | undefined, ours: readonly string[]): readonly string[] {
  return (observed?.entries ?? []).filter((entry) => !ours.includes(entry));
}

function all({ entries, foreign = [] }: WantedBoard): readonly string[] {
  return [...entries, ...foreign].toSorted();
}
