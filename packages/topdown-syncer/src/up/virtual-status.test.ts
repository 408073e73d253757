import { describe, expect, test } from 'vitest';
import type { Pod, PodStatus } from '../contract/pod.ts';
import { statusPatch } from './status-patch.ts';
import { toLostStatus, toVirtualStatus } from './virtual-status.ts';

const early = '2026-01-05T12:00:00Z';
const now = '2026-01-05T12:05:00Z';
const pod = (status: PodStatus, metadata: Pod['metadata'] = { name: 'web' }): Pod => ({
  metadata,
  spec: { containers: [] },
  status,
});
const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: early };
const ready = { type: 'Ready', status: 'True', lastTransitionTime: early };
const waiting = pod({ phase: 'Pending', qosClass: 'BestEffort', conditions: [scheduled] });
const running: PodStatus = {
  phase: 'Running',
  qosClass: 'Guaranteed',
  hostIP: '172.18.0.2',
  hostIPs: [{ ip: '172.18.0.2' }],
  podIP: '10.0.0.7',
  podIPs: [{ ip: '10.0.0.7' }],
  startTime: early,
  conditions: [ready, { ...scheduled, lastTransitionTime: now }],
  containerStatuses: [{ name: 'web', ready: true }],
};

const patchFor = (virtual: Pod, physical: Pod) =>
  statusPatch(virtual.status ?? {}, toVirtualStatus(virtual, physical, now));

describe('the status of a virtual pod', () => {
  test('says where and how the physical pod runs, in one patch', () => {
    expect(patchFor(waiting, pod(running))).toEqual({
      phase: 'Running',
      hostIP: '172.18.0.2',
      hostIPs: [{ ip: '172.18.0.2' }, { $patch: 'replace' }],
      podIP: '10.0.0.7',
      podIPs: [{ ip: '10.0.0.7' }, { $patch: 'replace' }],
      startTime: early,
      containerStatuses: [{ name: 'web', ready: true }],
      conditions: [ready],
    });
  });

  test('is not written while the physical pod has nothing to tell', () => {
    expect(patchFor(waiting, pod({}))).toBeUndefined();
    expect(patchFor(waiting, pod({ phase: 'Pending', conditions: [scheduled] }))).toBeUndefined();
  });

  test('is not written twice', () => {
    const seen = pod({ ...running, qosClass: 'BestEffort', conditions: [scheduled, ready] });
    expect(patchFor(seen, pod(running))).toBeUndefined();
  });

  test('loses what the physical one lost', () => {
    const before = pod({ ...running, message: 'slow', conditions: [scheduled, { ...ready, reason: 'X' }] });
    expect(patchFor(before, pod({ ...running, podIP: '', podIPs: [] }))).toEqual({
      message: null,
      podIP: '',
      podIPs: [{ $patch: 'replace' }],
      conditions: [{ ...ready, reason: null }],
    });
  });

  test('loses a condition that the kubelet took back, by its name', () => {
    const before = pod({ ...running, conditions: [scheduled, ready, { type: 'PodResizePending', status: 'True' }] });
    expect(patchFor(before, pod(running))).toEqual({ conditions: [{ $patch: 'delete', type: 'PodResizePending' }] });
  });

  test('knows its generation once the kubelet has seen the newest (W21)', () => {
    const virtual = pod({ ...running, conditions: [scheduled, ready] }, { name: 'web', generation: 3 });
    const physical = (observedGeneration: number) =>
      pod({ ...running, observedGeneration }, { name: 'web-x', generation: 5 });
    expect(patchFor(virtual, physical(4))).toBeUndefined();
    expect(patchFor(virtual, physical(5))).toEqual({ observedGeneration: 3 });
  });
});

test('a lost pod has failed, is not ready, and keeps what else was known of it', () => {
  const lost = toLostStatus(pod({ ...running, conditions: [scheduled, ready] }), now);
  const why = { reason: 'PhysicalPodLost', message: 'Physical pod was deleted unexpectedly' };
  expect(lost).toEqual({
    phase: 'Failed',
    ...why,
    conditions: [scheduled, { type: 'Ready', status: 'False', ...why, lastTransitionTime: now }],
  });
  expect(statusPatch({ ...running, conditions: [scheduled, ready] }, lost)).not.toHaveProperty('containerStatuses');
});
