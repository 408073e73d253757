import { expect, test } from 'vitest';
import type { ClusterBinding } from '../contract/cluster-binding.ts';
import { changedInVain } from './fixed-fields.ts';

const facts = { clusterId: 'cls-a', mountNamespace: 'mount' };
const bindingOf = (clusterID: string, mountNamespace?: string): ClusterBinding => ({
  metadata: { name: 'b' },
  spec: { clusterID, secretRef: {}, ...(mountNamespace && { mountNamespace }) },
});

const cases = [
  { name: 'nothing, where both are as they were', binding: bindingOf('cls-a', 'mount'), kept: undefined },
  { name: 'another cluster id', binding: bindingOf('cls-b', 'mount'), kept: 'spec.clusterID cls-a:' },
  { name: 'another mount namespace', binding: bindingOf('cls-a', 'other'), kept: 'spec.mountNamespace mount:' },
  { name: 'none at all', binding: bindingOf('cls-a'), kept: 'spec.mountNamespace mount:' },
  { name: 'both', binding: bindingOf('cls-b', 'other'), kept: 'spec.clusterID cls-a and spec.mountNamespace mount:' },
];
for (const { name, binding, kept } of cases) {
  test(`what is changed in vain: ${name}`, () => {
    const said = changedInVain(binding, facts);
    expect(said?.slice('the syncer goes on with '.length).split(' what it')[0]).toBe(kept);
  });
}
