import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, uniqueName } from './kit/scratch.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { pod } from './kit/new-pod.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('pods');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const at = (): string => `/api/v1/namespaces/${namespace}/pods`;
const create = async (more: Loose = {}): Promise<Loose> => (await api.post(at(), pod(uniqueName('pod'), more))).body;
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
