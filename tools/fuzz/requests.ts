// Random requests to an API server; the same seed gives the same requests.
import fc from 'fast-check';
import { deleteBodies, objectBodies, patchBodies } from './bodies.ts';
import type { Body } from './bodies.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { queriesOf } from './queries.ts';
import type { Query } from './queries.ts';

/** `$rv`, `$uid` and `$continue` in it stand for what the server that is asked last said of `object`. */
export type FuzzRequest = {
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The path of the object that the request is about. */
  readonly object: string;
};

const repeat = <T>(times: number, ...items: readonly T[]): T[] => Array.from({ length: times }, () => items).flat();
const namespaces = [...repeat(4, 'default', 'default', 'fuzz-a'), 'fuzz-b', 'fuzz-b', 'none-such', 'Bad_Namespace'];
const methods = [
  ['GET', 15],
  ['POST', 30],
  ['PUT', 20],
  ['PATCH', 25],
  ['DELETE', 5],
  ['HEAD', 1],
  ['OPTIONS', 1],
  ['PROPFIND', 1],
] as const;

const accepts = [
  'application/yaml',
  'application/vnd.kubernetes.protobuf,application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=Table;v=v9;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=junk;v=v1;g=meta.k8s.io',
  'text/html',
  '*/*',
  'junk',
];
const accept = fc.oneof(
  { weight: 9, arbitrary: fc.constant('application/json') },
  { weight: 1, arbitrary: fc.constantFrom(...accepts) },
);

type Place = { readonly path: string; readonly object: string; readonly whole: boolean };

/** Where a request goes: a collection, an object, something below it, or nowhere. */
function placesOf(target: FuzzTarget, namespace: string, name: string): fc.Arbitrary<Place> {
  const inside = target.namespaced ? `${target.root}/namespaces/${namespace}` : target.root;
  const collection = `${inside}/${target.plural}`;
  const object = `${collection}/${name}`;
  const at = (path: string, whole = false): fc.Arbitrary<Place> => fc.constant({ path, object, whole });
  const below = [...target.subresources, 'status', 'scale', 'junk', 'status/more'];
  const elsewhere = [
    `${target.root}/${target.plural}`,
    `${target.root}/watch/${target.plural}`,
    `${inside}/${target.plural}x`,
    `${object}/`,
    `${collection}/`,
    `${target.root}x/${target.plural}`,
    target.root,
    `${target.root}/namespaces/default/${target.plural}`,
    `${target.root}//${target.plural}`,
    `${object}/status/`,
  ];
  return fc.oneof(
    { weight: 16, arbitrary: at(object) },
    { weight: 16, arbitrary: at(collection, true) },
    { weight: 3, arbitrary: fc.constantFrom(...below).chain((part) => at(`${object}/${part}`)) },
    { weight: 1, arbitrary: fc.constantFrom(...elsewhere).chain((path) => at(path)) },
  );
}

function bodiesOf(method: string, target: FuzzTarget, name: string): fc.Arbitrary<Body> {
  if (method === 'PATCH') return patchBodies(target, name);
  if (method === 'DELETE') return deleteBodies;
  if (method === 'POST' || method === 'PUT') return objectBodies(target, name);
  return fc.constant({});
}

// What hits nothing tells little: most POSTs go to a collection, most of the rest to an object.
function fits(method: string, { whole }: Place): boolean {
  return method === 'POST' ? whole : method === 'GET' || method === 'HEAD' || !whole;
}

function requestsTo(target: FuzzTarget): fc.Arbitrary<FuzzRequest> {
  const method = fc.oneof(...methods.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })));
  const name = fc.constantFrom(...repeat(8, ...target.names), 'none-such', 'Bad_Name', 'n'.repeat(254));
  return fc.tuple(method, fc.constantFrom(...namespaces), name).chain(([verb, namespace, called]) => {
    const places = placesOf(target, namespace, called);
    const place = fc.oneof(
      { weight: 8, arbitrary: places.filter((each) => fits(verb, each)) },
      { weight: 1, arbitrary: places },
    );
    // All of the others' kinds would go with them.
    const allowed =
      target.holdsOthers && verb === 'DELETE'
        ? place.filter(({ whole, path, object }) => !whole && path === object)
        : place;
    return fc
      .tuple(allowed, queriesOf(verb), bodiesOf(verb, target, called), accept)
      .map(([{ path, object }, query, { type, text }, wanted]): FuzzRequest => ({
        target: target.name,
        method: verb,
        path,
        query,
        headers: { accept: wanted, ...(type === undefined ? {} : { 'content-type': type }) },
        body: text,
        object,
      }));
  });
}

const serverPaths = [
  '/',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v2',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/apps/v9',
  '/apis/none.example.com',
  '/version',
  '/healthz',
  '/readyz',
  '/livez',
  '/healthz/ping',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/none/v1',
  '/nothing',
  '/api/v1/nothing',
  '/apis/apps/v1/nothing',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
];

/** The server's own pages, and who may come in. */
const toServer: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
    path: fc.constantFrom(...serverPaths),
    headers: fc.constantFrom<Record<string, string>[]>(
      { accept: 'application/json' },
      { accept: '*/*' },
      { accept: 'junk' },
      { accept: 'application/json', authorization: 'Bearer wrong' },
      { accept: 'application/json', authorization: '' },
      { accept: 'application/json', authorization: 'Basic eDp5' },
      { accept: 'application/json', 'impersonate-user': 'nobody' },
      { accept: 'application/json', 'impersonate-group': 'g' },
    ),
  })
  .map(({ method, path, headers }) => ({
    target: 'server',
    method,
    path,
    query: [],
    headers,
    body: undefined,
    object: path,
  }));

export function randomRequests(targets: readonly FuzzTarget[], count: number, seed: number): readonly FuzzRequest[] {
  const any = fc.oneof(...targets.map((target) => ({ weight: 4, arbitrary: requestsTo(target) })), {
    weight: 1,
    arbitrary: toServer,
  });
  return fc.sample(fc.noBias(any), { numRuns: count, seed });
}
