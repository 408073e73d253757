/** Where a value stands, for the text of an error: the innermost Go struct, and the path without indexes. */
export type Place = { readonly struct: string; readonly path: string };

/** Go could not put a value into its type. */
export class UnreadableValue extends Error {}

export function unreadable(got: string, place: Place, want: string): UnreadableValue {
  const field = `${place.struct}.${place.path}`;
  return new UnreadableValue(`json: cannot unmarshal ${got} into Go struct field ${field} of type ${want}`);
}

/** The word that Go's decoder has for a JSON value. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
