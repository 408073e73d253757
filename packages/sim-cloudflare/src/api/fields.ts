/** A JSON object of unknown content, as callers send it. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toFields(body: unknown): Fields {
  return isFields(body) ? body : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Yes, no, or nothing said. */
export function flagOf(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text === 'true' || text === '1';
}
