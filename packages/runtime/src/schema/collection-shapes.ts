import { z } from 'zod';
import { withTwin } from './twin.ts';
import type { Finding } from './twin.ts';

/** A list whose items are told apart by `keys`, as containers are by their name. Several writers can share it. */
export function listMap<S extends z.ZodType>(item: S, keys: readonly (keyof z.output<S> & string)[]): z.ZodArray<S> {
  const keyOf = (value: z.output<S>): string => JSON.stringify(keys.map((key) => value[key]));
  return withTwin(z.array(item), { kind: 'list', type: 'map', keys }, (values) =>
    duplicates(values.map(keyOf), `another item has the same ${keys.join(' and ')}`),
  );
}

/** A list of scalars without repetition. */
export function listSet<S extends z.ZodType>(item: S): z.ZodArray<S> {
  return withTwin(z.array(item), { kind: 'list', type: 'set' }, (values) =>
    duplicates(
      values.map((value) => JSON.stringify(value)),
      'is in the list already',
    ),
  );
}

/** A list that is replaced as a whole. */
export function atomicList<S extends z.ZodType>(item: S): z.ZodArray<S> {
  return withTwin(z.array(item), { kind: 'list', type: 'atomic' });
}

export type MapOptions<K extends z.core.$ZodRecordKey> = {
  /** What a key must be. It costs CEL, so the number of entries must be bounded. */
  readonly keys?: K;
  readonly minProperties?: number;
  readonly maxProperties?: number;
};

/** A map from strings, with a bound on its size. */
export function mapOf<S extends z.ZodType, K extends z.core.$ZodRecordKey = z.ZodString>(
  value: S,
  { keys, minProperties: min, maxProperties: max }: MapOptions<K> = {},
): z.ZodRecord<K, S> {
  const record = z.record(keys ?? (z.string() as unknown as K), value);
  const twin = { kind: 'properties', ...(min !== undefined && { min }), ...(max !== undefined && { max }) } as const;
  return withTwin(record, twin, (entries): readonly Finding[] => {
    const count = Object.keys(entries).length;
    if (max !== undefined && count > max) return [{ message: `must have at most ${max} entries` }];
    if (min !== undefined && count < min) return [{ message: `must have at least ${min} entries` }];
    return [];
  });
}

function duplicates(keys: readonly string[], message: string): readonly Finding[] {
  const seen = new Set<string>();
  return keys.flatMap((key, index) => {
    if (seen.has(key)) return [{ message, path: [index] }];
    seen.add(key);
    return [];
  });
}
