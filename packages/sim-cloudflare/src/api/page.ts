export type ResultInfo = Readonly<Record<string, unknown>>;

export type PageRules = { readonly defaultSize: number; readonly maxSize: number; readonly minSize?: number };

export type Page = { readonly result: readonly unknown[]; readonly info: ResultInfo };

/** The page style. A size above the cap is cut to it; a page past the end is empty. */
export function toPage(query: URLSearchParams, rows: readonly unknown[], rules: PageRules): Page {
  const page = Math.max(1, wholeNumber(query.get('page')) ?? 1);
  const asked = wholeNumber(query.get('per_page')) ?? rules.defaultSize;
  const size = Math.min(Math.max(asked, rules.minSize ?? 1), rules.maxSize);
  const result = rows.slice((page - 1) * size, page * size);
  return {
    result,
    info: {
      page,
      per_page: size,
      count: result.length,
      total_count: rows.length,
      total_pages: Math.ceil(rows.length / size),
    },
  };
}

/** Lists that are answered whole. */
export function toSinglePage(rows: readonly unknown[]): Page {
  return { result: rows, info: { page: 1, per_page: rows.length, count: rows.length, total_count: rows.length } };
}

export type CursorRules<Row> = PageRules & {
  readonly keyOf: (row: Row) => string;
  /** `cursor` stands alone in `result_info`, `cursors` as `cursors.after`. */
  readonly style: 'cursor' | 'cursors';
};

/** The cursor style. A cursor names the last row that was seen, so rows that come and go shift nothing. */
export function toCursorPage<Row>(query: URLSearchParams, rows: readonly Row[], rules: CursorRules<Row>): Page {
  const asked = wholeNumber(query.get('per_page')) ?? rules.defaultSize;
  const size = Math.min(Math.max(asked, rules.minSize ?? 1), rules.maxSize);
  const after = Buffer.from(query.get('cursor') ?? '', 'base64url').toString('utf8');
  const byKey = rows.toSorted((a, b) => compare(rules.keyOf(a), rules.keyOf(b)));
  const left = byKey.filter((row) => rules.keyOf(row) > after);
  const result = left.slice(0, size);
  const last = result.at(-1);
  const cursor = left.length > size && last ? Buffer.from(rules.keyOf(last)).toString('base64url') : '';
  const place = rules.style === 'cursor' ? { cursor } : { cursors: cursor === '' ? {} : { after: cursor } };
  return { result, info: { count: result.length, per_page: size, ...place } };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
