// Breaks a JSON value somewhere: a field goes, changes its type, or one appears that nobody knows.
import fc from 'fast-check';
import type { Json, JsonObject } from './fuzz-target.ts';

export type Damage = { readonly at: number; readonly how: 'drop' | 'replace' | 'add'; readonly junk: Json };

const long = 'x'.repeat(300);

export const junk: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e20,
  '',
  'x',
  'A B',
  '1',
  'Ünïcode',
  long,
  [],
  [null],
  ['a', 'a'],
  [[]],
  {},
  { a: { b: 1 } },
  { '': '' },
);

export const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({ at: fc.nat(9999), how: fc.constantFrom('drop' as const, 'replace' as const, 'add' as const), junk }),
  { minLength: 1, maxLength: 2 },
);

export function breakValue(value: Json, found: readonly Damage[]): Json {
  return found.reduce((whole, damage) => {
    const places = placesIn(whole);
    return changeAt(whole, places[damage.at % places.length] ?? [], damage);
  }, value);
}

type Place = readonly (string | number)[];

function placesIn(value: Json, here: Place = []): readonly Place[] {
  if (value === null || typeof value !== 'object') return [here];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    placesIn(item, [...here, Array.isArray(value) ? Number(key) : key]),
  );
  return [here, ...inner];
}

function changeAt(value: Json, [key, ...rest]: Place, damage: Damage): Json {
  if (key === undefined) return damaged(value, damage);
  const dropped = rest.length === 0 && damage.how === 'drop';
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) =>
      index !== key ? [item] : dropped ? [] : [changeAt(item, rest, damage)],
    );
  }
  const entries = Object.entries(value as object) as [string, Json][];
  return Object.fromEntries(
    entries.flatMap(([name, item]) =>
      name !== key ? [[name, item]] : dropped ? [] : [[name, changeAt(item, rest, damage)]],
    ),
  );
}

function damaged(value: Json, { how, junk: put }: Damage): Json {
  if (how !== 'add') return put;
  if (Array.isArray(value)) return [...(value as Json[]), put];
  return value !== null && typeof value === 'object' ? { ...(value as JsonObject), unheardOf: put } : put;
}
