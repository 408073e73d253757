import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, uniqueName } from './kit/scratch.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('strategic');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const container = (name: string, more: Loose = {}): Loose => ({ name, image: `${name}:1`, ...more });
const template: Loose = {
  metadata: { labels: { app: 'x' }, annotations: { keep: 'me' } },
  spec: {
    containers: [
      container('one', {
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
        ports: [{ containerPort: 80, name: 'web' }],
        args: ['a', 'b'],
      }),
      container('two'),
    ],
    tolerations: [{ key: 'a', operator: 'Exists' }],
    volumes: [{ name: 'v', emptyDir: {} }],
    imagePullSecrets: [{ name: 's1' }],
    nodeSelector: { a: 'b' },
  },
};

async function patched(patch: unknown): Promise<Answer> {
  const name = uniqueName('d');
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  // Nothing may run: the controller of the real control plane would write into the object between two requests.
  const created = await api.post(path, {
    metadata: { name },
    spec: { replicas: 0, paused: true, selector: { matchLabels: { app: 'x' } }, template },
  });
  expect(created.status).toBe(201);
  return api.patch(`${path}/${name}`, 'strategic', patch, { dryRun: 'All' });
}

const inPod = (spec: Loose): Loose => ({ spec: { template: { spec } } });

describe('a strategic merge patch of a Deployment', () => {
  const rows: readonly (readonly [string, Loose])[] = [
    ['changes one container by name', inPod({ containers: [{ name: 'one', image: 'one:2' }] })],
    ['puts a new container in front', inPod({ containers: [{ name: 'three', image: 'three:1' }] })],
    ['deletes a container', inPod({ containers: [{ name: 'two', $patch: 'delete' }] })],
    [
      'deletes and adds at once',
      inPod({
        containers: [
          { name: 'one', $patch: 'delete' },
          { name: 'four', image: 'four:1' },
        ],
      }),
    ],
    ['replaces the whole list', inPod({ containers: [{ $patch: 'replace' }, { name: 'only', image: 'only:1' }] })],
    [
      'follows $setElementOrder',
      inPod({
        '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }],
        containers: [{ name: 'one', image: 'one:3' }],
      }),
    ],
    [
      'follows $setElementOrder with a new element',
      inPod({
        '$setElementOrder/containers': [{ name: 'new' }, { name: 'two' }, { name: 'one' }],
        containers: [{ name: 'new', image: 'new:1' }],
      }),
    ],
    [
      'merges env by name',
      inPod({
        containers: [
          {
            name: 'one',
            env: [
              { name: 'B', value: '3' },
              { name: 'C', value: '4' },
            ],
          },
        ],
      }),
    ],
    ['deletes an env entry', inPod({ containers: [{ name: 'one', env: [{ name: 'A', $patch: 'delete' }] }] })],
    [
      'merges ports by containerPort',
      inPod({
        containers: [
          {
            name: 'one',
            ports: [
              { containerPort: 80, name: 'renamed' },
              { containerPort: 81, name: 'other' },
            ],
          },
        ],
      }),
    ],
    ['replaces args, which have no key', inPod({ containers: [{ name: 'one', args: ['c'] }] })],
    ['replaces tolerations, which are atomic', inPod({ tolerations: [{ key: 'b', operator: 'Exists' }] })],
    [
      'replaces the source of a volume with $retainKeys',
      inPod({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] }),
    ],
    ['merges imagePullSecrets by name', inPod({ imagePullSecrets: [{ name: 's2' }] })],
    ['removes a map entry with null', inPod({ nodeSelector: { a: null, c: 'd' } })],
    ['replaces a map with $patch', inPod({ nodeSelector: { $patch: 'replace', z: 'y' } })],
    ['deletes a map with $patch', inPod({ nodeSelector: { $patch: 'delete' } })],
    ['removes a list with null', inPod({ tolerations: null })],
    ['removes annotations with null', { spec: { template: { metadata: { annotations: null } } } }],
    ['changes the strategy with $retainKeys', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }],
    ['changes scalars', { spec: { replicas: 0, minReadySeconds: 7, paused: true } }],
    ['adds finalizers as a set', { metadata: { finalizers: ['example.com/a', 'example.com/b'] } }],
    ['is empty', {}],
  ];
  test.each(rows)('%s', async (name, patch) => {
    const { status, body } = await patched(patch);
    expect(status).toBe(200);
    const { spec, metadata } = body;
    const seen = {
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      strategy: spec.strategy,
      minReadySeconds: spec.minReadySeconds,
      template: spec.template,
    };
    expect(JSON.parse(JSON.stringify(seen))).toEqual(golden(name));
  });

  const broken: readonly (readonly [string, unknown])[] = [
    ['a list element without its key', inPod({ containers: [{ image: 'x' }] })],
    ['an unknown directive', inPod({ containers: [{ name: 'one', $patch: 'explode' }] })],
    ['an unknown directive of a map', inPod({ nodeSelector: { $patch: 'explode' } })],
    ['text instead of a list', inPod({ containers: 'text' })],
    ['text that is no JSON', '{'],
    ['a list', []],
    ['a number where text belongs', inPod({ containers: [{ name: 'one', image: 7 }] })],
    [
      'an order that misses an element',
      inPod({ '$setElementOrder/containers': [{ name: 'two' }], containers: [{ name: 'one', image: 'x' }] }),
    ],
    ['$retainKeys that misses a key', { spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'Recreate' } } }],
  ];
  test.each(broken)('with %s is refused', async (name, patch) => {
    const answer = await patched(patch);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const [objectName] = /d-[0-9a-f]{8}/.exec(answer.text) ?? ['d-none'];
    expect(maskedAnswer(answer, { [objectName]: '<name>' })).toEqual(golden(`refused: ${name}`));
  });
});

