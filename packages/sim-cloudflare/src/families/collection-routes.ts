import type { Access } from '../api/access.ts';
import { refusal } from '../api/api-error.ts';
import { toPage, toSinglePage } from '../api/page.ts';
import type { PageRules } from '../api/page.ts';
import { param } from '../api/route.ts';
import type { Call, Method, Reply, Route } from '../api/route.ts';
import type { Table } from '../store/table.ts';

/** A product whose objects are made, read, replaced and deleted one by one, all in the same way. */
export type Collection<Row extends { readonly id: string }> = {
  /** Below the account. */
  readonly path: string;
  readonly access: Access;
  readonly table: Table<Row>;
  readonly notFound: { readonly status: number; readonly code: number; readonly message: string };
  /** Checks the body and makes the row; of a change, with the one that was there. */
  readonly build: (call: Call, old: Row | undefined) => Row;
  readonly toView: (row: Row, call: Call) => object;
  /** What only the answer to a creation holds. */
  readonly onCreated?: (row: Row, call: Call) => object;
  readonly matches?: (row: Row, query: URLSearchParams) => boolean;
  /** Nothing: a list is answered whole. */
  readonly page?: PageRules;
  readonly change?: Method;
  /** Throws when something stands in the way. */
  readonly beforeDelete?: (row: Row, call: Call) => void;
  /** A view without what only a single object shows. */
  readonly toListed?: (row: Row, call: Call) => object;
};

export function collectionRoutes<Row extends { readonly id: string }>(of: Collection<Row>): readonly Route[] {
  const { path, access } = of;
  const all = `/accounts/:account/${path}`;
  const one = `${all}/:id`;
  return [
    { method: 'GET', path: all, access, run: (call) => list(of, call) },
    { method: 'POST', path: all, access, run: (call) => create(of, call) },
    { method: 'GET', path: one, access, run: (call) => ({ result: of.toView(findRow(of, call), call) }) },
    { method: of.change ?? 'PUT', path: one, access, run: (call) => change(of, call) },
    { method: 'DELETE', path: one, access, run: (call) => remove(of, call) },
  ];
}

export function findRow<Row extends { readonly id: string }>(
  { table, notFound }: Pick<Collection<Row>, 'table' | 'notFound'>,
  call: Call,
  id = param(call, 'id'),
): Row {
  const row = call.state.get(table, param(call, 'account'), id);
  if (!row) throw refusal(notFound.status, notFound.code, notFound.message);
  return row;
}

function list<Row extends { readonly id: string }>(of: Collection<Row>, call: Call): Reply {
  const { matches = () => true, toListed = of.toView } = of;
  const rows = [...call.state.rows(of.table, param(call, 'account')).values()]
    .filter((row) => matches(row, call.query))
    .map((row) => toListed(row, call));
  return of.page ? toPage(call.query, rows, of.page) : toSinglePage(rows);
}

function create<Row extends { readonly id: string }>(of: Collection<Row>, call: Call): Reply {
  const row = of.build(call, undefined);
  call.state.put(of.table, param(call, 'account'), row.id, row);
  return { result: { ...of.toView(row, call), ...of.onCreated?.(row, call) } };
}

function change<Row extends { readonly id: string }>(of: Collection<Row>, call: Call): Reply {
  const row = of.build(call, findRow(of, call));
  call.state.put(of.table, param(call, 'account'), row.id, row);
  return { result: of.toView(row, call) };
}

function remove<Row extends { readonly id: string }>(of: Collection<Row>, call: Call): Reply {
  const row = findRow(of, call);
  of.beforeDelete?.(row, call);
  call.state.remove(of.table, param(call, 'account'), row.id);
  return { result: { id: row.id } };
}
