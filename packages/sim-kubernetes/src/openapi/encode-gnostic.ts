import type { JsonObject } from '../registry/json.ts';
import { messages } from './gnostic-tables.ts';
import type { Holds, Message } from './gnostic-tables.ts';

/** An OpenAPI v2 document as protobuf: the only form in which kubectl asks for it. */
export function encodeGnostic(document: JsonObject): Buffer {
  return Buffer.concat(message('Document', document));
}

type Loose = { readonly [key: string]: unknown };
type Chunks = readonly Buffer[];

const lengthDelimited = 2;
const fixed64 = 1;
const varint = 0;

function message(name: string, value: Loose): Chunks {
  if (name === 'Parameter') return parameter(value);
  if (name === 'AdditionalProperties') return additional(value);
  const { fields, extensions } = messages[name] as Message;
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (known !== undefined) return field(known[0], known[1], inner);
    if (extensions === undefined || !key.startsWith('x-')) return [];
    return delimited(extensions, [...field(1, 'text', key), ...delimited(2, anyOf(inner))]);
  });
}

/** A parameter is of the body or not, and if not, of one of several places. */
function parameter(value: Loose): Chunks {
  const place = value['in'];
  if (place === 'body') return delimited(1, delimited(1, message('BodyParameter', value)));
  const [number, name] = place === 'path' ? [4, 'PathParameter'] : [3, 'QueryParameter'];
  return delimited(1, delimited(2, delimited(number, message(name, value))));
}

function additional(value: unknown): Chunks {
  return typeof value === 'boolean' ? field(2, 'flag', value) : delimited(1, message('Schema', value as Loose));
}

function field(number: number, holds: Holds, value: unknown): Chunks {
  switch (holds) {
    case 'text':
      return value === '' ? [] : delimited(number, [Buffer.from(String(value))]);
    case 'flag':
      return value === true ? [tag(number, varint), unsigned(1)] : [];
    case 'integer':
      return value === 0 ? [] : [tag(number, varint), unsigned(value as number)];
    case 'double':
      return [tag(number, fixed64), double(value as number)];
    case 'any':
      return delimited(number, anyOf(value));
    default:
      return compound(number, holds, value);
  }
}

function compound(number: number, holds: Exclude<Holds, string>, value: unknown): Chunks {
  if ('message' in holds) return delimited(number, message(holds.message, value as Loose));
  if ('wrap' in holds) return delimited(number, field(holds.number, holds.wrap, value));
  if ('list' in holds) {
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => field(number, holds.list, item));
  }
  return Object.entries(value as Loose).flatMap(([name, inner]) =>
    delimited(number, [...field(1, 'text', name), ...field(2, holds.named, inner)]),
  );
}

/** JSON is YAML. */
function anyOf(value: unknown): Chunks {
  return field(2, 'text', JSON.stringify(value));
}

function delimited(number: number, content: Chunks): Chunks {
  const length = content.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  return [tag(number, lengthDelimited), unsigned(length), ...content];
}

function tag(number: number, wireType: number): Buffer {
  return unsigned(number * 8 + wireType);
}

function unsigned(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
