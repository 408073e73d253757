import { beforeAll, describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { createCrd, eventually } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// OpenAPI v2: what older clients read, and kubectl for objects of the kind List.

const { api } = useServer();
const golden = useGolden('openapi-v2');
const text = { type: 'string' };
const list = (items: Loose, more: Loose = {}): Loose => ({ type: 'array', items, ...more });
const properties = {
  plain: { ...text, minLength: 1, maxLength: 9, pattern: '^a', default: 'a', enum: ['a', 'ab'] },
  number: { type: 'number', minimum: 1.5, maximum: 10, exclusiveMaximum: true, multipleOf: 0.5, format: 'double' },
  count: { type: 'integer', format: 'int32' },
  either: { 'x-kubernetes-int-or-string': true },
  nothing: { ...text, nullable: true },
  nullables: list(text, { nullable: true }),
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { inside: text } },
  map: { type: 'object', additionalProperties: list(text) },
  keyed: list(
    { type: 'object', required: ['name'], properties: { name: text } },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  ),
  set: list(text, { 'x-kubernetes-list-type': 'set', maxItems: 4, minItems: 1 }),
  chosen: { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  ruled: { type: 'object', properties: { a: text }, 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] },
};
let crd: ScratchCrd;
let document: Loose;
beforeAll(async () => {
  crd = await createCrd(api, {
    spec: { type: 'object', required: ['plain', 'nothing'], properties },
    subresources: { status: {} },
  });
  const named = (body: Loose): Loose => body.definitions[definition()];
  // The real server puts the document together in its own time.
  const answer = await eventually(
    () => api.get('/openapi/v2', {}, { accept: 'application/json' }),
    ({ body }) => named(body) !== undefined,
  );
  document = answer.body;
});

const definition = (): string => `${crd.group.split('.').toReversed().join('.')}.v1.River`;

/** A schema without its prose, and without the group that the test has for itself. */
function bare(node: Loose): Loose {
  if (Array.isArray(node)) return node.map((item) => bare(item));
  if (node === null || typeof node !== 'object') return node;
  const shown = Object.entries<Loose>(node).filter(
    ([key, value]) => key !== 'description' || typeof value !== 'string',
  );
  return JSON.parse(
    JSON.stringify(Object.fromEntries(shown.map(([key, value]) => [key, bare(value)]))).replaceAll(
      crd.group,
      '<group>',
    ),
  );
}

describe('OpenAPI v2', () => {
  test('says what it is', () => {
    const { swagger, info, securityDefinitions, security } = document;
    expect({ swagger, info, securityDefinitions, security }).toEqual(golden('head'));
  });

  test.each([
    'io.k8s.api.core.v1.Pod',
    'io.k8s.api.core.v1.PodSpec',
    'io.k8s.api.core.v1.Container',
    'io.k8s.api.core.v1.ConfigMap',
    'io.k8s.api.core.v1.ServicePort',
    'io.k8s.api.apps.v1.Deployment',
    'io.k8s.api.apps.v1.DeploymentSpec',
    'io.k8s.api.apps.v1.RollingUpdateDeployment',
    'io.k8s.api.networking.v1.NetworkPolicyPort',
    'io.k8s.api.rbac.v1.ClusterRole',
    'io.k8s.api.batch.v1.JobSpec',
    'io.k8s.apimachinery.pkg.api.resource.Quantity',
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
    'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
    'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  ])('defines %s', (name) => {
    expect(bare(document.definitions[name])).toEqual(golden(name));
  });

  test('defines custom resources in words that kubectl understands', () => {
    expect(bare(document.definitions[definition()])).toEqual(golden('custom'));
  });

  test('knows what may be asked of a resource', () => {
    const item = document.paths[`/apis/${crd.group}/v1/namespaces/{namespace}/rivers/{name}`];
    expect(Object.keys(item).toSorted()).toEqual(golden('methods'));
    expect(item.patch.consumes.toSorted()).toEqual(golden('patches'));
    expect(item.patch['x-kubernetes-group-version-kind'].kind).toBe('River');
    const builtin = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'].patch;
    expect(builtin.consumes).toContain('application/strategic-merge-patch+json');
    expect(builtin.responses['200'].schema).toEqual(golden('answer'));
  });

  const older = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const newer = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
  test.each([
    ['application/json', 'application/json'],
    ['', 'application/json'],
    [older, newer],
    [newer, newer],
    [`text/html, ${newer};q=0.5, application/json;q=0.4`, newer],
  ])('for %s comes as %s', async (accept, type) => {
    const { status, headers } = await api.get('/openapi/v2', {}, { accept });
    expect({ status, type: headers['content-type'], vary: headers['vary'] }).toMatchObject({ status: 200, type });
    expect(headers['etag']).toMatch(/^"[0-9A-F]{128}"$/);
  });

  test('is not to be had in another form', async () => {
    expect((await api.get('/openapi/v2', {}, { accept: 'application/yaml' })).status).toBe(406);
  });

  test('answers 304 to the tag that it gave', async () => {
    const accept = 'application/json';
    const again = await eventually(
      async () => {
        const { headers } = await api.get('/openapi/v2', {}, { accept });
        return api.get('/openapi/v2', {}, { accept, 'if-none-match': headers['etag'] ?? '' });
      },
      ({ status }) => status === 304,
    );
    expect(again.text).toBe('');
  });

  test('begins in protobuf with its version and its title', async () => {
    const { bytes } = await api.get('/openapi/v2', {}, { accept: newer });
    // Field 1 is a text of three bytes, field 2 a message with two texts.
    expect([...bytes.subarray(0, 7)]).toEqual([10, 3, 50, 46, 48, 18, 18]);
    expect(bytes.includes('Kubernetes')).toBe(true);
    expect(bytes.includes(definition())).toBe(true);
  });
});
