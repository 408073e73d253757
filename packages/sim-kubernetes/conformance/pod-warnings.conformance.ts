import { beforeAll, describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { pod } from './kit/new-pod.ts';
import { createNamespace } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// What is allowed in a pod and yet is hardly meant.

const { api } = useServer();
const golden = useGolden('pod-warnings');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const main = (more: Loose): Loose => ({ containers: [{ name: 'main', image: 'x', ...more }] });
const affinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] };
const preferred = {
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'a' } }],
};
const specs: Readonly<Record<string, Loose>> = {
  'variables that hide others': main({
    env: [
      { name: 'A', value: 'a' },
      { name: 'A', value: '$(A)' },
      { name: 'A', value: 'b' },
      { name: 'A', value: '$(A)b' },
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
  }),
  'ports twice': {
    containers: [
      {
        name: 'a',
        image: 'x',
        ports: [{ containerPort: 80 }, { containerPort: 80 }, { containerPort: 81, name: 'p' }],
      },
      {
        name: 'b',
        image: 'x',
        ports: [
          { containerPort: 80, hostPort: 8 },
          { containerPort: 82, name: 'p' },
        ],
      },
    ],
  },
  'names twice': {
    hostAliases: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }],
    imagePullSecrets: [{ name: 'a' }, { name: 'a' }, { name: '' }],
  },
  'volumes of old': {
    volumes: [
      { name: 'a', gitRepo: { repository: 'x' } },
      { name: 'b', rbd: { monitors: ['a'], image: 'b' } },
    ],
  },
  'selectors of nothing': {
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' }],
    affinity: { podAffinity: affinity, podAntiAffinity: preferred },
  },
  'a negative time': { terminationGracePeriodSeconds: -1 },
};

const told = async (path: string, object: Loose): Promise<Loose> => {
  const { status, headers } = await api.post(path, object, { dryRun: 'All' });
  return { status, warning: headers['warning'] };
};

describe('warnings', () => {
  test.each(Object.entries(specs))('of %s', async (name, spec) => {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    expect(await told(path, pod('warned', { spec }))).toEqual(golden(name));
  });

  test.each([
    ['deployments', (template: Loose) => ({ selector: { matchLabels: { a: 'b' } }, template })],
    ['statefulsets', (template: Loose) => ({ selector: { matchLabels: { a: 'b' } }, serviceName: 'a', template })],
  ])('of templates in %s', async (plural, specOf) => {
    const spec = { ...specs['variables that hide others'], hostAliases: specs['names twice'].hostAliases };
    const annotations = { 'security.alpha.kubernetes.io/sysctls': 'a=b' };
    const object = { metadata: { name: 'a.b' }, spec: specOf({ metadata: { labels: { a: 'b' }, annotations }, spec }) };
    expect(await told(`/apis/apps/v1/namespaces/${namespace}/${plural}`, object)).toEqual(golden(plural));
  });

  test('of a template come again only when it changes', async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const template = { metadata: { labels: { a: 'b' } }, spec: specs['variables that hide others'] };
    const spec = { replicas: 0, paused: true, selector: { matchLabels: { a: 'b' } }, template };
    await api.post(path, { metadata: { name: 'kept' }, spec });
    const labelled = await api.patch(`${path}/kept`, 'merge', { metadata: { labels: { c: 'd' } } });
    const scaled = await api.patch(`${path}/kept`, 'merge', { spec: { minReadySeconds: 1 } });
    expect([labelled.headers['warning'] ?? null, scaled.headers['warning']]).toEqual(golden('changes'));
  });

  test('of names that are no host names', async () => {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    expect(await told(path, pod('a.b'))).toEqual(golden('names'));
  });
});
