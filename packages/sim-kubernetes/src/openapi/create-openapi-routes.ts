import { hash } from 'node:crypto';
import type { ApiRequest, ApiResponse, NonResourceRoute } from '../http/api-request.ts';
import type { JsonObject } from '../registry/json.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { openApiDocument, rootDocument } from './openapi-document.ts';
import { createOpenApiV2Route } from './routes-v2.ts';

const prefix = '/openapi/v3/';

/**
 * `/openapi/v3`: an index of documents with hashes, so that clients may keep what they have read. Documents are made
 * when they are asked for; a hash is cheaper than its document. `/openapi/v2`: the same in one piece.
 */
export function createOpenApiRoutes(registry: Registry): readonly NonResourceRoute[] {
  const documents = createDocuments(registry);
  return [
    { path: '/openapi/v3', handle: () => json(200, indexOf(documents.all()), {}) },
    createOpenApiV2Route(registry),
    { path: prefix, handle: (request) => respond(documents, request) },
  ];
}

type GroupVersion = { readonly name: string; readonly hash: string; readonly types: readonly ResourceType[] };

type Documents = {
  readonly all: () => readonly GroupVersion[];
  readonly text: (groupVersion: GroupVersion) => string;
};

function createDocuments(registry: Registry): Documents {
  let generation = -1;
  let all: readonly GroupVersion[] = [];
  const texts = new Map<string, string>();
  return {
    all: () => {
      if (generation !== registry.generation()) {
        generation = registry.generation();
        all = groupVersions(registry);
        const current = new Set(all.map((one) => one.hash));
        for (const known of texts.keys()) if (!current.has(known)) texts.delete(known);
      }
      return all;
    },
    text: (groupVersion) => {
      const known = texts.get(groupVersion.hash);
      if (known !== undefined) return known;
      const text = JSON.stringify(
        groupVersion.types.length === 0 ? rootDocument(groupVersion.name) : openApiDocument(groupVersion.types),
      );
      texts.set(groupVersion.hash, text);
      return text;
    },
  };
}

function groupVersions(registry: Registry): readonly GroupVersion[] {
  const byName = new Map<string, ResourceType[]>();
  for (const type of registry.all()) {
    const name = type.group === '' ? `api/${type.version}` : `apis/${type.group}/${type.version}`;
    byName.set(name, [...(byName.get(name) ?? []), type]);
  }
  const roots = ['api', 'apis', 'version'].map((name) => ({ name, types: [], hash: hashOf(name, []) }));
  return [...roots, ...Array.from(byName, ([name, types]) => ({ name, types, hash: hashOf(name, types) }))];
}

/** Built-in kinds never change, so their names say all; of custom resources everything counts. */
function hashOf(name: string, types: readonly ResourceType[]): string {
  const parts = types.map(({ origin, kind, plural, schema, hasStatus, scale, namespaced }) =>
    origin === 'builtin' ? [kind] : [kind, plural, schema, hasStatus, scale ?? null, namespaced],
  );
  return hash('sha512', JSON.stringify([name, parts])).toUpperCase();
}

function indexOf(all: readonly GroupVersion[]): JsonObject {
  const entries = all.map((one) => [one.name, { serverRelativeURL: addressOf(one) }]);
  return { paths: Object.fromEntries(entries) as JsonObject };
}

function addressOf({ name, hash: current }: GroupVersion): string {
  return `${prefix}${name}?hash=${current}`;
}

function respond(documents: Documents, { path, query }: ApiRequest): ApiResponse | undefined {
  const groupVersion = documents.all().find(({ name }) => name === path.slice(prefix.length));
  if (!groupVersion) return undefined;
  const asked = query.get('hash') ?? '';
  const etag = `"${groupVersion.hash}"`;
  if (asked !== '' && asked !== groupVersion.hash) {
    return { kind: 'body', status: 301, headers: { location: addressOf(groupVersion), etag }, body: '' };
  }
  const caching = asked === '' ? {} : { 'cache-control': 'public, immutable' };
  return text(200, documents.text(groupVersion), { etag, vary: 'Accept', ...caching });
}

function json(status: number, value: JsonObject, headers: Readonly<Record<string, string>>): ApiResponse {
  return text(status, JSON.stringify(value), headers);
}

function text(status: number, body: string, headers: Readonly<Record<string, string>>): ApiResponse {
  return { kind: 'body', status, headers: { 'content-type': 'application/json', ...headers }, body };
}
