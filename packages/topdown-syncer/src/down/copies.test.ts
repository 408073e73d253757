import { describe, expect, test } from 'vitest';
import { createPhysicalName } from '../contract/names.ts';
import { isBoundClaim, translateClaim } from './claim.ts';
import { copyMetadata } from './copy-metadata.ts';
import { planConfigMap, translateConfigMap } from './config-map.ts';
import { isOtherType, planSecret, translateSecret } from './secret.ts';
import { planVolume, translateVolume, volumeSecrets } from './volume.ts';
import { replicaSetOf, workloadOf } from './workload.ts';

const metadata = { name: 'x', namespace: 'default' };
const physicalName = createPhysicalName();

describe('the metadata of a copy', () => {
  test("are V's, without what ties the two together and without what V's volume controller noted", () => {
    const annotations = {
      note: 'x',
      'kubeocean.io/physical-name': 'y',
      'kubeocean.io/deleting-cls-a': 'z',
      'tributary.io/owner-cls-b': 'forged',
      'pv.kubernetes.io/bind-completed': 'yes',
      'volume.kubernetes.io/selected-node': 'vnode-cls-a-node-1',
    };
    const labels = {
      app: 'x',
      'kubeocean.io/managed-by': 'kubeocean',
      'kubeocean.io/synced-by-cls-a': 'true',
      'kubeocean.io/used-by-pv': 'true',
    };
    const identity = { clusterId: 'cls-a', virtualCluster: 'uid-v' };
    expect(
      copyMetadata(
        { metadata: { ...metadata, labels, annotations } },
        { namespace: 'mount', name: 'x-hash' },
        identity,
      ),
    ).toEqual({
      namespace: 'mount',
      name: 'x-hash',
      labels: { app: 'x', 'kubeocean.io/managed-by': 'kubeocean' },
      annotations: {
        note: 'x',
        'kubeocean.io/virtual-name': 'x',
        'kubeocean.io/virtual-namespace': 'default',
        'kubeocean.io/expected-metadata': Buffer.from('{"labels":{"app":"x"},"annotations":{"note":"x"}}').toString(
          'base64',
        ),
        'tributary.io/owner-cls-a': 'uid-v',
      },
    });
  });
});

describe('a ConfigMap', () => {
  test("is its data; that it is immutable is V's affair", () => {
    expect(translateConfigMap({ metadata, data: { a: '1' }, binaryData: { b: 'Mg==' }, immutable: true })).toEqual({
      data: { a: '1' },
      binaryData: { b: 'Mg==' },
    });
    expect(translateConfigMap({ metadata })).toEqual({});
  });

  test('is patched where it differs', () => {
    const wanted = { metadata, data: { a: '1', b: '2' } };
    expect(planConfigMap(wanted, { metadata, data: { b: '2', a: '1' } })).toBeUndefined();
    expect(planConfigMap(wanted, { metadata, data: { a: '0', b: '2', c: '3' } })).toEqual({
      data: { a: '1', c: null },
    });
    expect(planConfigMap({ metadata }, { metadata, binaryData: { b: 'Mg==' } })).toEqual({ binaryData: { b: null } });
  });
});

describe('a Secret', () => {
  test('keeps its type, but for tokens of accounts', () => {
    expect(translateSecret({ metadata, type: 'a/b', data: { a: 'MQ==' } })).toEqual({
      type: 'a/b',
      data: { a: 'MQ==' },
    });
    expect(translateSecret({ metadata, type: 'kubernetes.io/service-account-token' })).toEqual({ type: 'Opaque' });
    expect(translateSecret({ metadata })).toEqual({ type: 'Opaque' });
  });

  test('is patched where its data differ, and made anew where its type does', () => {
    expect(planSecret({ metadata, data: { a: 'MQ==' } }, { metadata, data: { a: 'MQ==' } })).toBeUndefined();
    expect(planSecret({ metadata, data: { a: 'Mg==' } }, { metadata, data: { a: 'MQ==' } })).toEqual({
      data: { a: 'Mg==' },
    });
    expect(isOtherType({ metadata, type: 'a/b' }, { metadata, type: 'Opaque' })).toBe(true);
    expect(isOtherType({ metadata }, { metadata, type: 'Opaque' })).toBe(false);
  });
});

