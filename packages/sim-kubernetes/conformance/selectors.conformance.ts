import { beforeAll, describe, expect, test } from 'vitest';
import { createCrd, createNamespace } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('selectors');
let namespace = '';
let crd: ScratchCrd;

const labelled: Readonly<Record<string, Loose>> = {
  plain: {},
  web: { app: 'web', tier: 'front' },
  worker: { app: 'worker', tier: 'back', 'example.com/size': '3' },
  big: { app: 'worker', tier: 'back', 'example.com/size': '12' },
  empty: { app: '' },
};

beforeAll(async () => {
  namespace = await createNamespace(api);
  crd = await createCrd(api, {
    version: { selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.depth' }] },
    spec: { type: 'object', properties: { color: { type: 'string' }, depth: { type: 'integer' } } },
  });
  for (const [name, labels] of Object.entries(labelled)) {
    await api.post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name, labels } });
  }
});

const names = (body: Loose): string[] => body.items.map((item: Loose) => item.metadata.name);

describe('a label selector', () => {
  const all = ['big', 'empty', 'plain', 'web', 'worker'];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['', all],
    ['app=web', ['web']],
    ['app==web', ['web']],
    ['app = web , tier = front', ['web']],
    ['app!=web', ['big', 'empty', 'plain', 'worker']],
    ['app in (web, worker)', ['big', 'web', 'worker']],
    ['app in (web)', ['web']],
    ['app notin (web,worker)', ['empty', 'plain']],
    ['app', ['big', 'empty', 'web', 'worker']],
    ['!app', ['plain']],
    ['app=', ['empty']],
    ['app in ()', ['empty']],
    ['app in (,web)', ['empty', 'web']],
    ['app,!tier', ['empty']],
    ['example.com/size>5', ['big']],
    ['example.com/size<5', ['worker']],
    ['example.com/size>3', ['big']],
    ['tier=back,example.com/size=3', ['worker']],
    ['tier in (back),app!=web', ['big', 'worker']],
    ['nothing=here', []],
    ['notin', []],
    ['in', []],
    ['app notin (worker),tier', ['web']],
  ];
  test.each(rows)('%s', async (labelSelector, expected) => {
    const { status, body } = await api.get(`/api/v1/namespaces/${namespace}/secrets`, { labelSelector });
    expect(status).toBe(200);
    expect(names(body)).toEqual(expected);
  });

  const broken = [
    'app=web=x',
    'a b',
    '=web',
    'app in',
    'app in (a',
    'app in a',
    '!app=web',
    'app>five',
    'app>5,',
    ',',
    'app=a b',
    '-x',
    'app=-x',
    'a/b/c=d',
    `app=${'x'.repeat(64)}`,
    'app notin',
    'app===web',
    'app<>5',
    '(app)',
  ];
  test.each(broken)('%s is refused or taken as the real server takes it', async (labelSelector) => {
    const answer = await api.get(`/api/v1/namespaces/${namespace}/secrets`, { labelSelector });
    expect(answer.status === 200 ? { status: 200, names: names(answer.body) } : maskedAnswer(answer)).toEqual(
      golden(`labels ${labelSelector}`),
    );
  });

  test('that is broken is refused for custom resources, watches and deletions of collections too', async () => {
    const labelSelector = 'app in';
    for (const answer of [
      await api.get(crd.at(namespace), { labelSelector }),
      await api.del(crd.at(namespace), undefined, { labelSelector }),
    ])
      expect(answer.status).toBe(400);
    const watch = await api.watch(crd.at(namespace), { labelSelector });
    expect(watch.status).toBe(400);
    watch.close();
  });
});

