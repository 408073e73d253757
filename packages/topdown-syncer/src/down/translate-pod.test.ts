import { describe, expect, test } from 'vitest';
import { createPhysicalName } from '../contract/names.ts';
import type { Container, Pod, PodSpec, Volume } from '../contract/pod.ts';
import { referencesOf } from './references.ts';
import { translatePod } from './translate-pod.ts';
import type { PodContext } from './translate-pod.ts';

const context: PodContext = {
  identity: { clusterId: 'cls-a', virtualCluster: 'uid-v' },
  physicalName: createPhysicalName(),
  mountNamespace: 'mount',
  physicalNode: 'node-1',
  directScheduling: false,
  priorityClassName: 'kubeocean-default',
  workload: { type: 'pod' },
  redirection: {},
  clusterDomain: 'cluster.local',
};

const main: Container = { name: 'main', image: 'nginx' };

function podWith(spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}): Pod {
  return {
    metadata: { namespace: 'default', name: 'my-app', uid: 'uid-pod', ...metadata },
    spec: { nodeName: 'vnode-cls-a-node-1', containers: [main], ...spec },
  };
}

function translated(pod: Pod, given: PodContext = context): Pod {
  const result = translatePod(pod, given);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

const specOf = (spec: Partial<PodSpec>, given?: PodContext): PodSpec => translated(podWith(spec), given).spec;
const envOf = (container: Container, given?: PodContext): Container['env'] =>
  specOf({ containers: [container] }, given).containers[0]?.env;
const named = (name: string): string => createPhysicalName()({ namespace: 'default', name });
const hostname = { name: 'HOSTNAME', value: 'my-app' };

describe('the metadata of a copy', () => {
  test("labels of V are taken along, those of the syncer win over a user's", () => {
    const labels = {
      app: 'x',
      'kubeocean.io/managed-by': 'me',
      'kubeocean.io/virtual-namespace': 'other',
      'kubeocean.io/workload-type': 'x',
    };
    expect(translated(podWith({}, { labels })).metadata.labels).toEqual({
      app: 'x',
      'kubeocean.io/managed-by': 'kubeocean',
      'kubeocean.io/virtual-namespace': 'default',
      'kubeocean.io/workload-type': 'pod',
    });
  });

  test('the label of an empty namespace is there and empty', () => {
    const { labels } = translated(podWith({}, { namespace: '' })).metadata;
    expect(labels).toHaveProperty(['kubeocean.io/virtual-namespace'], '');
  });

  test('the workload is named where there is one', () => {
    const { metadata } = translated(podWith(), { ...context, workload: { type: 'deployment', name: 'web' } });
    expect(metadata.labels).toMatchObject({
      'kubeocean.io/workload-type': 'deployment',
      'kubeocean.io/workload-name': 'web',
    });
  });

  test('annotations of V are taken along but for the mapping, and the way back is written', () => {
    const annotations = {
      note: 'x',
      'kubeocean.io/physical-pod-name': 'y',
      'kubeocean.io/last-sync-time': 'z',
      'tributary.io/mapped-for': 'u',
    };
    const { metadata } = translated(podWith({}, { annotations }));
    const { 'tributary.io/expected-spec': hash, ...rest } = metadata.annotations ?? {};
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(rest).toEqual({
      note: 'x',
      'kubeocean.io/virtual-pod-namespace': 'default',
      'kubeocean.io/virtual-pod-name': 'my-app',
      'kubeocean.io/virtual-pod-uid': 'uid-pod',
      'kubeocean.io/virtual-node-name': 'vnode-cls-a-node-1',
      'kubeocean.io/expected-metadata': Buffer.from('{"annotations":{"note":"x"}}').toString('base64'),
      'tributary.io/owner-cls-a': 'uid-v',
    });
  });

  test('owners and finalizers stay in V', () => {
    const owners = [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' }];
    const { metadata } = translated(podWith({}, { ownerReferences: owners, finalizers: ['a/b'] }));
    expect(Object.keys(metadata).toSorted()).toEqual(['annotations', 'labels', 'name', 'namespace']);
  });
});

describe('where a copy runs, and as whom', () => {
  test('on the one node behind the virtual one, by affinity alone', () => {
    const spec = specOf({
      nodeSelector: { a: 'b' },
      schedulerName: 'mine',
      affinity: { podAffinity: {} },
      priority: 5,
      preemptionPolicy: 'Never',
      serviceAccountName: 'sa',
      serviceAccount: 'sa',
    });
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }];
    expect(spec).toEqual({
      containers: [{ ...main, env: [hostname] }],
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } },
      },
      priorityClassName: 'kubeocean-default',
      hostname: 'my-app',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    });
  });

  test('or by name', () => {
    const spec = specOf({ affinity: { podAffinity: {} } }, { ...context, directScheduling: true });
    expect(spec.nodeName).toBe('node-1');
    expect(spec['affinity']).toBeUndefined();
  });

  test('everything else stays as it is', () => {
    const kept = {
      tolerations: [{ key: 'a' }],
      hostNetwork: true,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 3,
      securityContext: { runAsUser: 1 },
      subdomain: 's',
      runtimeClassName: 'r',
      hostname: 'mine',
    };
    expect(specOf(kept)).toMatchObject(kept);
  });

  test('a name that no hostname can be made of is refused', () => {
    expect(translatePod(podWith({}, { name: '-'.repeat(70) }), context)).toMatchObject({
      ok: false,
      reason: 'Invalid',
    });
  });
});

