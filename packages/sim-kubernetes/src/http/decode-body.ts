import type { RepeatedKey } from '@tributary/runtime/yaml';
import { badRequest, isApiError, requestTooLarge, unsupportedMediaType } from '../registry/api-error.ts';
import type { Draft } from '../registry/json.ts';
import type { ApiRequest } from './api-request.ts';
import { goJsonError } from '../schema/go-json-error.ts';
import { firstBracketed } from './first-yaml.ts';
import { parseMediaType } from './negotiate.ts';
import { repeatedFields } from './repeated-fields.ts';

/** As kube-apiserver and etcd have it. */
export const longestBody = 3 * 1024 * 1024;

export type DecodedBody = {
  readonly value: Draft;
  /** What strict decoding finds fault with before it knows the kind. */
  readonly strict: readonly string[];
};

/** Reads the protobuf envelope of the API; absent when it is not served. */
export type DecodeProtobuf = (body: Uint8Array) => Draft;

export type BodyDecoder = (
  request: ApiRequest,
  kind: string,
  checkRepeated: boolean,
) => DecodedBody | Promise<DecodedBody>;

const acceptedTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const longestSummary = 30;
const text = new TextDecoder();

/** `kind` is what the caller should have sent, for the error that says otherwise. */
export function createBodyDecoder(decodeProtobuf: DecodeProtobuf | undefined): BodyDecoder {
  return (request, kind, checkRepeated) => {
    checkSize(request.body);
    switch (contentTypeOf(request)) {
      case 'application/json':
        return decodeJson(text.decode(request.body), kind, checkRepeated);
      case 'application/yaml':
        return decodeYaml(text.decode(request.body), kind);
      case 'application/vnd.kubernetes.protobuf':
        if (decodeProtobuf !== undefined) return { value: decodeProtobuf(request.body), strict: [] };
        throw unsupportedMediaType(acceptedTypes);
      default:
        throw unsupportedMediaType(acceptedTypes);
    }
  };
}

export function checkContentType(request: ApiRequest): void {
  if (!acceptedTypes.includes(contentTypeOf(request))) throw unsupportedMediaType(acceptedTypes);
}

export function checkSize(body: Uint8Array): void {
  if (body.byteLength > longestBody) throw requestTooLarge(`limit is ${longestBody}`);
}

/** A body without a type counts as JSON. */
export function contentTypeOf({ headers }: ApiRequest): string {
  return parseMediaType(headers['content-type'] ?? 'application/json').type || 'application/json';
}

function decodeJson(body: string, kind: string, checkRepeated: boolean): DecodedBody {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw unrecognized(kind, goJsonError(body) ?? 'invalid character', body);
  }
  // Go reads null into anything, and leaves it as it was.
  if (value === null) return { value: {}, strict: [] };
  if (!isObject(value)) throw unrecognized(kind, notAnObject(value), body);
  const strict = checkRepeated ? repeatedFields(body).map((path) => `duplicate field ${JSON.stringify(path)}`) : [];
  return { value, strict };
}

/** The parser is loaded by the first body that needs it: most servers never see one, and it takes longer than the rest of the start. */
async function decodeYaml(body: string, kind: string): Promise<DecodedBody> {
  const { parseRepeatingYaml } = await import('@tributary/runtime/yaml');
  try {
    const { value, repeated } = parseRepeatingYaml(firstBracketed(body) ?? body);
    if (isObject(value)) return { value, strict: repeated.length === 0 ? [] : [repeatedText(repeated)] };
    throw unrecognized(kind, notAnObject(value), body);
  } catch (error) {
    if (isApiError(error)) throw error;
    throw unrecognized(kind, `yaml: ${(error as Error).message}`, body);
  }
}

/** One fault for all of them, as the YAML parser of the server lists them. */
export function repeatedText(repeated: readonly RepeatedKey[]): string {
  const lines = repeated.map(({ key, line }) => `  line ${line}: key ${JSON.stringify(key)} already set in map`);
  return `yaml: unmarshal errors:\n${lines.join('\n')}`;
}

function isObject(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAnObject(value: unknown): string {
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return `json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

function unrecognized(kind: string, problem: string, body: string): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${problem} (${summaryOf(body)})`,
  );
}

/** The first 30 characters of a body; one that begins as no object does is shown as bytes. */
export function summaryOf(body: string): string {
  if (body === '') return '<empty>';
  const shown = body.startsWith('{') ? body : Buffer.from(body).toString('hex');
  return shown.length > longestSummary ? `${shown.slice(0, longestSummary)} ...` : shown;
}