describe('a field selector', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['metadata.name=web', ['web']],
    ['metadata.name==web', ['web']],
    ['metadata.name!=web', ['big', 'empty', 'plain', 'worker']],
    ['type=Opaque,metadata.name=big', ['big']],
    ['type=kubernetes.io/tls', []],
    ['metadata.name=web,metadata.name=big', []],
    ['metadata.namespace=default', []],
    ['', ['big', 'empty', 'plain', 'web', 'worker']],
  ];
  test.each(rows)('%s', async (fieldSelector, expected) => {
    const { body } = await api.get(`/api/v1/namespaces/${namespace}/secrets`, { fieldSelector });
    expect(names(body)).toEqual(expected);
  });

  test('is joined with a label selector', async () => {
    const { body } = await api.get(`/api/v1/namespaces/${namespace}/secrets`, {
      fieldSelector: 'metadata.name!=big',
      labelSelector: 'app=worker',
    });
    expect(names(body)).toEqual(['worker']);
  });

  test('works across namespaces', async () => {
    const { body } = await api.get('/api/v1/secrets', {
      fieldSelector: `metadata.namespace=${namespace},metadata.name=web`,
    });
    expect(names(body)).toEqual(['web']);
  });

  const broken: readonly (readonly [string, string])[] = [
    ['secrets', 'data.a=b'],
    ['secrets', 'metadata.labels=b'],
    ['secrets', 'metadata.name'],
    ['secrets', 'metadata.name in (a)'],
    ['secrets', 'metadata.uid=1'],
    ['configmaps', 'data=1'],
    ['pods', 'spec.containers=1'],
    ['rivers', 'spec.other=1'],
    ['nodes', 'status.phase=x'],
    ['namespaces', 'name=x'],
    ['replicasets', 'status.replicas=0'],
  ];
  test.each(broken)('of %s by %s is refused with 400', async (resource, fieldSelector) => {
    const path =
      resource === 'rivers'
        ? crd.at(namespace)
        : resource === 'nodes' || resource === 'namespaces'
          ? `/api/v1/${resource}`
          : resource === 'replicasets'
            ? '/apis/apps/v1/replicasets'
            : `/api/v1/namespaces/${namespace}/${resource}`;
    const answer = await api.get(path, { fieldSelector });
    expect(answer.status).toBe(400);
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden(`fields of ${resource} ${fieldSelector}`));
  });

  // Every label that a kind knows; an unknown one would answer 400.
  const known: readonly (readonly [string, readonly string[]])[] = [
    [
      '/api/v1/pods',
      [
        'metadata.name',
        'metadata.namespace',
        'spec.nodeName',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'spec.hostNetwork',
        'status.phase',
        'status.podIP',
        'status.podIPs',
        'status.nominatedNodeName',
      ],
    ],
    ['/api/v1/nodes', ['metadata.name', 'spec.unschedulable']],
    ['/api/v1/namespaces', ['metadata.name', 'status.phase']],
    ['/api/v1/secrets', ['metadata.name', 'metadata.namespace', 'type']],
    ['/api/v1/services', ['metadata.name', 'metadata.namespace', 'spec.clusterIP', 'spec.type']],
    [
      '/api/v1/events',
      [
        'involvedObject.kind',
        'involvedObject.namespace',
        'involvedObject.name',
        'involvedObject.uid',
        'involvedObject.apiVersion',
        'involvedObject.resourceVersion',
        'involvedObject.fieldPath',
        'reason',
        'reportingComponent',
        'source',
        'type',
      ],
    ],
    [
      '/apis/events.k8s.io/v1/events',
      [
        'regarding.kind',
        'regarding.namespace',
        'regarding.name',
        'regarding.uid',
        'regarding.apiVersion',
        'regarding.resourceVersion',
        'regarding.fieldPath',
        'reason',
        'reportingController',
        'type',
      ],
    ],
    ['/api/v1/replicationcontrollers', ['metadata.name', 'status.replicas']],
    ['/apis/apps/v1/replicasets', ['metadata.name', 'metadata.namespace']],
    ['/apis/batch/v1/jobs', ['metadata.name', 'status.successful']],
    ['/api/v1/persistentvolumes', ['metadata.name']],
    ['/apis/coordination.k8s.io/v1/leases', ['metadata.name', 'metadata.namespace']],
    ['/apis/networking.k8s.io/v1/ingresses', ['metadata.name', 'metadata.namespace']],
    ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ['metadata.name']],
  ];
  test.each(known)('of %s knows its labels', async (path, labels) => {
    for (const label of labels) {
      const { status, text } = await api.get(path, { fieldSelector: `${label}=conformance-nothing` });
      expect({ label, status, text: status === 200 ? '' : text }).toEqual({ label, status: 200, text: '' });
    }
  });

  test('by a selectable field of a CRD finds what has the value', async () => {
    await api.post(crd.at(namespace), crd.object('red', { spec: { color: 'red', depth: 3 } }));
    await api.post(crd.at(namespace), crd.object('blue', { spec: { color: 'blue' } }));
    await api.post(crd.at(namespace), crd.object('none'));
    const found = async (fieldSelector: string): Promise<string[]> =>
      names((await api.get(crd.at(namespace), { fieldSelector })).body);
    expect(await found('spec.color=red')).toEqual(['red']);
    expect(await found('spec.color!=red')).toEqual(['blue', 'none']);
    expect(await found('spec.depth=3')).toEqual(['red']);
    expect(await found('spec.color=')).toEqual(['none']);
    expect(await found('spec.color=red,metadata.name=blue')).toEqual([]);
  });
});
