import { CloudflareError } from '@tributary/cloudflare-api';
import type { ErrorClass } from '@tributary/cloudflare-api';
import type { Clock } from '@tributary/runtime';

/**
 * What the toy provider keeps, and its rules: one record of a name in a zone, no value that begins with `bad`; one that
 * begins with `deaf` is taken, and something else is kept.
 */
export type ToyRecord = {
  readonly id: string;
  readonly zone: string;
  readonly name: string;
  readonly value: string;
  readonly comment: string;
};
/** Has no mark, and any number of them may have one name. */
export type ToyThing = { readonly id: string; readonly name: string; readonly size: number; readonly bornAt: string };
/** Many write it. */
export type ToyBoard = { readonly id: string; readonly version: number; readonly entries: readonly string[] };

export type ToyChange =
  | { readonly post: Omit<ToyRecord, 'id'> }
  | { readonly patch: Partial<ToyRecord> & { readonly id: string } }
  | { readonly delete: string };

export type ToyStore = {
  readonly records: Map<string, ToyRecord>;
  readonly things: Map<string, ToyThing>;
  readonly boards: Map<string, ToyBoard>;
  readonly post: (record: Omit<ToyRecord, 'id'>, into?: Map<string, ToyRecord>) => ToyRecord;
  readonly patch: (id: string, change: Partial<ToyRecord>, into?: Map<string, ToyRecord>) => ToyRecord;
  /** All or nothing. */
  readonly batch: (changes: readonly ToyChange[]) => readonly (ToyRecord | undefined)[];
  readonly postThing: (thing: Pick<ToyThing, 'name' | 'size'>) => ToyThing;
  readonly patchThing: (id: string, size: number) => ToyThing;
  readonly putBoard: (id: string, entries: readonly string[]) => ToyBoard;
};

export function createToyStore(clock: Pick<Clock, 'now'>): ToyStore {
  const records = new Map<string, ToyRecord>();
  const things = new Map<string, ToyThing>();
  const boards = new Map<string, ToyBoard>();
  let ids = 0;
  const nextId = (): string => `id-${String((ids += 1)).padStart(5, '0')}`;
  const post: ToyStore['post'] = (record, into = records) => {
    refuseBad(record.value);
    const taken = [...into.values()].find(({ zone, name }) => zone === record.zone && name === record.name);
    if (taken) throw refusal('already-exists', `${record.name} exists`);
    return keep({ ...record, value: heard(record.value, ''), id: nextId() }, into);
  };
  const patch: ToyStore['patch'] = (id, change, into = records) => {
    refuseBad(change.value ?? '');
    const old = must(into.get(id), id);
    return keep({ ...old, ...change, value: heard(change.value ?? old.value, old.value), id }, into);
  };
  return {
    records,
    things,
    boards,
    post,
    patch,
    batch: (changes) => {
      const draft = new Map(records);
      const results = changes.map((change) => {
        if ('post' in change) return post(change.post, draft);
        if ('patch' in change) return patch(change.patch.id, change.patch, draft);
        remove(change.delete, draft);
        return undefined;
      });
      records.clear();
      for (const [id, record] of draft) records.set(id, record);
      return results;
    },
    postThing: (thing) => keep({ ...thing, id: nextId(), bornAt: new Date(clock.now()).toISOString() }, things),
    patchThing: (id, size) => keep({ ...must(things.get(id), id), size }, things),
    putBoard: (id, entries) => keep({ id, version: (boards.get(id)?.version ?? 0) + 1, entries }, boards),
  };
}

export function remove(id: string, from: Map<string, unknown>): void {
  must(from.get(id), id);
  from.delete(id);
}

function keep<T extends { readonly id: string }>(made: T, into: Map<string, T>): T {
  into.set(made.id, made);
  return made;
}

function must<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw refusal('not-found', `${id} is not there`);
  return value;
}

function heard(value: string, old: string): string {
  return value.startsWith('deaf') ? old : value;
}

function refuseBad(value: string): void {
  if (value.startsWith('bad')) throw refusal('validation', `${value} is no value`);
}

export function refusal(errorClass: ErrorClass, detail: string, effect: 'none' | 'unknown' = 'none'): CloudflareError {
  return new CloudflareError({
    class: errorClass,
    retry: errorClass === 'validation' ? { kind: 'never' } : { kind: 'backoff' },
    family: 'dns',
    method: 'POST',
    path: '/toy',
    status: 400,
    apiCode: undefined,
    messages: [],
    detail,
    pointer: undefined,
    requestId: undefined,
    effect,
  });
}
