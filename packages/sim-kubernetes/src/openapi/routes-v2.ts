import { hash } from 'node:crypto';
import type { ApiRequest, ApiResponse, NonResourceRoute } from '../http/api-request.ts';
import { parseAccept } from '../http/negotiate.ts';
import type { Registry } from '../registry/registry.ts';
import { documentV2 } from './document-v2.ts';
import { encodeGnostic } from './encode-gnostic.ts';

const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** What callers may name, with what they get. The at sign is from before it was found to be no media type. */
const forms = [
  ['application/json', 'application/json'],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', protobuf],
  [protobuf, protobuf],
] as const;

type Document = { readonly body: string | Uint8Array; readonly etag: string };

/** `/openapi/v2`: made when it is asked for, and again when something else is served. */
export function createOpenApiV2Route(registry: Registry): NonResourceRoute {
  const made = new Map<string, Document>();
  let generation = -1;
  const document = (type: string): Document => {
    if (generation !== registry.generation()) made.clear();
    generation = registry.generation();
    const found = made.get(type) ?? make(registry, type);
    made.set(type, found);
    return found;
  };
  return { path: '/openapi/v2', handle: (request) => respond(request, document) };
}

function make(registry: Registry, type: string): Document {
  const document = documentV2(registry.all());
  const body = type === protobuf ? encodeGnostic(document) : JSON.stringify(document);
  return { body, etag: `"${hash('sha512', body).toUpperCase()}"` };
}

function respond({ headers }: ApiRequest, document: (type: string) => Document): ApiResponse {
  const vary = { vary: 'Accept' };
  const type = chosenForm(headers['accept'] ?? '');
  if (type === undefined) return { kind: 'body', status: 406, headers: vary, body: '' };
  const { body, etag } = document(type);
  const answer = { 'cache-control': 'no-cache, private', 'content-type': type, etag, ...vary };
  if (headers['if-none-match'] === etag) return { kind: 'body', status: 304, headers: answer, body: '' };
  return { kind: 'body', status: 200, headers: answer, body };
}

function chosenForm(accept: string): string | undefined {
  for (const { type } of parseAccept(accept === '' ? '*/*' : accept)) {
    const [major, minor] = type.split('/');
    const found = forms.find(([name]) => {
      const [ownMajor, ownMinor] = name.split('/');
      return (major === '*' || major === ownMajor) && (minor === '*' || minor === ownMinor);
    });
    if (found !== undefined) return found[1];
  }
  return undefined;
}
