// Kinds for histories of writes: how their objects are reached, and pieces that managers apply and update.
import fc from 'fast-check';

export type Loose = Record<string, unknown>;

export type OwnedKind = {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  /** Pieces of the object beside its metadata. */
  readonly piece: fc.Arbitrary<Loose>;
  readonly status?: fc.Arbitrary<Loose>;
  readonly scales?: boolean;
};

const word = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('x', 'y', '');
const number = fc.constantFrom(0, 1, 80);

/** Some of the fields, each by its own arbitrary. */
function some(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Loose> {
  return fc.record(fields, { requiredKeys: [] });
}

function few<T>(item: fc.Arbitrary<T>, by: (item: T) => string): fc.Arbitrary<T[]> {
  return fc.uniqueArray(item, { maxLength: 3, selector: by });
}

const textMap = fc.dictionary(word, text, { maxKeys: 3 });

const item = fc
  .record({ name: word, port: fc.constantFrom(80, 81), more: some({ value: text, tags: few(word, String) }) })
  .chain(({ name, port, more }) =>
    fc.boolean().map((explicit): Loose => ({ name, ...(explicit || port !== 80 ? { port } : {}), ...more })),
  );

const spec = some({
  text,
  number,
  either: fc.oneof(text, number),
  atomicList: fc.array(word, { maxLength: 2 }),
  set: few(word, String),
  items: few(item, ({ name, port = 80 }) => `${name as string}/${port as number}`),
  atomicMap: textMap,
  struct: some({ a: text, b: some({ c: text }) }),
  map: textMap,
  structs: fc.dictionary(word, some({ a: text, b: number }), { maxKeys: 2 }),
  free: some({ a: text, b: some({ c: text }), list: fc.array(number, { maxLength: 2 }) }),
});

const condition = fc
  .record({ type: word, status: fc.constantFrom('True', 'False') })
  .map(({ type, status }): Loose => ({ type, status }));

const container = fc
  .record({
    name: word,
    more: some({
      image: fc.constantFrom('i:1', 'i:2'),
      env: few(fc.record({ name: word, value: fc.constantFrom('1', '2') }), ({ name }) => name),
      ports: few(
        some({ containerPort: fc.constantFrom(80, 81), protocol: fc.constantFrom('TCP', 'UDP') }).map(
          (port): Loose => ({ containerPort: 80, ...port }),
        ),
        ({ containerPort, protocol = 'TCP' }) => `${containerPort as number}${protocol as string}`,
      ),
      args: fc.array(word, { maxLength: 2 }),
    }),
  })
  .map(({ name, more }): Loose => ({ name, image: 'i:0', ...more }));

const deploymentSpec = fc
  .record({
    replicas: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
    annotations: fc.option(textMap, { nil: undefined }),
    containers: fc.uniqueArray(container, { minLength: 1, maxLength: 2, selector: ({ name }) => name }),
    more: some({ minReadySeconds: number, strategy: fc.constant({ type: 'Recreate' }) }),
  })
  .map(({ replicas, annotations, containers, more }): Loose => ({
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' }, ...(annotations === undefined ? {} : { annotations }) },
      spec: { containers },
    },
    ...(replicas === undefined ? {} : { replicas }),
    ...more,
  }));

const servicePort = fc
  .record({
    port: fc.constantFrom(80, 81),
    more: some({ protocol: fc.constantFrom('TCP', 'UDP'), targetPort: number }),
  })
  .map(({ port, more }): Loose => ({
    name: `p${port}${(more['protocol'] as string | undefined) ?? 'TCP'}`.toLowerCase(),
    port,
    ...more,
  }));

const serviceSpec = fc
  .record({
    ports: fc.uniqueArray(servicePort, { minLength: 1, maxLength: 3, selector: (port) => port['name'] }),
    more: some({
      selector: textMap,
      externalIPs: fc.constant(['192.0.2.1']),
      sessionAffinity: fc.constant('ClientIP'),
    }),
  })
  .map(({ ports, more }): Loose => ({ ports, ...more }));

export const crdName = 'lakes.owned.example.com';

export const ownedKinds: readonly OwnedKind[] = [
  {
    name: 'a custom resource with every type of list and map',
    apiVersion: 'owned.example.com/v1',
    kind: 'Lake',
    path: '/apis/owned.example.com/v1/namespaces/default/lakes',
    piece: spec.map((part): Loose => ({ spec: part })),
    status: some({ phase: text, conditions: few(condition, ({ type }) => type as string) }),
    scales: true,
  },
  {
    name: 'a ConfigMap',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: '/api/v1/namespaces/default/configmaps',
    piece: some({ data: textMap, immutable: fc.constant(false) }),
  },
  {
    name: 'a Deployment',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: '/apis/apps/v1/namespaces/default/deployments',
    piece: deploymentSpec.map((part): Loose => ({ spec: part })),
    status: some({ observedGeneration: number, conditions: few(condition, ({ type }) => type as string) }),
    scales: true,
  },
  {
    name: 'a Service',
    apiVersion: 'v1',
    kind: 'Service',
    path: '/api/v1/namespaces/default/services',
    piece: serviceSpec.map((part): Loose => ({ spec: part })),
    status: some({ conditions: few(condition, ({ type }) => type as string) }),
  },
];

const string = { type: 'string' };
const strings = { type: 'array', items: string };
const struct = { type: 'object', properties: { a: string, b: { type: 'object', properties: { c: string } } } };

const specSchema = {
  type: 'object',
  properties: {
    text: string,
    number: { type: 'integer' },
    either: { 'x-kubernetes-int-or-string': true },
    replicas: { type: 'integer' },
    atomicList: { ...strings, 'x-kubernetes-list-type': 'atomic' },
    set: { ...strings, 'x-kubernetes-list-type': 'set' },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: string,
          port: { type: 'integer', default: 80 },
          value: string,
          tags: { ...strings, 'x-kubernetes-list-type': 'set' },
        },
      },
    },
    atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: string },
    struct,
    map: { type: 'object', additionalProperties: string },
    structs: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { a: string, b: { type: 'integer' } } },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const statusSchema = {
  type: 'object',
  properties: {
    phase: string,
    replicas: { type: 'integer' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { type: 'object', required: ['type'], properties: { type: string, status: string } },
    },
  },
};

export const ownedCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: crdName },
  spec: {
    group: 'owned.example.com',
    scope: 'Namespaced',
    names: { plural: 'lakes', singular: 'lake', kind: 'Lake', listKind: 'LakeList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: specSchema, status: statusSchema } },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
};
