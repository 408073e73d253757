import { describe, expect, test } from 'vitest';
import { leasedResources, nodeOffer } from './leased-resources.ts';
import type { ResourceLimit } from './leased-resources.ts';
import { readResources, writeResources } from './resource-list.ts';

const offer = readResources({ cpu: '8', memory: '16Gi', pods: '110' });
const taken = readResources({ cpu: '2', memory: '4Gi', pods: '10' });

describe('what is lent of a node', () => {
  const cases: readonly {
    readonly name: string;
    readonly limits: readonly ResourceLimit[];
    readonly lent: Record<string, string>;
  }[] = [
    { name: 'is all that others have not taken', limits: [], lent: { cpu: '6', memory: '12Gi', pods: '100' } },
    {
      name: 'is no more than a quantity',
      limits: [{ resource: 'cpu', quantity: '4' }],
      lent: { cpu: '4', memory: '12Gi', pods: '100' },
    },
    {
      name: 'is all that is left when a quantity is larger',
      limits: [{ resource: 'cpu', quantity: 40 }],
      lent: { cpu: '6', memory: '12Gi', pods: '100' },
    },
    {
      name: 'is a share of what is left',
      limits: [{ resource: 'memory', percent: 50 }],
      lent: { cpu: '6', memory: '6Gi', pods: '100' },
    },
    {
      name: 'is the smaller of quantity and share',
      limits: [{ resource: 'cpu', quantity: '4', percent: 50 }],
      lent: { cpu: '3', memory: '12Gi', pods: '100' },
    },
    {
      name: 'is nothing at more than a hundred percent',
      limits: [{ resource: 'cpu', percent: 101 }],
      lent: { cpu: '0', memory: '12Gi', pods: '100' },
    },
    {
      name: 'is not limited by zero or less',
      limits: [
        { resource: 'cpu', percent: 0, quantity: '0' },
        { resource: 'memory', percent: -5 },
      ],
      lent: { cpu: '6', memory: '12Gi', pods: '100' },
    },
    {
      name: 'does not grow by limits on what the node does not have',
      limits: [{ resource: 'nvidia.com/gpu', quantity: '4' }],
      lent: { cpu: '6', memory: '12Gi', pods: '100' },
    },
  ];
  for (const { name, limits, lent } of cases) {
    test(name, () => expect(writeResources(leasedResources(offer, taken, limits))).toEqual(lent));
  }
});

test('a node offers its capacity when it says nothing about what is allocatable', () => {
  expect(writeResources(nodeOffer({ capacity: { cpu: '4' } }))).toEqual({ cpu: '4' });
  expect(writeResources(nodeOffer({ capacity: { cpu: '4' }, allocatable: { cpu: '3' } }))).toEqual({ cpu: '3' });
});
