/** Rows of one shape. The shape is known to the compiler alone; at run time a table is its name. */
export type Table<Row> = { readonly name: string; readonly row?: Row };

export function defineTable<Row>(name: string): Table<Row> {
  return { name };
}

/** What a call sees: rows by key in order of insertion, grouped by a scope (an account, a zone, a tunnel). */
export type Reader = {
  readonly rows: <Row>(table: Table<Row>, scope: string) => ReadonlyMap<string, Row>;
  readonly get: <Row>(table: Table<Row>, scope: string, key: string) => Row | undefined;
};

/** A state that can still be thrown away: all writes of one call become visible together or not at all. */
export type Draft = Reader & {
  readonly put: <Row>(table: Table<Row>, scope: string, key: string, row: Row) => void;
  readonly remove: <Row>(table: Table<Row>, scope: string, key: string) => void;
};

/** Objects that belong to nobody in particular stand here. */
export const globalScope = '';
