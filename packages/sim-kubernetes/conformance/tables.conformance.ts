import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { masked } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('tables');
const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
let namespace = '';
let crd: ScratchCrd;
beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, {
    subresources: { status: {} },
    version: {
      additionalPrinterColumns: [
        { name: 'Depth', type: 'integer', jsonPath: '.spec.depth', description: 'How deep' },
        { name: 'Flow', type: 'number', jsonPath: '.spec.flow', priority: 1 },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Open', type: 'boolean', jsonPath: '.spec.open' },
        { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
        { name: 'Labels', type: 'string', jsonPath: ".metadata.labels['a\\.b/c']" },
        { name: 'Map', type: 'string', jsonPath: '.spec.map' },
      ],
    },
  });
});

const cellsOf = (body: Loose): Loose =>
  Object.fromEntries(body.rows.map((row: Loose) => [row.object.metadata.name, row.cells]));

// The name of an object is described in the words of the API's documentation, which we do not repeat.
const withoutProse = (columns: readonly Loose[]): Loose =>
  columns.map((column) => (['Name', 'Age'].includes(column.name) ? { ...column, description: '<prose>' } : column));

describe('a table', () => {
  test('of custom resources has the printer columns and their cells', async () => {
    await api.post(
      crd.at(namespace),
      crd.object('full', {
        metadata: { labels: { 'a.b/c': 'x' } },
        spec: { depth: 7, flow: 1.5, open: true, tags: ['a', 'b'], map: { k: 1 } },
      }),
    );
    await api.patch(`${crd.at(namespace)}/full/status`, 'merge', {
      status: {
        conditions: [
          { type: 'Other', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    });
    await api.post(crd.at(namespace), crd.object('empty'));
    await api.post(crd.at(namespace), crd.object('odd', { spec: { depth: 'deep', open: 'yes', flow: 2 } }));
    const { status, headers, body } = await api.get(crd.at(namespace), {}, asTable);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(body.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(withoutProse(body.columnDefinitions)).toEqual(golden('columns of a custom kind'));
    expect(JSON.parse(JSON.stringify(cellsOf(body)).replaceAll(/"\d+s"/g, '"<age>"'))).toEqual(
      golden('cells of a custom kind'),
    );
  });

  test('has the metadata of each object by default, the object or nothing on request', async () => {
    const rows = async (includeObject?: string): Promise<Loose> =>
      (await api.get(crd.at(namespace), { includeObject, fieldSelector: 'metadata.name=full' }, asTable)).body.rows[0]
        .object;
    expect(await rows()).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'full' },
    });
    expect(await rows()).not.toHaveProperty('spec');
    expect(await rows('Metadata')).toMatchObject({ kind: 'PartialObjectMetadata' });
    expect(await rows('Object')).toMatchObject({ kind: 'River', spec: { depth: 7 } });
    expect(await rows('None')).toBeNull();
    expect((await api.get(crd.at(namespace), { includeObject: 'Some' }, asTable)).status).toBe(400);
  });

  test('of one object has one row', async () => {
    const { body } = await api.get(`${crd.at(namespace)}/full`, {}, asTable);
    expect(body.kind).toBe('Table');
    expect(body.rows).toHaveLength(1);
  });

  test('of a kind without printer columns has name and age', async () => {
    const plain = await createCrd(api);
    await api.post(plain.at(namespace), plain.object('one'));
    const { body } = await api.get(plain.at(namespace), {}, asTable);
    expect(withoutProse(body.columnDefinitions)).toEqual(golden('columns without printer columns'));
    expect(body.rows[0].cells).toEqual(['one', expect.stringMatching(/^\d+s$/)]);
  });

  test('can be paged and selected', async () => {
    const { body } = await api.get(crd.at(namespace), { limit: 1 }, asTable);
    expect(body.rows).toHaveLength(1);
    expect(body.metadata).toMatchObject({ remainingItemCount: 2, continue: expect.stringMatching(/./) });
  });

  test('watched sends one row an event, with the columns in the first', async () => {
    const { body: list } = await api.get(crd.at(namespace), {}, asTable);
    const watch = await api.watch(crd.at(namespace), { resourceVersion: list.metadata.resourceVersion }, asTable);
    await api.patch(`${crd.at(namespace)}/full`, 'merge', { spec: { depth: 8 } });
    await api.patch(`${crd.at(namespace)}/full`, 'merge', { spec: { depth: 9 } });
    const [first, second] = await watch.take(2);
    expect(first?.object).toMatchObject({ kind: 'Table', rows: [{ cells: expect.arrayContaining(['full', 8]) }] });
    expect(first?.object.columnDefinitions).not.toBeNull();
    expect(second?.object).toMatchObject({
      kind: 'Table',
      columnDefinitions: null,
      rows: [{ cells: expect.arrayContaining(['full', 9]) }],
    });
    watch.close();
  });

  test('of an error is the error', async () => {
    const { status, body } = await api.get(`${crd.at(namespace)}/none`, {}, asTable);
    expect(status).toBe(404);
    expect(body.kind).toBe('Status');
  });

  test('that is asked without an alternative is refused where there is none', async () => {
    const { status } = await api.get('/version', {}, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(status).toBe(200);
  });
});

describe('the columns of built-in kinds', () => {
  const paths = [
    '/api/v1/pods',
    '/api/v1/nodes',
    '/api/v1/services',
    '/api/v1/configmaps',
    '/api/v1/secrets',
    '/api/v1/namespaces',
    '/api/v1/serviceaccounts',
    '/api/v1/events',
    '/api/v1/endpoints',
    '/api/v1/persistentvolumes',
    '/api/v1/persistentvolumeclaims',
    '/api/v1/replicationcontrollers',
    '/api/v1/resourcequotas',
    '/api/v1/limitranges',
    '/api/v1/podtemplates',
    '/apis/apps/v1/deployments',
    '/apis/apps/v1/replicasets',
    '/apis/apps/v1/statefulsets',
    '/apis/apps/v1/daemonsets',
    '/apis/apps/v1/controllerrevisions',
    '/apis/batch/v1/jobs',
    '/apis/batch/v1/cronjobs',
    '/apis/networking.k8s.io/v1/ingresses',
    '/apis/networking.k8s.io/v1/ingressclasses',
    '/apis/networking.k8s.io/v1/networkpolicies',
    '/apis/coordination.k8s.io/v1/leases',
    '/apis/discovery.k8s.io/v1/endpointslices',
    '/apis/events.k8s.io/v1/events',
    '/apis/rbac.authorization.k8s.io/v1/roles',
    '/apis/rbac.authorization.k8s.io/v1/rolebindings',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    '/apis/storage.k8s.io/v1/storageclasses',
    '/apis/storage.k8s.io/v1/csidrivers',
    '/apis/storage.k8s.io/v1/csinodes',
    '/apis/storage.k8s.io/v1/volumeattachments',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    '/apis/policy/v1/poddisruptionbudgets',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ];
  test.each(paths)('%s', async (path) => {
    const { body } = await api.get(path, {}, asTable);
    const columns = body.columnDefinitions.map(({ name, type, format, priority }: Loose) => ({
      name,
      type,
      format,
      priority,
    }));
    expect(columns).toEqual(golden(`columns of ${path}`));
  });
});

describe('PartialObjectMetadata', () => {
  const only = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json' };
  const lists = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json' };

  test('of one object is its metadata', async () => {
    const { headers, body } = await api.get(`${crd.at(namespace)}/empty`, {}, only);
    expect(headers['content-type']).toBe('application/json');
    expect(masked(body, { [namespace]: '<namespace>' })).toEqual(golden('metadata'));
  });

  test('of a list is the list of metadata', async () => {
    const { body } = await api.get(`/api/v1/namespaces/${namespace}/serviceaccounts`, {}, lists);
    expect(masked(body, { [namespace]: '<namespace>' })).toEqual(golden('metadata list'));
  });

  test('of a watch is the metadata of each event', async () => {
    const { body: list } = await api.get(crd.at(namespace));
    const watch = await api.watch(crd.at(namespace), { resourceVersion: list.metadata.resourceVersion }, only);
    await api.patch(`${crd.at(namespace)}/empty`, 'merge', { metadata: { labels: { seen: 'yes' } } });
    const { type, object } = await watch.next();
    expect(type).toBe('MODIFIED');
    expect(object).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'empty', labels: { seen: 'yes' } },
    });
    expect(object).not.toHaveProperty('spec');
    watch.close();
  });
});
