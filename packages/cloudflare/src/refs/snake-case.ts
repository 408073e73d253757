/** `consumerServiceUrl` as the API writes it, `consumer_service_url`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * A value of a manifest in the names of the API. What is absent stays so; keys of the fields in `maps` are the user's
 * own and are not touched.
 */
export function toSnakeCase(value: unknown, maps: ReadonlySet<string> = new Set()): unknown {
  if (Array.isArray(value)) return value.map((item) => toSnakeCase(item, maps));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields.map(([name, field]) => [snakeCase(name), maps.has(name) ? (field as unknown) : toSnakeCase(field, maps)]),
  );
}
