import { beforeAll, describe, expect, test } from 'vitest';
import { masked, maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { createCrd, createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// Kinds that a cluster has of itself, and those that are kept for others: who serves which group, the addresses of
// Services, classes, autoscalers.

const { api } = useServer();
const golden = useGolden('cluster-kinds');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const registration = '/apis/apiregistration.k8s.io/v1/apiservices';
const networking = '/apis/networking.k8s.io/v1';

const metric = (type: string, field: string, source: Loose): Loose => ({ type, [field]: source });
const cpu = (target: Loose): Loose => metric('Resource', 'resource', { name: 'cpu', target });
const target = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
const scaler = (spec: Loose): Loose => ({ spec: { scaleTargetRef: target, maxReplicas: 3, ...spec } });
const hpas = '/apis/autoscaling/v2/namespaces/NS/horizontalpodautoscalers';
const up = (rules: Loose): Loose => scaler({ behavior: { scaleUp: rules } });

const objects: Readonly<Record<string, readonly [string, Loose]>> = {
  'an autoscaler with defaults': [hpas, scaler({})],
  'an autoscaler with behavior': [hpas, up({ policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] })],
  'an autoscaler with many metrics': [
    hpas,
    scaler({
      minReplicas: 2,
      metrics: [
        cpu({ type: 'AverageValue', averageValue: '500m' }),
        metric('Pods', 'pods', { metric: { name: 'p' }, target: { type: 'AverageValue', averageValue: '1k' } }),
        metric('External', 'external', { metric: { name: 'q' }, target: { type: 'Value', value: '2' } }),
      ],
    }),
  ],
  'an autoscaler without a target': [hpas, { spec: { maxReplicas: 1 } }],
  'an autoscaler of a controller': [
    hpas,
    scaler({ scaleTargetRef: { kind: 'ReplicationController', name: 'a', apiVersion: 'v1' } }),
  ],
  "an autoscaler of nobody's kind": [hpas, scaler({ scaleTargetRef: { kind: 'A', name: 'a', apiVersion: 'v1' } })],
  'an autoscaler with odd numbers': [hpas, scaler({ minReplicas: 0, maxReplicas: -1 })],
  'an autoscaler with more at least than at most': [hpas, scaler({ minReplicas: 4 })],
  'an autoscaler without a number': [hpas, { spec: { scaleTargetRef: target } }],
  'an autoscaler with an odd metric': [hpas, scaler({ metrics: [{ type: 'Odd' }] })],
  'an autoscaler with two metrics in one': [
    hpas,
    scaler({
      metrics: [{ ...cpu({ type: 'Utilization', averageUtilization: 0 }), pods: { metric: { name: '' }, target: {} } }],
    }),
  ],
  'an autoscaler with a metric that aims at nothing': [hpas, scaler({ metrics: [cpu({ type: 'Utilization' })] })],
  'an autoscaler with odd behavior': [
    hpas,
    up({
      stabilizationWindowSeconds: 4000,
      selectPolicy: 'Odd',
      policies: [{ type: 'Odd', value: 0, periodSeconds: 2000 }],
    }),
  ],
  'a runtime class': ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'runsc' }],
  'a runtime class without a handler': ['/apis/node.k8s.io/v1/runtimeclasses', {}],
  'a runtime class with an odd handler': ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'Run_sc' }],
  'a class of attributes': [
    '/apis/storage.k8s.io/v1/volumeattributesclasses',
    { driverName: 'disk.example.com', parameters: { iops: '3' } },
  ],
  'a class of no attributes': ['/apis/storage.k8s.io/v1/volumeattributesclasses', { driverName: 'disk.example.com' }],
  'a network': [`${networking}/servicecidrs`, { spec: { cidrs: ['10.10.0.0/24', 'fd00::/112'] } }],
  'no network': [`${networking}/servicecidrs`, { spec: {} }],
  'odd networks': [`${networking}/servicecidrs`, { spec: { cidrs: ['10.10.0.1/24', 'odd'] } }],
  'networks of one family': [`${networking}/servicecidrs`, { spec: { cidrs: ['10.10.0.0/24', '10.11.0.0/24'] } }],
  'an address by another name': [
    `${networking}/ipaddresses`,
    { spec: { parentRef: { resource: 'services', namespace: 'default', name: 'a' } } },
  ],
  'an address without a parent': [`${networking}/ipaddresses`, { metadata: { name: '192.0.2.7' }, spec: {} }],
  'an address with half a parent': [
    `${networking}/ipaddresses`,
    { metadata: { name: '192.0.2.7' }, spec: { parentRef: { group: 'A b', name: 'x' } } },
  ],
  'a group that is served elsewhere': [
    registration,
    {
      metadata: { name: 'v1.elsewhere.example.com' },
      spec: {
        group: 'elsewhere.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { namespace: 'default', name: 'nobody' },
        insecureSkipTLSVerify: true,
      },
    },
  ],
  'an odd group': [registration, { spec: { group: 'A', version: '1', insecureSkipTLSVerify: true } }],
  'a group without a name': [registration, { spec: { version: 'v2', service: {}, versionPriority: 2000 } }],
};

describe('a create of', () => {
  test.each(Object.entries(objects))('%s', async (key, [path, object]) => {
    const name = { name: 'tried', ...object.metadata };
    const answer = await api.post(path.replace('NS', namespace), { ...object, metadata: name }, { dryRun: 'All' });
    const shown = maskedAnswer(answer, { [namespace]: '<namespace>' });
    for (const condition of shown.body.status?.conditions ?? []) condition.lastTransitionTime = '<time>';
    expect(shown).toEqual(golden(key));
  });
});

