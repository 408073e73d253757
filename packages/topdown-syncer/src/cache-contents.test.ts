import { configMapKind, secretKind } from '@tributary/runtime';
import type { AnyObject, Kind } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import { createVirtualContents, physicalContents } from './cache-contents.ts';
import { nodeKind, serviceKind } from './contract/cluster-kinds.ts';
import { podKind } from './contract/pod.ts';

const kubeconfig = { namespace: 'kubeocean-system', name: 'worker1-kubeconfig' };
const virtualContents = createVirtualContents({ clusterId: 'cls-a', kubeconfig });
const metadata = (more: object = {}): AnyObject['metadata'] => ({
  namespace: 'default',
  name: 'x',
  uid: 'u',
  resourceVersion: '7',
  managedFields: [{ manager: 'kubectl' }],
  ...more,
});
const ours = { labels: { 'kubeocean.io/synced-by-cls-a': 'true' } };
const data = { a: 'MQ==' };
const spec = { nodeName: 'vnode-cls-a-n', containers: [{ name: 'main', image: 'nginx' }] };
const status = { phase: 'Running', podIP: '10.0.0.1' };
const inV = (kind: Kind<never>, object: object): AnyObject => virtualContents(object as AnyObject, kind);
const inP = (kind: Kind<never>, object: object): AnyObject => physicalContents(object as AnyObject, kind);
const kinds = { configMapKind, secretKind, podKind, nodeKind, serviceKind } as unknown as Record<string, Kind<never>>;
const kindOf = (name: string): Kind<never> => kinds[name] as Kind<never>;

describe('W17: what is held of V', () => {
  for (const name of ['configMapKind', 'secretKind']) {
    test(`of a ${name.slice(0, -4)} that we do not copy: that it is there, and not its data`, () => {
      const kept = inV(kindOf(name), { metadata: metadata(), data, binaryData: data, type: 'Opaque' });
      expect(kept).not.toHaveProperty('data');
      expect(kept).not.toHaveProperty('binaryData');
      expect(kept.metadata).toMatchObject({ name: 'x', uid: 'u', resourceVersion: '7' });
    });

    test(`of a ${name.slice(0, -4)} that we copy: everything`, () => {
      expect(inV(kindOf(name), { metadata: metadata(ours), data })).toMatchObject({ data });
    });
  }

  test('what another binding copies is not held by us', () => {
    const theirs = { labels: { 'kubeocean.io/synced-by-cls-b': 'true' } };
    expect(inV(kindOf('secretKind'), { metadata: metadata(theirs), data })).not.toHaveProperty('data');
  });

  test('the Secret with the kubeconfig: everything, for its changes count', () => {
    expect(inV(kindOf('secretKind'), { metadata: metadata(kubeconfig), data })).toMatchObject({ data });
  });

  test('a pod on a virtual node: everything', () => {
    expect(inV(kindOf('podKind'), { metadata: metadata(), spec, status })).toMatchObject({ spec, status });
  });

  for (const nodeName of ['node-1', undefined]) {
    test(`a pod on ${nodeName ?? 'no node'}: that it is there, and where`, () => {
      const kept = inV(kindOf('podKind'), { metadata: metadata(), spec: { ...spec, nodeName }, status });
      expect(kept['spec']).toEqual({ nodeName, containers: [] });
      expect(kept).not.toHaveProperty('status');
      expect(kept.metadata).toMatchObject({ name: 'x', uid: 'u' });
    });
  }

  test('a Service: its addresses and ports', () => {
    const ports = [{ port: 80 }];
    const loadBalancer = { ingress: [{ ip: '10.0.0.9' }] };
    const service = {
      metadata: metadata(),
      spec: { clusterIP: '10.96.0.1', ports, selector: { a: 'b' } },
      status: { loadBalancer },
    };
    expect(inV(kindOf('serviceKind'), service)).toMatchObject({
      spec: { clusterIP: '10.96.0.1', ports },
      status: { loadBalancer },
    });
    expect(inV(kindOf('serviceKind'), service)['spec']).not.toHaveProperty('selector');
  });

  test('nothing with its managed fields', () => {
    for (const name of Object.keys(kinds)) {
      expect(inV(kindOf(name), { metadata: metadata(ours), spec, data }).metadata.managedFields).toBeUndefined();
      expect(inP(kindOf(name), { metadata: metadata(ours), spec, data }).metadata.managedFields).toBeUndefined();
    }
  });
});

describe('what is held of P', () => {
  test('a pod of a syncer: everything', () => {
    const managed = { labels: { 'kubeocean.io/managed-by': 'kubeocean' } };
    expect(inP(kindOf('podKind'), { metadata: metadata(managed), spec, status })).toMatchObject({ spec, status });
  });

  test('a pod of others: what it takes of its node', () => {
    const main = { name: 'main', resources: { requests: { cpu: '1' } }, ports: [{ containerPort: 80, hostPort: 80 }] };
    const other = {
      nodeName: 'n',
      overhead: { cpu: '1m' },
      containers: [{ ...main, image: 'nginx', env: [{ name: 'A' }] }],
    };
    const kept = inP(kindOf('podKind'), { metadata: metadata(), spec: other, status });
    expect(kept['spec']).toMatchObject({ nodeName: 'n', overhead: { cpu: '1m' }, containers: [main] });
    expect(JSON.stringify(kept)).not.toContain('nginx');
    expect(kept['status']).toEqual({ phase: 'Running' });
  });

  test('a node: everything but its images', () => {
    const node = { metadata: metadata(), status: { allocatable: { cpu: '1' }, images: [{ names: ['nginx'] }] } };
    expect(inP(kindOf('nodeKind'), node)['status']).toEqual({ allocatable: { cpu: '1' }, images: undefined });
  });
});
