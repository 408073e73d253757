import { invalidParameter, missingParameter } from './rpc-error.ts';

/** The parameters of a call, flattened: `Tag.1.Key`. All values are text. */
export type Params = Readonly<Record<string, string>>;

/** An empty value is no value. */
export function textOf(params: Params, name: string): string | undefined {
  const value = params[name];
  return value === undefined || value === '' ? undefined : value;
}

export function neededText(params: Params, name: string): string {
  const value = textOf(params, name);
  if (value === undefined) throw missingParameter(name);
  return value;
}

export function flagOf(params: Params, name: string): boolean | undefined {
  const value = textOf(params, name)?.toLowerCase();
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw invalidParameter(name);
  return value === 'true';
}

export function integerOf(params: Params, name: string, limits: readonly [number, number]): number | undefined {
  const value = textOf(params, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= limits[0] && number <= limits[1])) throw invalidParameter(name);
  return number;
}

/** `ResourceId.1`, `ResourceId.2` and so on, in order of their numbers. */
export function listOf(params: Params, name: string): readonly string[] {
  return numbered(params, name)
    .filter(({ rest }) => rest === '')
    .map(({ value }) => value);
}

export type TagPair = { readonly key: string; readonly value: string | undefined };

/** `Tag.1.Key` with `Tag.1.Value`; the value may be absent. */
export function tagPairs(params: Params, name = 'Tag'): readonly TagPair[] {
  const keys = numbered(params, name).filter(({ rest }) => rest === 'Key');
  return keys.map(({ index, value }) => ({ key: value, value: params[`${name}.${index}.Value`] }));
}

type Numbered = { readonly index: number; readonly rest: string; readonly value: string };

function numbered(params: Params, name: string): readonly Numbered[] {
  const found: Numbered[] = [];
  for (const [key, value] of Object.entries(params)) {
    if (!key.startsWith(`${name}.`)) continue;
    const [index = '', ...rest] = key.slice(name.length + 1).split('.');
    if (/^\d+$/.test(index)) found.push({ index: Number(index), rest: rest.join('.'), value });
  }
  return found.toSorted((one, other) => one.index - other.index);
}
