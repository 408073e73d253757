import { badRequest } from '../registry/api-error.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import { decodeMessage } from './decode-message.ts';
import { readMessageTables } from './message-tables.ts';
import type { MessageTables } from './message-tables.ts';
import { readFields } from './wire-reader.ts';

/** What every body begins with: `k8s` and a zero. */
const magic = [0x6b, 0x38, 0x73, 0x00];

let tables: MessageTables | undefined;

/**
 * A body of `application/vnd.kubernetes.protobuf` as the JSON that it stands for: an envelope that names the kind,
 * around the message of it. Go clients, kubectl among them, send built-in kinds and options in this form.
 */
export function decodeEnvelope(body: Uint8Array): Draft {
  if (!magic.every((byte, index) => body[index] === byte)) {
    throw badRequest(`provided data does not appear to be a protobuf message, expected prefix [${magic.join(' ')}]`);
  }
  try {
    return decodeBody(body.subarray(magic.length));
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(error.message);
    throw error;
  }
}

function decodeBody(bytes: Uint8Array): Draft {
  const { apiVersion, kind, raw, contentType } = readUnknown(bytes);
  if (contentType === 'application/json') return JSON.parse(new TextDecoder().decode(raw)) as Draft;
  tables ??= readMessageTables();
  const table = tables.find(apiVersion, kind);
  if (!table) throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return { kind, apiVersion, ...(decodeMessage(tables, table, raw) as JsonObject) };
}

type Unknown = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
  readonly contentType: string;
};

/** runtime.Unknown, which is no built-in kind: type, bytes, and how these are to be read. */
function readUnknown(bytes: Uint8Array): Unknown {
  const parts = byNumber(bytes);
  const type = byNumber(parts.get(1) ?? new Uint8Array());
  return {
    apiVersion: textOf(type.get(1)),
    kind: textOf(type.get(2)),
    raw: parts.get(2) ?? new Uint8Array(),
    contentType: textOf(parts.get(4)),
  };
}

function byNumber(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const parts = new Map<number, Uint8Array>();
  for (const { number, value } of readFields(bytes)) if (value.kind === 'bytes') parts.set(number, value.bytes);
  return parts;
}

function textOf(part: Uint8Array | undefined): string {
  return new TextDecoder().decode(part ?? new Uint8Array());
}
