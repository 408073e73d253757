import type { Json, JsonObject } from '../registry/json.ts';
import type { FieldTable, FieldType, MessageTable, MessageTables } from './message-tables.ts';
import { specialMessages } from './special-messages.ts';
import { readFields, readPacked } from './wire-reader.ts';
import type { WireField } from './wire-reader.ts';

/** A message as JSON. Fields that the table does not know are skipped, as proto2 asks. */
export function decodeMessage(tables: MessageTables, table: MessageTable, bytes: Uint8Array): Json {
  const fields = decodeFields(tables, table, bytes);
  const special = specialMessages[table.name];
  return special ? special(fields, bytes) : fields;
}

type Building = { [name: string]: Json | undefined };

function decodeFields(tables: MessageTables, table: MessageTable, bytes: Uint8Array): JsonObject {
  const into: Building = {};
  for (const wire of readFields(bytes)) {
    const field = table.fields.get(wire.number);
    if (field) takeField(tables, field, wire, into);
  }
  return into;
}

function takeField(tables: MessageTables, field: FieldTable, wire: WireField, into: Building): void {
  const { name, type } = field;
  if (field.shape === 'map') {
    const [key, value] = decodeEntry(tables, type, bytesOf(wire));
    into[name] = { ...(into[name] as JsonObject | undefined), [key]: value };
  } else if (field.shape === 'list') {
    const items = isPacked(type, wire) ? readPacked(bytesOf(wire)).map(Number) : [decodeValue(tables, type, wire)];
    into[name] = [...((into[name] as readonly Json[] | undefined) ?? []), ...items];
  } else {
    const value = decodeValue(tables, type, wire);
    if (field.inline) Object.assign(into, value);
    else if (!field.omitsZero || !isZero(value)) into[name] = value;
  }
}

function decodeEntry(tables: MessageTables, type: FieldType, bytes: Uint8Array): readonly [string, Json] {
  let key = '';
  let value: Json | undefined;
  for (const wire of readFields(bytes)) {
    if (wire.number === 1) key = textOf(bytesOf(wire));
    else if (wire.number === 2) value = decodeValue(tables, type, wire);
  }
  return [key, value ?? emptyOf(tables, type)];
}

function decodeValue(tables: MessageTables, type: FieldType, wire: WireField): Json {
  switch (type.kind) {
    case 'text':
      return textOf(bytesOf(wire));
    case 'bytes':
      return Buffer.from(bytesOf(wire)).toString('base64');
    case 'integer':
      return Number(integerOf(wire));
    case 'boolean':
      return integerOf(wire) !== 0n;
    case 'float':
      return wire.value.kind === 'double' ? wire.value.double : 0;
    case 'message':
      return decodeMessage(tables, tables.message(type.message), bytesOf(wire));
    default:
      return type satisfies never;
  }
}

/** A map's value that was left out has the zero value of its type. */
function emptyOf(tables: MessageTables, type: FieldType): Json {
  switch (type.kind) {
    case 'text':
    case 'bytes':
      return '';
    case 'integer':
    case 'float':
      return 0;
    case 'boolean':
      return false;
    case 'message':
      return decodeMessage(tables, tables.message(type.message), new Uint8Array());
    default:
      return type satisfies never;
  }
}

/** Go leaves out zero values, but never a struct. */
function isZero(value: Json): boolean {
  return value === '' || value === 0 || value === false || value === null;
}

function isPacked(type: FieldType, wire: WireField): boolean {
  return type.kind === 'integer' && wire.value.kind === 'bytes';
}

const utf8 = new TextDecoder();

function textOf(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

function bytesOf({ value, number }: WireField): Uint8Array {
  if (value.kind !== 'bytes') throw new RangeError(`proto: wrong wireType for field ${number}`);
  return value.bytes;
}

function integerOf({ value, number }: WireField): bigint {
  if (value.kind !== 'integer') throw new RangeError(`proto: wrong wireType for field ${number}`);
  return value.integer;
}
