import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { ApiError, badRequest, requestTooLarge } from '../registry/api-error.ts';
import { isRecord } from '../schema/schema-walk.ts';
import { jsonTypeName } from './json-type-name.ts';

/** The server takes no more operations than this in one patch. */
const maxOperations = 10_000;

/**
 * JSON Patch (RFC 6902) as kube-apiserver takes it, which is more than the standard allows: an index may count from
 * the end, `replace` of a key that is not there adds it, `copy` of one copies null, a missing value is null. The
 * target is left as it was.
 */
export function applyJsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw undecodable(operations, '[]handlers.jsonPatchOp');
  if (operations.length > maxOperations) {
    throw requestTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  }
  for (const operation of operations) {
    if (operation !== null && !isRecord(operation)) throw undecodable(operation, 'handlers.jsonPatchOp');
  }
  let document = structuredClone(target);
  for (const operation of operations) document = applyOne(document, (operation ?? {}) as Given);
  if (!isRecord(document)) throw refused();
  return document;
}

type Given = { readonly op?: unknown; readonly path?: unknown; readonly from?: unknown; readonly value?: unknown };

function applyOne(document: unknown, given: Given): unknown {
  const ready = standardOperation(document, given);
  try {
    return jsonPatch.applyOperation(document, ready, true).newDocument;
  } catch {
    throw refused();
  }
}

/** The operation in words that the standard knows. */
function standardOperation(document: unknown, given: Given): Operation {
  const { op } = given;
  const value = structuredClone(given.value) ?? null;
  switch (op) {
    case 'add':
      return { op, path: placed(document, given.path, 'new').path, value };
    case 'remove': {
      const { path } = placed(document, given.path, 'present');
      if (path === '') throw refused();
      return { op, path };
    }
    case 'replace': {
      const { path, missing } = placed(document, given.path, 'any');
      return missing ? { op: 'add', path, value } : { op, path, value };
    }
    case 'test': {
      const { path, missing } = placed(document, given.path, 'any');
      if (missing && value !== null) throw refused();
      return missing ? { op: 'test', path: '', value: document } : { op, path, value };
    }
    case 'move':
      return { op, from: placed(document, given.from, 'present').path, path: placed(document, given.path, 'new').path };
    case 'copy': {
      // Of the whole there is no copy.
      if (given.from === '') throw refused();
      const from = placed(document, given.from, 'any');
      const { path } = placed(document, given.path, 'new');
      return from.missing ? { op: 'add', path, value: null } : { op, from: from.path, path };
    }
    default:
      throw refused();
  }
}

type Placed = { readonly path: string; readonly missing: boolean };

/** Follows a path to where it points; `missing` when the last part names a key that is not there. */
function placed(document: unknown, path: unknown, wanted: 'new' | 'present' | 'any'): Placed {
  if (typeof path !== 'string') throw refused();
  if (path === '') return { path, missing: false };
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  const holder = parts.slice(1).reduce<unknown>((at, part) => below(at, unescapePart(part)), document);
  if (parts[0] !== '') throw refused();
  if (Array.isArray(holder)) return { path: [...parts, index(holder, last, wanted)].join('/'), missing: false };
  if (!isRecord(holder)) throw refused();
  const missing = !Object.hasOwn(holder, unescapePart(last));
  if (missing && wanted === 'present') throw refused();
  return { path, missing };
}

function index(list: readonly unknown[], key: string, wanted: 'new' | 'present' | 'any'): string {
  if (wanted === 'new' && key === '-') return key;
  const size = list.length + (wanted === 'new' ? 1 : 0);
  const asked = /^-?\d+$/.test(key) ? Number(key) : Number.NaN;
  if (!(asked < size && asked >= -size)) throw refused();
  return String(asked < 0 ? asked + size : asked);
}

function below(holder: unknown, key: string): unknown {
  if (Array.isArray(holder)) return /^-?\d+$/.test(key) ? (holder.at(Number(key)) as unknown) : undefined;
  return isRecord(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function unescapePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The server knows what was wrong and does not say it. */
function refused(): ApiError {
  return new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
  });
}

function undecodable(value: unknown, type: string): ApiError {
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${type}`,
  );
}