describe('downward API', () => {
  const paths = [
    { path: 'metadata.namespace', becomes: "metadata.annotations['kubeocean.io/virtual-pod-namespace']" },
    { path: 'metadata.name', becomes: "metadata.annotations['kubeocean.io/virtual-pod-name']" },
    { path: 'spec.nodeName', becomes: "metadata.annotations['kubeocean.io/virtual-node-name']" },
    { path: 'metadata.uid', becomes: 'metadata.uid' },
    { path: 'status.podIP', becomes: 'status.podIP' },
    { path: 'spec.serviceAccountName', becomes: 'spec.serviceAccountName' },
    { path: "metadata.labels['a']", becomes: "metadata.labels['a']" },
  ];
  for (const { path, becomes } of paths) {
    test(`${path} becomes ${becomes}, in the environment, in volumes and in projections`, () => {
      const fieldRef = { fieldPath: path };
      const volumes: Volume[] = [
        { name: 'a', downwardAPI: { items: [{ path: 'x', fieldRef }] } },
        { name: 'b', projected: { sources: [{ downwardAPI: { items: [{ path: 'x', fieldRef }] } }] } },
      ];
      const container = { ...main, env: [{ name: 'X', valueFrom: { fieldRef } }] };
      const spec = specOf({ volumes, containers: [container], initContainers: [container] });
      const fieldRefs = [...JSON.stringify(spec).matchAll(/"fieldPath":"([^"]+)"/g)].map(([, found]) => found);
      expect(fieldRefs).toEqual([becomes, becomes, becomes, becomes]);
    });
  }

  test('several in one list are each what they are alone', () => {
    const items = paths.map(({ path }, index) => ({ path: `file-${index}`, fieldRef: { fieldPath: path } }));
    const [volume] = specOf({ volumes: [{ name: 'a', downwardAPI: { items } }] }).volumes ?? [];
    expect(volume?.downwardAPI?.items?.map(({ path, fieldRef }) => [path, fieldRef?.fieldPath])).toEqual(
      paths.map(({ becomes }, index) => [`file-${index}`, becomes]),
    );
  });

  test('items without a field are left alone', () => {
    const item = { path: 'x', resourceFieldRef: { resource: 'limits.cpu' } };
    expect(
      specOf({ volumes: [{ name: 'a', downwardAPI: { items: [item] } }] }).volumes?.[0]?.downwardAPI?.items,
    ).toEqual([item]);
    expect(envOf({ ...main, env: [{ name: 'A', value: 'b' }] })?.[0]).toEqual({ name: 'A', value: 'b' });
  });
});