describe('what changes', () => {
  const changes: Readonly<Record<string, readonly [string, Loose, Loose]>> = {
    'of a runtime class': ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'a' }, { handler: 'b' }],
    'of a class of attributes': [
      '/apis/storage.k8s.io/v1/volumeattributesclasses',
      { driverName: 'a.b', parameters: { a: 'b' } },
      { driverName: 'b.c', parameters: { a: 'c' } },
    ],
    'of an autoscaler': [hpas, scaler({}), { spec: { maxReplicas: 7 } }],
  };
  test.each(Object.entries(changes))('%s', async (key, [path, object, change]) => {
    const at = path.replace('NS', namespace);
    const name = uniqueName('changed');
    expect((await api.post(at, { ...object, metadata: { name } })).status).toBe(201);
    const answer = await api.patch(`${at}/${name}`, 'merge', change);
    expect((await api.del(`${at}/${name}`)).status).toBe(200);
    expect(maskedAnswer(answer, { [namespace]: '<namespace>', [name]: '<name>' })).toEqual(golden(key));
  });
});

describe('tables', () => {
  test('of autoscalers', async () => {
    const keys = ['an autoscaler with defaults', 'an autoscaler with many metrics'];
    for (const [index, key] of keys.entries()) {
      const [path, object] = objects[key] ?? ['', {}];
      await api.post(path.replace('NS', namespace), { ...object, metadata: { name: `shown-${index}` } });
    }
    const { body } = await api.get(hpas.replace('NS', namespace), {}, asTable);
    const rows = body.rows.map(({ cells }: Loose) => cells.slice(0, -1));
    expect(rows.filter(([name]: Loose) => name.startsWith('shown'))).toEqual(golden('table of autoscalers'));
  });
});

describe('who serves a group', () => {
  test('is said of those of the server itself', async () => {
    const names = ['v1.', 'v1.apps', 'v1.batch', 'v2.autoscaling', 'v1.networking.k8s.io', 'v1.apiextensions.k8s.io'];
    const answers = [];
    for (const name of names) answers.push(masked((await api.get(`${registration}/${name}`)).body));
    expect(answers).toEqual(golden('own groups'));
    const { body } = await api.get(`${registration}/v1.apps`, {}, asTable);
    expect(body.rows[0].cells.slice(0, -1)).toEqual(['v1.apps', 'Local', 'True']);
  });

  test('comes and goes with a CRD', async () => {
    const crd = await createCrd(api);
    const at = `${registration}/v1.${crd.group}`;
    const { body } = await eventually(
      () => api.get(at),
      ({ status }) => status === 200,
    );
    expect(masked(body, { [crd.group]: '<group>' })).toEqual(golden('group of a CRD'));
    await api.del(crd.crdPath);
    const gone = await eventually(
      () => api.get(at),
      ({ status }) => status === 404,
    );
    expect(gone.body.reason).toBe('NotFound');
  });

  test('may be somebody who is not there', async () => {
    const [path, object] = objects['a group that is served elsewhere'] ?? ['', {}];
    const group = `${uniqueName('elsewhere')}.example.com`;
    const at = `${path}/v1.${group}`;
    const made = await api.post(path, { metadata: { name: `v1.${group}` }, spec: { ...object.spec, group } });
    expect(made.status).toBe(201);
    const { body } = await eventually(
      () => api.get(at),
      (answer) => answer.body.status?.conditions !== undefined,
    );
    expect(masked(body, { [group]: '<group>' })).toEqual(golden('somebody else'));
    const refused = await eventually(
      () => api.get(`/apis/${group}/v1/things`),
      ({ status }) => status === 503,
    );
    expect(refused.text).toBe('service unavailable\n');
    expect((await api.del(at)).status).toBe(200);
  });
});

describe('addresses', () => {
  test('of the cluster come from one network', async () => {
    const { body } = await api.get(`${networking}/servicecidrs/kubernetes`);
    expect(masked(body)).toEqual(golden('network of the cluster'));
  });

  test('are objects while a Service has them', async () => {
    const services = `/api/v1/namespaces/${namespace}/services`;
    const made = await api.post(services, { metadata: { name: 'addressed' }, spec: { ports: [{ port: 80 }] } });
    const at = `${networking}/ipaddresses/${made.body.spec.clusterIP}`;
    const { body } = await eventually(
      () => api.get(at),
      ({ status }) => status === 200,
    );
    const names = { [namespace]: '<namespace>', [made.body.spec.clusterIP]: '<address>' };
    expect(masked(body, names)).toEqual(golden('address of a Service'));
    await api.del(`${services}/addressed`);
    const gone = await eventually(
      () => api.get(at),
      ({ status }) => status === 404,
    );
    expect(gone.body.details.kind).toBe('ipaddresses');
  });
});

test('componentstatuses say that there is a store, and that they are of the past', async () => {
  const { headers, body } = await api.get('/api/v1/componentstatuses/etcd-0');
  expect(headers['warning']).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  expect(body).toEqual(golden('etcd'));
  const list = await api.get('/api/v1/componentstatuses');
  expect(list.body.items.map(({ metadata }: Loose) => metadata.name).toSorted()).toEqual(golden('components'));
});
