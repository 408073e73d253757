import { describe, expect, test } from 'vitest';
import type { ClusterBinding } from '../contract/cluster-binding.ts';
import { toBindingStatus } from './binding-status.ts';

const nowMs = Date.parse('2026-01-05T12:00:00Z');
const binding = (spec: Partial<ClusterBinding['spec']> = {}, status?: ClusterBinding['status']): ClusterBinding => ({
  metadata: { name: 'worker1', generation: 1 },
  spec: { clusterID: 'cls', mountNamespace: 'mount', secretRef: { name: 's', namespace: 'n' }, ...spec },
  ...(status && { status }),
});

describe('the status of a binding', () => {
  test('is ready while its cluster answers', () => {
    expect(toBindingStatus(binding(), true, nowMs)).toMatchObject({
      phase: 'Ready',
      lastSyncTime: '2026-01-05T12:00:00Z',
      conditions: [
        { type: 'Connected', status: 'True', reason: 'ConnectivityPassed' },
        { type: 'SyncerReady', status: 'True', reason: 'SyncerCreated' },
        { type: 'Ready', status: 'True', reason: 'ValidationPassed' },
      ],
    });
  });

  test('is not ready while its cluster does not answer (W18)', () => {
    expect(toBindingStatus(binding(), false, nowMs)).toMatchObject({
      phase: 'Failed',
      conditions: [
        { type: 'Connected', status: 'False', reason: 'ConnectivityFailed' },
        { type: 'SyncerReady', status: 'True' },
        { type: 'Ready', status: 'False', reason: 'ConnectivityFailed' },
      ],
    });
  });

  const mistakes = [
    { spec: { mountNamespace: '' }, says: 'spec.mountNamespace is empty' },
    { spec: { secretRef: { name: 's' } }, says: 'spec.secretRef.namespace is empty' },
    { spec: { secretRef: { namespace: 'n' } }, says: 'spec.secretRef.name is empty' },
    { spec: { serviceNamespaces: ['a', ''] }, says: 'spec.serviceNamespaces has an empty entry' },
  ];
  for (const { spec, says } of mistakes) {
    test(`says that ${says}`, () => {
      const { phase, conditions } = toBindingStatus(binding(spec), true, nowMs);
      expect(phase).toBe('Failed');
      expect(conditions).toContainEqual(
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'ValidationFailed', message: says }),
      );
    });
  }

  test('is the very same when only time has passed', () => {
    const status = toBindingStatus(binding(), true, nowMs);
    expect(toBindingStatus(binding({}, status), true, nowMs + 3_600_000)).toBe(status);
  });
});
