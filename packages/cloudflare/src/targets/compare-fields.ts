import { canonicalJson } from '@tributary/runtime';

/** An object as the API has it. */
export type WireFields = Readonly<Record<string, unknown>>;

export type FieldComparison = {
  /** What the API fills in where nothing was said; saying so and saying nothing are the same. */
  readonly defaults?: WireFields;
  /** Lists whose order means nothing. */
  readonly sets?: ReadonlySet<string>;
  /** The one form of a value that may be written in several. */
  readonly canonical?: (name: string, value: unknown) => unknown;
};

/**
 * The fields in which an object differs from what is wanted. False, empty and absent are the same to the API, which
 * leaves the former out as it likes; so are what it fills in and what was never said.
 */
export function differingFields(
  wanted: WireFields,
  observed: WireFields,
  names: readonly string[],
  comparison: FieldComparison = {},
): readonly string[] {
  return names.filter((name) => textOf(wanted, name, comparison) !== textOf(observed, name, comparison));
}

function textOf(from: WireFields, name: string, { defaults = {}, sets, canonical }: FieldComparison): string {
  const value = from[name] ?? defaults[name];
  const same = plain(value !== undefined && canonical ? canonical(name, value) : value);
  if (!Array.isArray(same) || !sets?.has(name)) return canonicalJson(same ?? null);
  return [...new Set(same.map((item) => canonicalJson(item as never)))].toSorted().join();
}

/** Without what means nothing. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined || value === false || value === '') return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => plain(item) ?? null);
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const inner = plain(field);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