describe('a strategic merge patch of other kinds', () => {
  test('merges finalizers as a set and deletes from it by $deleteFromPrimitiveList', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, { metadata: { name: 'set', finalizers: ['example.com/a', 'example.com/b'] } });
    const added = await api.patch(`${path}/set`, 'strategic', {
      metadata: { finalizers: ['example.com/c', 'example.com/a'] },
    });
    expect(added.body.metadata.finalizers).toEqual(['example.com/c', 'example.com/a', 'example.com/b']);
    const removed = await api.patch(`${path}/set`, 'strategic', {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a', 'example.com/b'] },
    });
    expect(removed.body.metadata.finalizers).toEqual(['example.com/c']);
    await api.patch(`${path}/set`, 'strategic', { metadata: { finalizers: null } });
  });

  test('merges owner references by uid', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const { body: owner } = await api.post(path, { metadata: { name: 'owner' } });
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
    await api.post(path, { metadata: { name: 'owned', ownerReferences: [reference] } });
    const { body } = await api.patch(`${path}/owned`, 'strategic', {
      metadata: { ownerReferences: [{ uid: owner.metadata.uid, controller: true }] },
    });
    expect(body.metadata.ownerReferences).toEqual([{ ...reference, controller: true }]);
  });

  test('merges ports of a Service by port', async () => {
    const path = `/api/v1/namespaces/${namespace}/services`;
    await api.post(path, {
      metadata: { name: 'ports' },
      spec: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
    });
    const { body } = await api.patch(`${path}/ports`, 'strategic', {
      spec: { ports: [{ port: 81, targetPort: 9000 }] },
    });
    expect(body.spec.ports).toEqual([
      { name: 'a', protocol: 'TCP', port: 80, targetPort: 80 },
      { name: 'b', protocol: 'TCP', port: 81, targetPort: 9000 },
    ]);
  });

  test('merges data of a ConfigMap and removes with null', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.post(path, { metadata: { name: 'data' }, data: { a: '1', b: '2' } });
    const { body } = await api.patch(`${path}/data`, 'strategic', { data: { a: null, c: '3' } });
    expect(body.data).toEqual({ b: '2', c: '3' });
  });
});
