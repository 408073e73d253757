import type { Connection } from '@tributary/runtime';
import { describe, expect, test } from 'vitest';
import type { ClusterBinding } from './contract/cluster-binding.ts';
import { openSides } from './open-sides.ts';

const secretRef = { namespace: 'kubeocean-system', name: 'key' };
const binding: ClusterBinding = {
  apiVersion: 'cloud.tencent.com/v1beta1',
  kind: 'ClusterBinding',
  metadata: { name: 'worker1' },
  spec: { clusterID: 'cls-a', mountNamespace: 'mount', secretRef },
};

type Cache = { readonly synced?: boolean; readonly unhealthy?: readonly string[] };

function connectionOver({ synced = true, unhealthy = [] }: Cache = {}, now?: ClusterBinding): Connection {
  const informer = () => ({ get: () => now });
  return { cache: { informer, hasSynced: () => synced, unhealthy: () => unhealthy } } as unknown as Connection;
}

const open = (virtual: Connection, physical: Connection, physicalAnswers = () => true) =>
  openSides(
    { clusterBindingName: 'worker1' },
    { binding, virtualCluster: 'uid-v' },
    { virtual, physical, physicalAnswers },
  );

describe('anything may be deleted', () => {
  const whole = connectionOver();
  const cases = [
    { name: 'when both clusters are seen whole and P answers', sides: open(whole, whole), ready: true },
    { name: 'not while P does not answer', sides: open(whole, whole, () => false), ready: false },
    { name: "not before V's caches are complete", sides: open(connectionOver({ synced: false }), whole), ready: false },
    { name: "not before P's caches are complete", sides: open(whole, connectionOver({ synced: false })), ready: false },
    { name: 'not while a watch of V is cut', sides: open(connectionOver({ unhealthy: ['Pod'] }), whole), ready: false },
    { name: 'not while a watch of P is cut', sides: open(whole, connectionOver({ unhealthy: ['Pod'] })), ready: false },
  ];
  for (const { name, sides, ready } of cases) test(name, () => expect(sides.ready()).toBe(ready));
});

test('what a binding says now counts, but for what names and marks are made of', () => {
  const spec = { ...binding.spec, clusterID: 'cls-b', mountNamespace: 'elsewhere', directScheduling: true };
  const sides = open(connectionOver({}, { ...binding, spec }), connectionOver());
  expect(sides.binding()).toMatchObject({ clusterId: 'cls-a', mountNamespace: 'mount', directScheduling: true });
});
