import type { Json } from '../registry/json.ts';
import { formatGoDuration } from './go-duration.ts';

type Fields = { readonly [name: string]: Json | undefined };

/** Messages that JSON writes as something else than an object, by name. `bytes` is the message as it came. */
export const specialMessages: Readonly<Record<string, (fields: Fields, bytes: Uint8Array) => Json>> = {
  Time: (fields, bytes) => (bytes.length === 0 ? null : timestamp(fields, 0)),
  MicroTime: (fields, bytes) => (bytes.length === 0 ? null : timestamp(fields, 6)),
  Duration: ({ duration }) => formatGoDuration(Number(duration ?? 0)),
  Quantity: ({ string }) => string ?? '0',
  QuantityValue: ({ string }) => string ?? '0',
  IntOrString: ({ type, intVal, strVal }) => (type === 1 ? (strVal ?? '') : (intVal ?? 0)),
  FieldsV1: rawJson,
  RawExtension: rawJson,
  JSON: rawJson,
  ExtraValue: ({ items }) => items ?? [],
  Verbs: ({ items }) => items ?? [],
  JSONSchemaPropsOrArray: ({ schema, jSONSchemas }) => schema ?? jSONSchemas ?? [],
  JSONSchemaPropsOrBool: ({ schema, allows }) => schema ?? allows ?? false,
  JSONSchemaPropsOrStringArray: ({ schema, property }) => schema ?? property ?? [],
};

function timestamp({ seconds, nanos }: Fields, digits: number): string {
  const text = new Date(Number(seconds ?? 0) * 1000).toISOString().slice(0, 19);
  if (digits === 0) return `${text}Z`;
  const fraction = String(Math.trunc(Number(nanos ?? 0))).padStart(9, '0');
  return `${text}.${fraction.slice(0, digits)}Z`;
}

/** The one field of these messages holds JSON as bytes, which the decoder has made base64 of. */
function rawJson(fields: Fields): Json {
  const raw = fields['raw'] ?? fields['Raw'];
  if (typeof raw !== 'string' || raw === '') return null;
  return JSON.parse(Buffer.from(raw, 'base64').toString('utf8')) as Json;
}
