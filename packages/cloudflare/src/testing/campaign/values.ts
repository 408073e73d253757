import type { Schema } from './schema-of.ts';

/** Which of two values: the one that is set first, or the one that it is changed to. */
export type Turn = 'first' | 'second';

/**
 * Values by the names of properties, where a schema cannot know what makes sense: of zones, Secrets, other objects. A name
 * that begins with `*` is the end of a name.
 */
export type KnownValues = Readonly<Record<string, readonly [unknown, unknown]>>;

/** Texts in the shapes that patterns ask for; the first that fits is taken. */
const texts = {
  first: [
    'a1',
    'one.example.com',
    'example.com',
    '10.1.0.0/16',
    '2h',
    'DE',
    'GET',
    '#112233',
    'https://one.example.com',
  ],
  second: [
    'b2',
    'two.example.com',
    'example.net',
    '10.2.0.0/16',
    '3h',
    'FR',
    'POST',
    '#445566',
    'https://two.example.com',
  ],
} as const;

const uuids = {
  first: '11111111-1111-4111-8111-111111111111',
  second: '22222222-2222-4222-8222-222222222222',
} as const;

/** A value that the schema allows: another one for each turn where there is another. */
export function valueFor(schema: Schema, turn: Turn, name: string, known: KnownValues): unknown {
  const told =
    known[name] ?? known[Object.keys(known).find((end) => end.startsWith('*') && name.endsWith(end.slice(1))) ?? ''];
  if (told) return told[turn === 'first' ? 0 : 1];
  if (schema.enum) return (turn === 'second' ? schema.enum[1] : undefined) ?? schema.enum[0];
  const { type = 'string' } = schema;
  if (type === 'boolean') return (turn === 'first') !== (schema.default === true);
  if (type === 'integer' || type === 'number') return numberFor(schema, turn);
  if (type === 'array') return [valueFor(schema.items ?? {}, turn, `${name}[]`, known)];
  return type === 'object' ? objectFor(schema, turn, name, known) : textFor(schema, turn);
}

/** An object with what it must have. */
function objectFor(schema: Schema, turn: Turn, name: string, known: KnownValues): unknown {
  if (typeof schema.additionalProperties === 'object') {
    return { [turn === 'first' ? 'a' : 'b']: valueFor(schema.additionalProperties, turn, `${name}{}`, known) };
  }
  const needed = (schema.required ?? []).map((field) => {
    const inner = schema.properties?.[field] ?? {};
    return [field, valueFor(inner, turn, name === '' ? field : `${name}.${field}`, known)] as const;
  });
  return Object.fromEntries(needed);
}

function numberFor({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER, default: given }: Schema, turn: Turn): number {
  const start = typeof given === 'number' ? given : minimum;
  const wanted = start + (turn === 'first' ? 1 : 2);
  return wanted <= maximum ? wanted : Math.max(minimum, maximum - (turn === 'first' ? 1 : 0));
}

function textFor(schema: Schema, turn: Turn): string {
  if (schema.format === 'date-time') return turn === 'first' ? '2027-01-01T00:00:00Z' : '2027-02-01T00:00:00Z';
  const { minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema;
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => (pattern ? [new RegExp(pattern)] : []));
  const fits = (text: string): boolean =>
    text.length >= minLength && text.length <= maxLength && patterns.every((pattern) => pattern.test(text));
  const padded = (turn === 'first' ? 'x' : 'y').repeat(Math.max(1, minLength));
  return [...texts[turn], uuids[turn], padded].find(fits) ?? texts[turn][0];
}
