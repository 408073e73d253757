import type { SchemaNode } from '../../registry/schema-node.ts';
import { childPath, keyPath } from '../field-errors.ts';
import { hasKey, mapValueSchema } from '../schema-walk.ts';

export type FieldPathTarget = { readonly path: string; readonly schema: SchemaNode; readonly root: string };

/** Follows `.spec.ports['my.port']` through a schema. Returns the reason as a text when it leads nowhere. */
export function followFieldPath(
  source: string,
  schema: SchemaNode,
  { allowBrackets = true } = {},
): FieldPathTarget | string {
  const tokens = source.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/g) ?? [];
  let at: FieldPathTarget = { path: '', schema, root: '' };
  for (let index = 0; index < tokens.length;) {
    const token = tokens[index] ?? '';
    if (token === '[' && !allowBrackets) return 'array notation is not allowed';
    if (token !== '.' && token !== '[') return `expected [ or . but got: ${token}`;
    const raw = tokens[index + 1];
    if (raw === undefined) return 'unexpected end of JSON path';
    const name = token === '.' ? raw : unquote(raw);
    if (name === undefined) return `expected single quoted string but got ${raw}`;
    const next = step(at, name);
    if (!next) return 'does not refer to a valid field';
    at = next;
    if (token === '[' && tokens[index + 2] !== ']') {
      return tokens[index + 2] === undefined
        ? 'unexpected end of JSON path'
        : `expected ] but got ${tokens[index + 2]}`;
    }
    index += token === '.' ? 2 : 3;
  }
  return at;
}

export function normaliseFieldPath(source: string, schema: SchemaNode): FieldPathTarget | undefined {
  const target = followFieldPath(source, schema);
  return typeof target === 'string' ? undefined : target;
}

function step({ path, schema, root }: FieldPathTarget, name: string): FieldPathTarget | undefined {
  if (schema.properties) {
    if (!hasKey(schema.properties, name)) return undefined;
    return { path: childPath(path, name), schema: schema.properties[name] ?? {}, root: root || name };
  }
  if (schema.additionalProperties === undefined || schema.additionalProperties === false) return undefined;
  return { path: keyPath(path, name), schema: mapValueSchema(schema) ?? {}, root: root || name };
}

const escapes: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unquote(text: string): string | undefined {
  if (text.length < 2 || !text.startsWith("'") || !text.endsWith("'")) return undefined;
  return text.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => escapes[char] ?? char);
}
