import { expect, test } from 'vitest';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import { policyProblems, toPolicyStatus } from './policy-status.ts';

const nowMs = Date.parse('2026-01-05T12:00:00Z');
const policy = (spec: Partial<ResourceLeasingPolicy['spec']>): ResourceLeasingPolicy => ({
  metadata: { name: 'all', generation: 1 },
  spec: { cluster: 'worker1', ...spec },
});

test('the status of a policy is the very same when only time has passed', () => {
  const status = toPolicyStatus(policy({}), nowMs, 'UTC');
  expect(status).toMatchObject({ phase: 'Active', lastAppliedTime: '2026-01-05T12:00:00Z' });
  expect(toPolicyStatus({ ...policy({}), status }, nowMs + 3_600_000, 'UTC')).toBe(status);
});

test('limits that cannot be right are named', () => {
  const resourceLimits = [
    { resource: 'cpu', quantity: 'many' },
    { resource: 'memory', percent: 120 },
    { resource: 'pods', quantity: 10, percent: 100 },
  ];
  expect(policyProblems(policy({ resourceLimits }))).toEqual([
    'resourceLimits[0].quantity of cpu is no quantity',
    'resourceLimits[1].percent of memory is more than 100',
  ]);
});
