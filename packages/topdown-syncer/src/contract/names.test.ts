import { describe, expect, test } from 'vitest';
import { createPhysicalName, toHostname, toLabelValue, tokenSecretKey, vnodeName } from './names.ts';

const physicalName = createPhysicalName();

describe('the name of a copy in P', () => {
  const cases = [
    { ref: { namespace: 'default', name: 'my-app' }, named: 'my-app-2a866c414df3429a15e6aec0e50a42be' },
    { ref: { namespace: 'default', name: 'test-pod' }, named: 'test-pod-49d2ec05688689cc55230ecf7101f2de' },
    { ref: { namespace: 'virtual-ns', name: 'test-config' }, named: 'test-config-4b7db5cba5879ec4624ee839590ca8a9' },
    {
      ref: { namespace: 'default', name: 'kube-root-ca.crt' },
      named: 'kube-root-ca.crt-84d19cf54d3fe95432c66ea2b4e57661',
    },
    { ref: { namespace: 'a', name: 'web-0' }, named: 'web-0-5c043e1a1431267204181668ce80e73a' },
    { ref: { namespace: 'b', name: 'web-0' }, named: 'web-0-f49f958476a56110d878b2b9299e8a08' },
    { ref: { name: 'test-pv' }, named: 'test-pv-14c15d9b072115b6e7aae77aa7f1732d' },
    {
      ref: { name: 'pvc-2f0c8e8e-7b1d-4a57-9a55-3d9b6f0c1234' },
      named: 'pvc-2f0c8e8e-7b1d-4a57-9a55-3d-726e4f216cebd8e9bf8c24cd02425c19',
    },
    {
      ref: { namespace: 'test-namespace', name: 'very-long-pod-name-that-exceeds-31-characters' },
      named: 'very-long-pod-name-that-exceed-bf24fefacf25ba763e82e9ff59949198',
    },
    {
      ref: { namespace: 'ns', name: 'exactly-thirty-characters-xxxx' },
      named: 'exactly-thirty-characters-xxxx-a04f7bd29e134d9e2897d109bc6984a0',
    },
    {
      ref: { namespace: 'ns', name: 'exactly-thirty-one-characters-x' },
      named: 'exactly-thirty-one-characters--ccefeb5f61d79c56e300361da3a303ea',
    },
  ];
  for (const { ref, named } of cases) {
    test(`${ref.namespace ?? ''}/${ref.name} is ${named}`, () => expect(physicalName(ref)).toBe(named));
  }

  test('W14: a cut that would end in a dot loses it, for the server would refuse the name', () => {
    expect(physicalName({ namespace: 'ns', name: 'abcdefghijklmnopqrstuvwxyz012.tail' })).toBe(
      'abcdefghijklmnopqrstuvwxyz012-ca24f5353b105a8c030678fc6f3226a6',
    );
  });

  test('a salt gives two virtual clusters different names for the same object', () => {
    const ref = { namespace: 'default', name: 'my-app' };
    const salted = createPhysicalName('team-a')(ref);
    expect(salted).toMatch(/^my-app-[0-9a-f]{32}$/);
    expect(salted).not.toBe(physicalName(ref));
    expect(salted).not.toBe(createPhysicalName('team-b')(ref));
  });

  test('the Secret of a token is named after pod, volume and UID', () => {
    const key = tokenSecretKey({ name: 'test-pod', uid: 'test-uid-123' }, 'kube-api-access-xyz');
    expect(key).toBe('test-pod-kube-api-access-xyz-test-uid-123');
    expect(physicalName({ namespace: 'test-ns', name: key })).toBe(
      'test-pod-kube-api-access-xyz-t-b70a6c2e342892263f296b4f4deaa821',
    );
  });
});

describe('the name of a virtual node', () => {
  const cases = [
    { cid: 'cls-worker1', node: 'kubeocean-worker1-worker', named: 'vnode-cls-worker1-kubeocean-worker1-worker' },
    {
      cid: 'test',
      node: 'node-12345678901234567890123456789012345678901234567',
      named: 'vnode-test-node-12345678901234567890123456789012345678901234567',
    },
    {
      cid: 'test',
      node: 'node-123456789012345678901234567890123456789012345678',
      named: 'vnode-test-node-12345678901234-310530d12a6b348fe92acb5fd9272998',
    },
    {
      cid: 'cls-prod-frankfurt-01',
      node: 'ip-10-0-12-34.eu-central-1.compute.internal',
      named: 'vnode-cls-prod-frankfurt-01-ip-e8312acbbe818ac3a2a678ae7093f6b5',
    },
    {
      cid: 'very-long-cluster-id-that-should-cause-truncation',
      node: 'very-long-physical-node-name-that-will-definitely-exceed-sixty-four-characters-limit',
      named: 'vnode-very-long-cluster-id-tha-0d77ac9fd5142be6567a453da8cde000',
    },
  ];
  for (const { cid, node, named } of cases) {
    test(`of ${node} in ${cid}`, () => expect(vnodeName(cid, node)).toBe(named));
  }
});

describe('a hostname', () => {
  const cases = [
    { name: 'is the name of the pod', from: 'web-0', to: 'web-0' },
    { name: 'of 63 characters stays', from: 'a'.repeat(63), to: 'a'.repeat(63) },
    { name: 'of 64 is cut', from: 'a'.repeat(64), to: 'a'.repeat(63) },
    { name: 'of 65 is cut', from: 'a'.repeat(65), to: 'a'.repeat(63) },
    { name: 'of 100 is cut', from: 'a'.repeat(100), to: 'a'.repeat(63) },
    { name: 'does not end in a dash after the cut', from: `${'a'.repeat(62)}-b`, to: 'a'.repeat(62) },
    { name: 'does not end in a dot after the cut', from: `${'a'.repeat(62)}.b`, to: 'a'.repeat(62) },
    { name: 'W14: has no dots', from: 'my.app.pod', to: 'my-app-pod' },
    { name: 'is nothing when nothing is left', from: '-'.repeat(70), to: undefined },
  ];
  for (const { name, from, to } of cases) test(name, () => expect(toHostname(from)).toBe(to));
});

describe('the value of a label', () => {
  const cases = [
    { name: 'stays where it is valid', from: 'my-deployment.v1_x', to: 'my-deployment.v1_x' },
    { name: 'W14: is cut at 63', from: 'x'.repeat(80), to: 'x'.repeat(63) },
    { name: 'W14: does not end in a dash', from: `${'x'.repeat(62)}-y`, to: 'x'.repeat(62) },
    { name: 'W14: an IPv6 address loses its colons', from: 'fd00::1', to: 'fd00--1' },
  ];
  for (const { name, from, to } of cases) test(name, () => expect(toLabelValue(from)).toBe(to));
});
