import { beforeEach, describe, expect, test } from 'vitest';
import { startSimulatedCluster } from '../actors/testing/simulated-cluster.ts';
import type { SimulatedCluster } from '../actors/testing/simulated-cluster.ts';
import type { JsonObject } from '../registry/json.ts';

const container = { name: 'app', image: 'x' };

describe('what admission does to new objects', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await startSimulatedCluster();
  });
  const specOf = async (spec: JsonObject): Promise<JsonObject> => {
    const made = await cluster.make('pods', { metadata: { name: 'p' }, spec: { containers: [container], ...spec } });
    return made['spec'] as JsonObject;
  };
  const refusal = async (spec: JsonObject): Promise<string> =>
    specOf(spec).then(
      () => 'taken',
      (error: Error) => error.message,
    );

  test('a pod gets the default account, its token, the certificate and the namespace', async () => {
    const spec = await specOf({});
    const [volume] = spec['volumes'] as readonly JsonObject[];
    expect(spec).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
    expect(volume?.['name']).toMatch(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(spec['containers']).toMatchObject([
      {
        volumeMounts: [
          { name: volume?.['name'], readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
        ],
      },
    ]);
    expect(volume?.['projected']).toEqual({
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    });
  });

  test('the pod has the last word about the token, and its account the word before', async () => {
    await cluster.make('serviceaccounts', {
      metadata: { name: 'quiet' },
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'pull' }],
    });
    const quiet = await specOf({ serviceAccountName: 'quiet' });
    expect(quiet).toMatchObject({ imagePullSecrets: [{ name: 'pull' }] });
    expect(quiet['volumes']).toBeUndefined();
    await cluster.client.delete({ group: '', plural: 'pods' }, { namespace: 'default', name: 'p' });
    expect((await specOf({ serviceAccountName: 'quiet', automountServiceAccountToken: true }))['volumes']).toHaveLength(
      1,
    );
  });

  const refused: readonly (readonly [string, JsonObject, string])[] = [
    [
      'an account that is not there',
      { serviceAccountName: 'nobody' },
      'pods "p" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    ],
    [
      'a class of priority that is not there',
      { priorityClassName: 'none' },
      'pods "p" is forbidden: no PriorityClass with name none was found',
    ],
    [
      'a number that is not that of the class',
      { priority: 5 },
      'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
  ];
  for (const [name, spec, message] of refused) {
    test(`a pod is refused for ${name}`, async () => expect(await refusal(spec)).toBe(message));
  }

  test('the priority comes from the class by name, or from the default one', async () => {
    const critical = await specOf({ priorityClassName: 'system-node-critical' });
    expect(critical).toMatchObject({ priority: 2_000_001_000, preemptionPolicy: 'PreemptLowerPriority' });
    await cluster.make(
      'priorityclasses',
      { metadata: { name: 'usual' }, value: 7, globalDefault: true, preemptionPolicy: 'Never' },
      'scheduling.k8s.io',
    );
    await cluster.client.delete({ group: '', plural: 'pods' }, { namespace: 'default', name: 'p' });
    expect(await specOf({})).toMatchObject({ priorityClassName: 'usual', priority: 7, preemptionPolicy: 'Never' });
  });

  test('a toleration of its own is kept and only the missing one added', async () => {
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    const added = { ...own, key: 'node.kubernetes.io/unreachable', tolerationSeconds: 300 };
    expect((await specOf({ tolerations: [own] }))['tolerations']).toEqual([own, added]);
  });

  test('a claim without a class gets the youngest default, one with an empty class none', async () => {
    const storageClass = (name: string): JsonObject => ({
      metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/disk',
    });
    await cluster.make('storageclasses', storageClass('old'), 'storage.k8s.io');
    await cluster.clock.advance(2000);
    await cluster.make('storageclasses', storageClass('young'), 'storage.k8s.io');
    const claim = (name: string, more: JsonObject): JsonObject => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
    });
    const given = await cluster.make('persistentvolumeclaims', claim('a', {}));
    const none = await cluster.make('persistentvolumeclaims', claim('b', { storageClassName: '' }));
    const classes = [given, none].map((made) => (made['spec'] as JsonObject)['storageClassName']);
    expect(classes).toEqual(['young', '']);
  });
});
