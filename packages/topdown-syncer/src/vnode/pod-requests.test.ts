import { describe, expect, test } from 'vitest';
import { podRequests } from './pod-requests.ts';
import type { RequestingSpec } from './pod-requests.ts';
import { isSameResources, subtractResources, readResources, writeResources } from './resource-list.ts';

const asks = (cpu: string, restartPolicy?: string) => ({ restartPolicy, resources: { requests: { cpu } } });

describe('what a pod needs', () => {
  const cases: readonly {
    readonly name: string;
    readonly spec: RequestingSpec;
    readonly needs: Record<string, string>;
  }[] = [
    { name: 'is one pod, if it asks for nothing', spec: { containers: [{}] }, needs: { pods: '1' } },
    {
      name: 'is the sum of its containers',
      spec: { containers: [asks('100m'), asks('250m')] },
      needs: { cpu: '350m', pods: '1' },
    },
    {
      name: 'is what the largest init container needs, if that is more (W19)',
      spec: { containers: [asks('100m')], initContainers: [asks('300m'), asks('200m')] },
      needs: { cpu: '300m', pods: '1' },
    },
    {
      name: 'does not grow by init containers that need less (W19)',
      spec: { containers: [asks('400m')], initContainers: [asks('300m')] },
      needs: { cpu: '400m', pods: '1' },
    },
    {
      name: 'includes sidecars beside the containers',
      spec: { containers: [asks('100m')], initContainers: [asks('50m', 'Always')] },
      needs: { cpu: '150m', pods: '1' },
    },
    {
      name: 'includes the sidecars that run while an init container runs',
      spec: { containers: [asks('100m')], initContainers: [asks('50m', 'Always'), asks('200m')] },
      needs: { cpu: '250m', pods: '1' },
    },
    {
      name: 'includes the overhead of its runtime (W19)',
      spec: { containers: [asks('100m')], overhead: { cpu: '20m', memory: '10Mi' } },
      needs: { cpu: '120m', memory: '10Mi', pods: '1' },
    },
    {
      name: 'is what the pod asks for as a whole, where it does',
      spec: { containers: [asks('100m')], resources: { requests: { cpu: '1' } } },
      needs: { cpu: '1', pods: '1' },
    },
  ];
  for (const { name, spec, needs } of cases) {
    test(name, () => expect(writeResources(podRequests(spec))).toEqual(needs));
  }
});

test('lists of resources are the same by value', () => {
  expect(isSameResources({ cpu: '1', pods: 5 }, { cpu: '1000m', pods: '5' })).toBe(true);
  expect(isSameResources({ cpu: '1' }, { cpu: '1', pods: '1' })).toBe(false);
  expect(isSameResources({ cpu: '1' }, { memory: '1' })).toBe(false);
  expect(isSameResources(undefined, {})).toBe(true);
});

test('what a node does not offer is not missed', () => {
  const left = subtractResources(readResources({ cpu: '4' }), readResources({ cpu: '1', 'example.com/disk': '2' }));
  expect(writeResources(left)).toEqual({ cpu: '3' });
});
