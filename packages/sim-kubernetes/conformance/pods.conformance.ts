import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('pods');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const at = (): string => `/api/v1/namespaces/${namespace}/pods`;
const pod = (name: string, more: Loose = {}): Loose => ({
  ...more,
  metadata: { name, ...more.metadata },
  spec: { containers: [{ name: 'main', image: 'busybox' }], ...more.spec },
});
const create = async (more: Loose = {}): Promise<Loose> => (await api.post(at(), pod(uniqueName('pod'), more))).body;
const bind = (name: string, node: string): Promise<Answer> =>
  api.post(`${at()}/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { kind: 'Node', name: node },
  });
// Volumes of tokens have names by chance.
const maskVolumes = (value: Loose): Loose =>
  JSON.parse(JSON.stringify(value).replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-<random>'));

describe('a pod', () => {
  test('gets the defaults of its kind and of admission', async () => {
    const answer = await api.post(at(), pod('plain'), { dryRun: 'All' });
    expect(answer.status).toBe(201);
    expect(maskVolumes(masked(answer.body, { [namespace]: '<namespace>' }))).toEqual(golden('defaults'));
  });

  const specs: readonly (readonly [string, Loose])[] = [
    [
      'images and pull policies',
      {
        containers: [
          { name: 'a', image: 'x' },
          { name: 'b', image: 'x:1' },
          { name: 'c', image: 'x:latest' },
          { name: 'd', image: 'x@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
        ],
      },
    ],
    [
      'ports and probes',
      {
        containers: [
          {
            name: 'a',
            image: 'x',
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { tcpSocket: { port: 1 } },
            startupProbe: { exec: { command: ['true'] } },
          },
        ],
      },
    ],
    [
      'limits that become requests',
      {
        containers: [
          { name: 'a', image: 'x', resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '100m' } } },
        ],
      },
    ],
    [
      'sources of volumes',
      {
        volumes: [
          { name: 's', secret: { secretName: 's' } },
          { name: 'c', configMap: { name: 'c' } },
          { name: 'e', emptyDir: {} },
          { name: 'd', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
          { name: 'h', hostPath: { path: '/x' } },
          { name: 'p', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        ],
      },
    ],
    [
      'environment from fields',
      {
        containers: [
          {
            name: 'a',
            image: 'x',
            env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, { name: 'E' }],
          },
        ],
      },
    ],
    [
      'host network and ports',
      { hostNetwork: true, containers: [{ name: 'a', image: 'x', ports: [{ containerPort: 80 }] }] },
    ],
    [
      'init containers and sidecars',
      {
        initContainers: [
          { name: 'i', image: 'x' },
          { name: 's', image: 'x', restartPolicy: 'Always' },
        ],
      },
    ],
    [
      'tolerations of its own',
      {
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
        ],
      },
    ],
    ['a class of priority', { priorityClassName: 'system-node-critical' }],
    ['no token', { automountServiceAccountToken: false }],
    ['no grace', { terminationGracePeriodSeconds: 0, restartPolicy: 'Never' }],
    [
      'spread constraints and affinity',
      {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { a: 'b' } },
          },
        ],
      },
    ],
  ];
  test.each(specs)('with %s', async (name, spec) => {
    const answer = await api.post(at(), pod('plain', { spec }), { dryRun: 'All' });
    expect(maskVolumes(maskedAnswer(answer, { [namespace]: '<namespace>' }))).toEqual(golden(`with ${name}`));
  });

  const broken: readonly (readonly [string, Loose])[] = [
    ['no containers', { containers: [] }],
    ['a container without image', { containers: [{ name: 'a' }] }],
    ['a container without name', { containers: [{ image: 'x' }] }],
    [
      'two containers of one name',
      {
        containers: [
          { name: 'a', image: 'x' },
          { name: 'a', image: 'x' },
        ],
      },
    ],
    ['an unknown restartPolicy', { restartPolicy: 'Sometimes' }],
    [
      'an unknown volume mounted',
      { containers: [{ name: 'a', image: 'x', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
    ],
    ['a port out of range', { containers: [{ name: 'a', image: 'x', ports: [{ containerPort: 70000 }] }] }],
    [
      'a request above its limit',
      { containers: [{ name: 'a', image: 'x', resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] },
    ],
    ['a quantity that is none', { containers: [{ name: 'a', image: 'x', resources: { limits: { cpu: 'lots' } } }] }],
    ['an unknown ServiceAccount', { serviceAccountName: 'nobody' }],
    ['an unknown class of priority', { priorityClassName: 'nothing' }],
    ['a priority of its own', { priority: 5 }],
    ['an unknown pull policy', { containers: [{ name: 'a', image: 'x', imagePullPolicy: 'Rarely' }] }],
    ['a bad container name', { containers: [{ name: 'A_b', image: 'x' }] }],
  ];
  test.each(broken)('with %s is refused', async (name, spec) => {
    const answer = await api.post(at(), pod('bad', { spec }), { dryRun: 'All' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskVolumes(maskedAnswer(answer, { [namespace]: '<namespace>' }))).toEqual(golden(`refused: ${name}`));
  });

  test('can change its image and little else', async () => {
    const { metadata, spec } = await create();
    const path = `${at()}/${metadata.name}`;
    expect(
      (await api.patch(path, 'strategic', { spec: { containers: [{ name: 'main', image: 'busybox:2' }] } })).status,
    ).toBe(200);
    const refused = await api.patch(path, 'merge', { spec: { restartPolicy: 'Never' } });
    expect(refused.status).toBe(422);
    expect(refused.body.details.causes[0]).toMatchObject({ reason: 'FieldValueForbidden', field: 'spec' });
    expect(refused.body.message).toContain('pod updates may not change fields other than `spec.containers[*].image`');
    expect(spec.restartPolicy).toBe('Always');
  });
});

describe('the life of a pod', () => {
  test('without a node it is gone at once when deleted', async () => {
    const { metadata } = await create();
    const { status } = await api.del(`${at()}/${metadata.name}`);
    expect(status).toBe(200);
    expect((await api.get(`${at()}/${metadata.name}`)).status).toBe(404);
  });

  test('is bound to a node once', async () => {
    const { metadata } = await create();
    const node = uniqueName('node');
    const bound = await bind(metadata.name, node);
    expect(bound.status).toBe(201);
    expect(bound.body).toMatchObject({ kind: 'Status', status: 'Success' });
    const { body } = await api.get(`${at()}/${metadata.name}`);
    expect(body.spec.nodeName).toBe(node);
    expect(body.status.conditions).toEqual([expect.objectContaining({ type: 'PodScheduled', status: 'True' })]);
    const again = await bind(metadata.name, node);
    expect(maskedAnswer(again, { [metadata.name]: '<name>', [node]: '<node>' })).toEqual(golden('bound twice'));
    await api.del(`${at()}/${metadata.name}`, { gracePeriodSeconds: 0 });
  });

  test('on a node it is marked with its grace, and removed when grace 0 is asked', async () => {
    const { metadata } = await create({ spec: { terminationGracePeriodSeconds: 40 } });
    const path = `${at()}/${metadata.name}`;
    await bind(metadata.name, uniqueName('node'));
    const marked = await api.del(path);
    expect(marked.body).toMatchObject({ kind: 'Pod', metadata: { deletionGracePeriodSeconds: 40, generation: 2 } });
    const inSeconds = (Date.parse(marked.body.metadata.deletionTimestamp) - Date.now()) / 1000;
    expect(inSeconds).toBeGreaterThan(30);
    expect(inSeconds).toBeLessThan(41);
    const shorter = await api.del(path, { gracePeriodSeconds: 5 });
    expect(shorter.body.metadata.deletionGracePeriodSeconds).toBe(5);
    const longer = await api.del(path, { gracePeriodSeconds: 60 });
    expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(5);
    const removed = await api.del(path, { gracePeriodSeconds: 0 });
    expect(removed.status).toBe(200);
    expect((await api.get(path)).status).toBe(404);
  });

  test('that has finished goes at once', async () => {
    const { metadata } = await create();
    const path = `${at()}/${metadata.name}`;
    await bind(metadata.name, uniqueName('node'));
    await api.patch(`${path}/status`, 'merge', { status: { phase: 'Succeeded' } });
    await api.del(path);
    expect((await api.get(path)).status).toBe(404);
  });

  test('status is written apart and keeps labels and annotations', async () => {
    const { metadata } = await create({ metadata: { labels: { a: '1' } } });
    const path = `${at()}/${metadata.name}`;
    const { status, body } = await api.patch(`${path}/status`, 'strategic', {
      metadata: { labels: { b: '2' }, annotations: { c: '3' } },
      spec: { activeDeadlineSeconds: 5 },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }],
      },
    });
    expect(status).toBe(200);
    expect(body.metadata.labels).toEqual({ a: '1', b: '2' });
    expect(body.metadata.annotations).toEqual({ c: '3' });
    expect(body.spec).not.toHaveProperty('activeDeadlineSeconds');
    expect(body.status).toMatchObject({ phase: 'Running', podIP: '10.0.0.1' });
    const second = await api.patch(`${path}/status`, 'strategic', {
      status: { conditions: [{ type: 'Initialized', status: 'True' }] },
    });
    expect(second.body.status.conditions.map(({ type }: Loose) => type).toSorted()).toEqual(['Initialized', 'Ready']);
    await api.del(path, { gracePeriodSeconds: 0 });
  });

  test('takes ephemeral containers under their own path only', async () => {
    const { metadata, spec } = await create();
    const path = `${at()}/${metadata.name}`;
    const debug = { name: 'debug', image: 'busybox', targetContainerName: 'main' };
    const refused = await api.patch(path, 'strategic', { spec: { ephemeralContainers: [debug] } });
    expect(refused.status).toBe(422);
    const { status, body } = await api.patch(`${path}/ephemeralcontainers`, 'strategic', {
      spec: { ephemeralContainers: [debug] },
    });
    expect(status).toBe(200);
    expect(body.spec.ephemeralContainers).toEqual([
      {
        ...debug,
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'Always',
      },
    ]);
    expect(body.spec.containers).toEqual(spec.containers);
    const removal = await api.patch(`${path}/ephemeralcontainers`, 'merge', { spec: { ephemeralContainers: [] } });
    expect(maskedAnswer(removal, { [metadata.name]: '<name>' })).toEqual(golden('ephemeral containers removed'));
    await api.del(path);
  });

  test('can be evicted', async () => {
    const { metadata } = await create();
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } };
    const dry = await api.post(`${at()}/${metadata.name}/eviction`, {
      ...eviction,
      deleteOptions: { dryRun: ['All'] },
    });
    expect(dry.status).toBe(201);
    expect((await api.get(`${at()}/${metadata.name}`)).status).toBe(200);
    const { status, body } = await api.post(`${at()}/${metadata.name}/eviction`, eviction);
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
    await eventually(
      () => api.get(`${at()}/${metadata.name}`),
      (answer) => answer.status === 404,
    );
  });

  test('exec, attach and port-forward need a node, and the log before it is empty', async () => {
    const { metadata } = await create();
    for (const tail of ['exec', 'attach', 'portforward']) {
      const answer = await api.get(`${at()}/${metadata.name}/${tail}`);
      expect(answer.status, tail).toBeGreaterThanOrEqual(400);
    }
    const log = await api.get(`${at()}/${metadata.name}/log`);
    expect(maskedAnswer(log, { [metadata.name]: '<name>' })).toEqual(golden('log without a node'));
    await api.del(`${at()}/${metadata.name}`);
  });
});