describe('a claim', () => {
  test('must be bound, to a volume', () => {
    expect(isBoundClaim({ metadata, status: { phase: 'Pending' } })).toMatchObject({
      ok: false,
      message: 'PersistentVolumeClaim x is not bound',
    });
    expect(isBoundClaim({ metadata, status: { phase: 'Bound' } })).toMatchObject({
      ok: false,
      message: 'PersistentVolumeClaim x is bound to no volume',
    });
    expect(isBoundClaim({ metadata, status: { phase: 'Bound' }, spec: { volumeName: 'v' } })).toEqual({
      ok: true,
      value: 'v',
    });
  });

  test('names the copy of its volume and no class', () => {
    const spec = {
      volumeName: 'test-pv',
      storageClassName: 'fast',
      accessModes: ['ReadWriteOnce'],
      dataSource: { name: 'snap' },
    };
    expect(translateClaim({ metadata, spec }, physicalName)).toEqual({
      spec: {
        volumeName: 'test-pv-14c15d9b072115b6e7aae77aa7f1732d',
        storageClassName: '',
        accessModes: ['ReadWriteOnce'],
      },
    });
  });
});

describe('a volume', () => {
  const ref = { name: 'csi', namespace: 'storage' };
  const csi = { driver: 'd', nodePublishSecretRef: ref, controllerExpandSecretRef: ref };
  const hosts: Readonly<Record<string, string>> = { 'vnode-cls-a-node-1': 'host-1' };
  const context = { physicalName, mountNamespace: 'mount', toPhysicalHost: (vnode: string) => hosts[vnode] };

  test('W16: that can be reached from some nodes alone can be reached from the same ones in P', () => {
    const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] };
    const onHosts = (...values: string[]) => ({ key: 'kubernetes.io/hostname', operator: 'In', values });
    const tiedTo = (host: object) => ({
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [zone, host] }] } },
    });
    const spec = tiedTo(onHosts('vnode-cls-a-node-1', 'elsewhere'));
    expect(translateVolume({ metadata, spec }, context).spec).toMatchObject(tiedTo(onHosts('host-1', 'elsewhere')));
  });

  test('is retained, held for the copy of its claim, and names copies of Secrets in their own namespace', () => {
    const spec = {
      capacity: { storage: '1Gi' },
      persistentVolumeReclaimPolicy: 'Delete',
      claimRef: { namespace: 'default', name: 'data', uid: 'u' },
      csi,
    };
    const secret = { name: physicalName(ref), namespace: 'storage' };
    expect(translateVolume({ metadata, spec }, context)).toEqual({
      spec: {
        capacity: { storage: '1Gi' },
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace: 'mount',
          name: physicalName({ namespace: 'default', name: 'data' }),
        },
        csi: { driver: 'd', nodePublishSecretRef: secret, controllerExpandSecretRef: secret },
      },
    });
    expect(volumeSecrets({ metadata, spec })).toEqual([
      { namespace: 'storage', name: 'csi' },
      { namespace: 'storage', name: 'csi' },
    ]);
  });

  test('follows V in size alone', () => {
    const [one, two] = [{ capacity: { storage: '1Gi' } }, { capacity: { storage: '2Gi' }, storageClassName: 'x' }];
    expect(planVolume({ metadata, spec: two }, { metadata, spec: one })).toEqual({
      spec: { capacity: { storage: '2Gi' } },
    });
    expect(
      planVolume({ metadata, spec: one }, { metadata, spec: { ...one, claimRef: { name: 'y' } } }),
    ).toBeUndefined();
  });
});

describe('the workload of a pod', () => {
  const ownedBy = (kind: string, name = 'owner') => ({
    metadata: { name: 'p', ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: 'u' }] },
    spec: { containers: [] },
  });
  const deployed = {
    metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd' }] },
  };
  for (const kind of ['DaemonSet', 'StatefulSet', 'Job', 'CronJob', 'SomeThing']) {
    test(`owned by a ${kind} is that`, () => {
      expect(workloadOf(ownedBy(kind), undefined)).toEqual({ type: kind.toLowerCase(), name: 'owner' });
      expect(replicaSetOf(ownedBy(kind))).toBeUndefined();
    });
  }
  test('without an owner is the pod', () =>
    expect(workloadOf({ metadata: {}, spec: { containers: [] } }, undefined)).toEqual({ type: 'pod' }));
  test('of a ReplicaSet is its Deployment', () => {
    expect(replicaSetOf(ownedBy('ReplicaSet'))).toBe('owner');
    expect(workloadOf(ownedBy('ReplicaSet'), deployed)).toEqual({ type: 'deployment', name: 'web' });
  });
  test('of a ReplicaSet without one is the ReplicaSet', () =>
    expect(workloadOf(ownedBy('ReplicaSet'), { metadata: {} })).toEqual({ type: 'replicaset', name: 'owner' }));
  test('W14: is cut to what a label takes', () =>
    expect(workloadOf(ownedBy('Job', 'x'.repeat(100)), undefined).name).toHaveLength(63));
});