describe('names that a pod uses', () => {
  test('in volumes and projections are those of the copies', () => {
    const volumes: Volume[] = [
      { name: 'a', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
      { name: 'b', secret: { secretName: 's', optional: true } },
      { name: 'c', persistentVolumeClaim: { claimName: 'd', readOnly: true } },
      { name: 'd', projected: { sources: [{ configMap: { name: 'c' } }, { secret: { name: 's' } }] } },
      { name: 'e', emptyDir: {} },
      { name: 'f', csi: { driver: 'x', nodePublishSecretRef: { name: 's' } } },
    ];
    expect(specOf({ volumes }).volumes).toEqual([
      { name: 'a', configMap: { name: named('c'), items: [{ key: 'k', path: 'p' }] } },
      { name: 'b', secret: { secretName: named('s'), optional: true } },
      { name: 'c', persistentVolumeClaim: { claimName: named('d'), readOnly: true } },
      { name: 'd', projected: { sources: [{ configMap: { name: named('c') } }, { secret: { name: named('s') } }] } },
      { name: 'e', emptyDir: {} },
      { name: 'f', csi: { driver: 'x', nodePublishSecretRef: { name: named('s') } } },
    ]);
  });

  test('W16: a generic ephemeral volume is the claim that V made for it', () => {
    expect(specOf({ volumes: [{ name: 'tmp', ephemeral: { volumeClaimTemplate: {} } }] }).volumes).toEqual([
      { name: 'tmp', persistentVolumeClaim: { claimName: named('my-app-tmp') } },
    ]);
  });

  test('in environments of containers and init containers are those of the copies', () => {
    const container: Container = {
      ...main,
      env: [
        { name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      ],
      envFrom: [{ configMapRef: { name: 'c' }, prefix: 'P_' }, { secretRef: { name: 's', optional: true } }],
    };
    const spec = specOf({ containers: [container], initContainers: [container] });
    for (const one of [...spec.containers, ...(spec.initContainers ?? [])]) {
      expect(one.env?.slice(0, 2)).toEqual([
        { name: 'A', valueFrom: { configMapKeyRef: { name: named('c'), key: 'k' } } },
        { name: 'B', valueFrom: { secretKeyRef: { name: named('s'), key: 'k' } } },
      ]);
      expect(one.envFrom).toEqual([
        { configMapRef: { name: named('c') }, prefix: 'P_' },
        { secretRef: { name: named('s'), optional: true } },
      ]);
    }
  });
});

describe('volumes of drivers that were built in', () => {
  const sources: readonly (readonly [source: string, field: string])[] = [
    ['azureFile', 'secretName'],
    ['cephfs', 'secretRef'],
    ['cinder', 'secretRef'],
    ['flexVolume', 'secretRef'],
    ['iscsi', 'secretRef'],
    ['rbd', 'secretRef'],
    ['scaleIO', 'secretRef'],
    ['storageos', 'secretRef'],
  ];
  for (const [source, field] of sources) {
    test(`W16: ${source} is given the copy of its Secret`, () => {
      const secret = (name: string): unknown => (field === 'secretName' ? name : { name });
      const volume = { name: 'v', [source]: { other: 'kept', [field]: secret('key') } };
      expect(specOf({ volumes: [volume] }).volumes).toEqual([
        { name: 'v', [source]: { other: 'kept', [field]: secret(named('key')) } },
      ]);
      expect(referencesOf(podWith({ volumes: [volume] }))).toEqual([{ kind: 'Secret', name: 'key', optional: false }]);
    });
  }

  test('one without a Secret is left as it is', () => {
    const volumes = [{ name: 'v', rbd: { image: 'x' } }];
    expect(specOf({ volumes }).volumes).toEqual(volumes);
  });
});

describe('W5: a token without an account', () => {
  test('is refused: P would hand out one of its own', () => {
    const volumes = [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }];
    expect(translatePod(podWith({ volumes }), context)).toMatchObject({
      ok: false,
      message: 'volume t asks for a token, and the pod has no ServiceAccount',
    });
  });
});
