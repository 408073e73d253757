import type { Clock } from '@tributary/runtime/clock';
import type { Draft, Reader, Table } from './table.ts';

type Rows = ReadonlyMap<string, unknown>;
type Snapshot = ReadonlyMap<string, Rows>;

export type StoreDump = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

export type Store = {
  readonly read: () => Reader;
  /** Runs the work on a draft. What it wrote becomes the state when it returns and is forgotten when it throws. */
  readonly transact: <Result>(work: (draft: Draft) => Result) => { readonly result: Result; readonly changed: boolean };
  /** Runs the work on the state of so many milliseconds ago; what it writes is forgotten. */
  readonly lookBack: <Result>(lagMs: number, work: (draft: Draft) => Result) => Result;
  /** From now on old states are kept so long, for reads that lag. */
  readonly keepHistory: (forMs: number) => void;
  readonly dump: () => StoreDump;
  readonly clear: () => void;
};

const noRows: Rows = new Map();
const separator = '\u0000';

/** Snapshots share the tables they did not change, so an old state costs only what differs. */
export function createStore(clock: Pick<Clock, 'monotonic'>): Store {
  let current: Snapshot = new Map();
  let history: { readonly atMs: number; readonly snapshot: Snapshot }[] = [];
  let keepMs = 0;

  const commit = (snapshot: Snapshot): void => {
    current = snapshot;
    if (keepMs === 0) return;
    const atMs = clock.monotonic();
    const oldest = history.findLastIndex((entry) => entry.atMs <= atMs - keepMs);
    history = [...history.slice(Math.max(oldest, 0)), { atMs, snapshot }];
  };
  const snapshotAt = (lagMs: number): Snapshot => {
    const untilMs = clock.monotonic() - lagMs;
    return (history.findLast((entry) => entry.atMs <= untilMs) ?? history[0])?.snapshot ?? current;
  };

  return {
    read: () => createDraft(current).draft,
    transact: (work) => {
      const { draft, changed } = createDraft(current);
      const result = work(draft);
      if (changed.size > 0) commit(new Map([...current, ...changed]));
      return { result, changed: changed.size > 0 };
    },
    lookBack: (lagMs, work) => work(createDraft(snapshotAt(lagMs)).draft),
    keepHistory: (forMs) => {
      if (forMs <= keepMs) return;
      keepMs = forMs;
      if (history.length === 0) history = [{ atMs: clock.monotonic(), snapshot: current }];
    },
    dump: () => dump(current),
    clear: () => {
      current = new Map();
      history = [];
      keepMs = 0;
    },
  };
}

function place(table: Table<unknown>, scope: string): string {
  return `${table.name}${separator}${scope}`;
}

function createDraft(base: Snapshot): { readonly draft: Draft; readonly changed: ReadonlyMap<string, Rows> } {
  const changed = new Map<string, Map<string, unknown>>();
  const rows = <Row>(table: Table<Row>, scope: string): ReadonlyMap<string, Row> => {
    const at = place(table, scope);
    return (changed.get(at) ?? base.get(at) ?? noRows) as ReadonlyMap<string, Row>;
  };
  const writable = (table: Table<unknown>, scope: string): Map<string, unknown> => {
    const at = place(table, scope);
    const copy = changed.get(at) ?? new Map(base.get(at));
    changed.set(at, copy);
    return copy;
  };
  const draft: Draft = {
    rows,
    get: (table, scope, key) => rows(table, scope).get(key),
    put: (table, scope, key, row) => void writable(table, scope).set(key, row),
    remove: (table, scope, key) => void writable(table, scope).delete(key),
  };
  return { draft, changed };
}

function dump(snapshot: Snapshot): StoreDump {
  const tables: Record<string, Record<string, readonly unknown[]>> = {};
  for (const [at, rows] of snapshot) {
    const [table = '', scope = ''] = at.split(separator);
    if (rows.size > 0) tables[table] = { ...tables[table], [scope]: [...rows.values()] };
  }
  return tables;
}
