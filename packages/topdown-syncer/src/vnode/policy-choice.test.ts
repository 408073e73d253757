import { describe, expect, test } from 'vitest';
import type { Node, Taint } from '../contract/cluster-kinds.ts';
import type { ResourceLeasingPolicy } from '../contract/resource-leasing-policy.ts';
import { choosePolicy, describePolicy } from './choose-policy.ts';
import { labelAfter } from './policy-label.ts';
import { proxierPort } from './proxier-port.ts';
import { judgeWindow } from './window-taint.ts';

const early = '2026-01-05T12:00:00Z';
const now = '2026-01-05T12:05:00Z';
const node: Node = { metadata: { name: 'node-1', labels: { zone: 'a' } } };
const policy = (
  name: string,
  more: Partial<ResourceLeasingPolicy['spec']> = {},
  metadata = {},
): ResourceLeasingPolicy => ({
  metadata: { name, creationTimestamp: early, ...metadata },
  spec: { cluster: 'worker1', ...more },
});

describe('of several policies', () => {
  const late = { creationTimestamp: now };
  test('the oldest counts', () =>
    expect(choosePolicy([policy('a', {}, late), policy('b')], node, 'worker1')?.metadata.name).toBe('b'));
  test('the first by name, at the same age', () => {
    expect(choosePolicy([policy('b'), policy('a')], node, 'worker1')?.metadata.name).toBe('a');
  });
  test('those of other bindings do not count', () => {
    expect(choosePolicy([policy('a', { cluster: 'worker2' })], node, 'worker1')).toBeUndefined();
  });
  test('those that are being deleted do not count', () => {
    expect(choosePolicy([policy('a', {}, { deletionTimestamp: now })], node, 'worker1')).toBeUndefined();
  });
  test('those for other nodes do not count', () => {
    const nodeSelector = {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['z'] }] }],
    };
    expect(choosePolicy([policy('a', { nodeSelector })], node, 'worker1')).toBeUndefined();
  });
  test('limits are described as the original does', () => {
    const resourceLimits = [
      { resource: 'cpu', quantity: '4', percent: 50 },
      { resource: 'memory', percent: 80 },
    ];
    expect(describePolicy(policy('night', { resourceLimits }))).toBe('night(cpu=4/50%,memory=/80%)');
  });
});

describe('outside the windows of its policy', () => {
  const nowMs = Date.parse(now);
  const closed = { timeWindows: [{ start: '00:00', end: '06:00' }] };
  const judge = (more: Partial<ResourceLeasingPolicy['spec']>, current: Taint[] = []) =>
    judgeWindow(policy('night', { ...closed, ...more }), current, nowMs, 'UTC');
  const key = 'kubeocean.io/out-of-time-windows';

  test('a node takes nothing new', () => {
    expect(judge({})).toMatchObject({
      taint: { key, value: 'true', effect: 'NoSchedule', timeAdded: now },
      reclaim: false,
    });
  });
  test('a node is emptied at once, by force without grace', () => {
    expect(judge({ forceReclaim: true })).toMatchObject({
      taint: { key, effect: 'NoExecute', timeAdded: now },
      reclaim: true,
    });
  });
  test('a node is emptied by force only after its grace', () => {
    const spec = { forceReclaim: true, gracefulReclaimPeriodSeconds: 600 };
    expect(judge(spec)).toMatchObject({ taint: { effect: 'NoSchedule' }, reclaim: false, nextMs: nowMs + 600_000 });
    const long = [{ key, effect: 'NoSchedule', timeAdded: '2026-01-05T11:55:00Z' }];
    expect(judge(spec, long)).toMatchObject({
      taint: { effect: 'NoExecute', timeAdded: '2026-01-05T11:55:00Z' },
      reclaim: true,
    });
  });
  test('the time of the taint stays', () => {
    expect(judge({}, [{ key, effect: 'NoSchedule', timeAdded: early }]).taint?.timeAdded).toBe(early);
  });
  test('a taint without a time waits for nothing', () => {
    const spec = { forceReclaim: true, gracefulReclaimPeriodSeconds: 600 };
    expect(judge(spec, [{ key, effect: 'NoExecute' }])).toMatchObject({ reclaim: true });
  });
  test('the taint goes when a window opens', () => {
    expect(judge({ timeWindows: [{ start: '12:00', end: '13:00' }] })).toEqual({
      taint: undefined,
      reclaim: false,
      nextMs: Date.parse('2026-01-05T13:01:00Z'),
    });
  });
});

describe('the port of a virtual node', () => {
  test('follows from its name', () => {
    expect(proxierPort('vnode-cls-worker1-node-1', new Set())).toBe(proxierPort('vnode-cls-worker1-node-1', new Set()));
    expect(proxierPort('a', new Set())).toBe(15_000 + (0xe4_0c_29_2c % 50_536));
  });
  test('is the next one where it is taken', () => {
    const first = proxierPort('a', new Set());
    expect(proxierPort('a', new Set([first]))).toBe(first + 1);
  });
});

describe('the policy that a physical node shows', () => {
  const theirs = policy('theirs', { cluster: 'worker2' });
  const cases = [
    { name: 'is the one that lends it', current: undefined, lends: policy('ours'), shows: 'ours' },
    { name: 'is taken back with it', current: 'ours', lends: undefined, shows: undefined },
    { name: 'is replaced by the next', current: 'ours', lends: policy('next'), shows: 'next' },
    { name: 'stays with another binding', current: 'theirs', lends: policy('ours'), shows: 'theirs' },
    { name: 'is not taken back from another binding', current: 'theirs', lends: undefined, shows: 'theirs' },
    { name: 'is replaced when nobody knows it', current: 'forgotten', lends: policy('ours'), shows: 'ours' },
  ];
  for (const { name, current, lends, shows } of cases) {
    test(name, () => expect(labelAfter(current, lends, [policy('ours'), theirs], 'worker1')).toBe(shows));
  }
});
