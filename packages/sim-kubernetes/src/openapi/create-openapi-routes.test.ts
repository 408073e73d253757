import { describe, expect, test } from 'vitest';
import { toResourceTypes } from '../crd/to-resource-types.ts';
import type { ApiRequest, ApiResponse } from '../http/api-request.ts';
import { builtinKind } from '../kinds/builtin-kind.ts';
import type { JsonObject, StoredObject } from '../registry/json.ts';
import { createRegistry } from '../registry/registry.ts';
import type { Registry } from '../registry/registry.ts';
import { createOpenApiRoutes } from './create-openapi-routes.ts';

function definition(properties: JsonObject): StoredObject {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const subresources = { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources }],
    },
  };
}

function serve(): { readonly registry: Registry; readonly get: (address: string) => Promise<ApiResponse | undefined> } {
  const registry = createRegistry([
    builtinKind({ group: '', version: 'v1', kind: 'ConfigMap' }),
    builtinKind({ group: 'apps', version: 'v1', kind: 'Deployment' }),
    ...toResourceTypes(definition({ n: { type: 'integer' } })),
  ]);
  const routes = createOpenApiRoutes(registry);
  const get = async (address: string): Promise<ApiResponse | undefined> => {
    const [path = '', query = ''] = address.split('?');
    const route =
      routes.find((one) => one.path === path) ??
      routes.find((one) => one.path.endsWith('/') && path.startsWith(one.path));
    return route?.handle({ path, query: new URLSearchParams(query) } as ApiRequest);
  };
  return { registry, get };
}

type Loose = { readonly [key: string]: Loose };

async function read(get: (address: string) => Promise<ApiResponse | undefined>, address: string): Promise<Loose> {
  const response = await get(address);
  return JSON.parse(response?.kind === 'body' ? (response.body as string) : '{}') as Loose;
}

async function addressOf(get: (address: string) => Promise<ApiResponse | undefined>, name: string): Promise<string> {
  const index = await read(get, '/openapi/v3');
  return index['paths']?.[name]?.['serverRelativeURL'] as unknown as string;
}

describe('the index', () => {
  test('names a document with its hash for every group-version', async () => {
    const { get } = serve();
    const { paths } = await read(get, '/openapi/v3');
    expect(Object.keys(paths ?? {})).toEqual([
      'api',
      'apis',
      'version',
      'api/v1',
      'apis/apps/v1',
      'apis/example.com/v1',
    ]);
    expect(await addressOf(get, 'api/v1')).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
  });

  test('gives a document a new hash when a CRD changes, and leaves the others alone', async () => {
    const { registry, get } = serve();
    const [before, apps] = [await addressOf(get, 'apis/example.com/v1'), await addressOf(get, 'apis/apps/v1')];
    registry.set('example.com', 'things', toResourceTypes(definition({ n: { type: 'integer', maximum: 3 } })));
    expect(await addressOf(get, 'apis/example.com/v1')).not.toBe(before);
    expect(await addressOf(get, 'apis/apps/v1')).toBe(apps);
  });
});

describe('a document', () => {
  test('is kept for ever under its hash, and an old hash leads to the new one', async () => {
    const { get } = serve();
    const address = await addressOf(get, 'apis/example.com/v1');
    expect((await get(address))?.headers).toMatchObject({ 'cache-control': 'public, immutable' });
    expect(await get('/openapi/v3/apis/example.com/v1?hash=ABC')).toMatchObject({
      status: 301,
      headers: { location: address },
    });
    expect((await get('/openapi/v3/apis/example.com/v1'))?.headers['cache-control']).toBeUndefined();
  });

  test('of a group that is not served does not exist', async () => {
    expect(await serve().get('/openapi/v3/apis/nothing.example.com/v1')).toBeUndefined();
  });

  test('of a custom resource has its schema under the reversed group, with type and metadata', async () => {
    const document = await read(serve().get, '/openapi/v3/apis/example.com/v1');
    const schemas = document['components']?.['schemas'] ?? {};
    expect(schemas['com.example.v1.Thing']).toEqual({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
        spec: { type: 'object', properties: { n: { type: 'integer' } } },
      },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Thing', version: 'v1' }],
    });
    expect(schemas['com.example.v1.ThingList']?.['required']).toEqual(['items']);
  });

  test('refers to nothing that it does not hold', async () => {
    for (const name of ['api/v1', 'apis/apps/v1', 'apis/example.com/v1']) {
      const document = await read(serve().get, `/openapi/v3/${name}`);
      const names = Object.keys(document['components']?.['schemas'] ?? {});
      const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
      const missing = [...new Set(Array.from(references, ([, reference]) => reference))].filter(
        (reference) => !names.includes(reference ?? ''),
      );
      expect(missing).toEqual([]);
    }
  });

  test('says what may be asked of a resource, and with which parameters', async () => {
    const { paths } = await read(serve().get, '/openapi/v3/apis/example.com/v1');
    const root = '/apis/example.com/v1/namespaces/{namespace}/things';
    expect(Object.keys(paths ?? {})).toEqual([
      root,
      `${root}/{name}`,
      `${root}/{name}/scale`,
      `${root}/{name}/status`,
      '/apis/example.com/v1/things',
    ]);
    const patch = paths?.[`${root}/{name}`]?.['patch'] as unknown as {
      readonly parameters: readonly { readonly name: string }[];
      readonly requestBody: { readonly content: object };
    };
    expect(patch).toMatchObject({
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'example.com', version: 'v1', kind: 'Thing' },
    });
    expect(patch.parameters.map(({ name }) => name)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
    expect(Object.keys(patch.requestBody.content)).toEqual([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
  });

  test('of a built-in kind offers strategic merge patches', async () => {
    const { paths } = await read(serve().get, '/openapi/v3/apis/apps/v1');
    const patch = paths?.['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']?.['patch'];
    expect(Object.keys(patch?.['requestBody']?.['content'] ?? {})).toContain('application/strategic-merge-patch+json');
  });
});
