import { createHash } from 'node:crypto';
import { methodNotAllowed, pathNotFound } from '../registry/api-error.ts';
import type { JsonObject } from '../registry/json.ts';
import type { Registry } from '../registry/registry.ts';
import type { ApiRequest, ApiResponse, NonResourceRoute } from './api-request.ts';
import { aggregatedDiscovery, coreVersions, groupDocument, groupList, resourceList } from './discovery.ts';
import { negotiate, parseAccept } from './negotiate.ts';
import { splitPath } from './parse-path.ts';
import { respondJson, respondText } from './respond.ts';

type Document = { readonly json: string; readonly etag: string };

/** `/api`, `/apis` and what is right below them. Documents are made once per state of the registry. */
export function createDiscoveryRoutes(
  registry: Registry,
  serverAddress: () => string,
  /** Whether another server is said to serve a group and version: then this one cannot say more. */
  isElsewhere: (group: string, version: string) => boolean = () => false,
): readonly NonResourceRoute[] {
  const kept = createDocumentCache(registry);
  const root = (core: boolean) => (request: ApiRequest) => {
    if (!wantsAggregated(request)) {
      return respondPlain(request, core ? coreVersions(serverAddress()) : groupList(registry));
    }
    return respondAggregated(
      request,
      kept(String(core), () => aggregatedDiscovery(registry, core)),
    );
  };
  return [
    { path: '/api', getOnly: true, handle: root(true) },
    { path: '/apis', handle: root(false) },
    {
      path: '/api/',
      handle: (request) => respondVersion(registry, request, ['', ...splitPath(request.path).slice(1)]),
    },
    {
      path: '/apis/',
      handle: (request) => {
        const [group = '', version = '', ...rest] = splitPath(request.path).slice(1);
        if (!registry.hasGroupVersion(group, version) && isElsewhere(group, version)) {
          return respondText(503, 'service unavailable\n');
        }
        return respondVersion(registry, request, version === '' ? [group] : [group, version, ...rest]);
      },
    },
  ];
}

function createDocumentCache(registry: Registry): (key: string, make: () => JsonObject) => Document {
  const documents = new Map<string, Document>();
  let generation = -1;
  return (key, make) => {
    if (generation !== registry.generation()) documents.clear();
    generation = registry.generation();
    let document = documents.get(key);
    if (document === undefined) {
      const json = JSON.stringify(make());
      const etag = `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"`;
      documents.set(key, (document = { json, etag }));
    }
    return document;
  };
}

function respondVersion(registry: Registry, request: ApiRequest, parts: readonly string[]): ApiResponse | undefined {
  const [group = '', version] = parts;
  if (parts.length > 2) return undefined;
  if (!registry.hasGroup(group)) return respondText(404, '404 page not found\n');
  if (version === undefined) {
    if (group === '' && request.method !== 'GET') throw methodNotAllowed();
    const document = groupDocument(registry, group);
    return document && respondPlain(request, { kind: 'APIGroup', apiVersion: 'v1', ...document });
  }
  if (!registry.hasGroupVersion(group, version)) throw pathNotFound();
  // Those of custom groups answer whatever is asked.
  const builtin = registry.all().some((type) => type.group === group && type.origin === 'builtin');
  if (builtin && request.method !== 'GET') throw methodNotAllowed();
  return respondPlain(request, resourceList(registry, group, version));
}

function respondPlain(request: ApiRequest, document: JsonObject): ApiResponse {
  return respondJson(200, JSON.stringify(document), negotiate(request, 'none'));
}

/** Asked in an order of preference; the form v2beta1 is no longer served. */
function wantsAggregated({ headers }: ApiRequest): boolean {
  for (const { type, parameters } of parseAccept(headers['accept'] ?? '')) {
    if (type !== 'application/json') continue;
    const { as, g: group, v: version } = parameters;
    if (as === undefined) return false;
    if (as !== 'APIGroupDiscoveryList' || group !== 'apidiscovery.k8s.io') continue;
    if (version === 'v2') return true;
  }
  return false;
}

function respondAggregated({ headers }: ApiRequest, { json, etag }: Document): ApiResponse {
  const answerHeaders = {
    'cache-control': 'public',
    'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    etag,
    vary: 'Accept',
  };
  if (headers['if-none-match'] === etag) return { kind: 'body', status: 304, headers: answerHeaders, body: '' };
  return { kind: 'body', status: 200, headers: answerHeaders, body: json };
}
