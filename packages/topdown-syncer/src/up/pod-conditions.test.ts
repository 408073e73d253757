import { describe, expect, test } from 'vitest';
import type { PodCondition } from '../contract/pod.ts';
import { mergeConditions } from './pod-conditions.ts';
import type { ConditionInputs } from './pod-conditions.ts';

const early = '2026-01-05T12:00:00Z';
const now = '2026-01-05T12:05:00Z';
const is = (type: string, status: string, more: Partial<PodCondition> = {}): PodCondition => ({
  type,
  status,
  lastTransitionTime: early,
  ...more,
});
const merge = (inputs: Partial<ConditionInputs>): readonly PodCondition[] =>
  mergeConditions({
    virtual: [],
    physical: [],
    gates: [],
    leaving: false,
    generation: { virtual: 1, physical: 1 },
    now,
    ...inputs,
  });

describe('conditions of a virtual pod', () => {
  test('PodScheduled of the virtual cluster wins and stays first', () => {
    const virtual = [is('PodScheduled', 'True')];
    const physical = [is('Ready', 'True'), is('PodScheduled', 'True', { lastTransitionTime: now })];
    expect(merge({ virtual, physical })).toEqual([is('PodScheduled', 'True'), is('Ready', 'True')]);
  });

  test('PodScheduled comes from below where the virtual pod has none', () => {
    expect(merge({ physical: [is('PodScheduled', 'True'), is('Ready', 'True')] })).toEqual([
      is('PodScheduled', 'True'),
      is('Ready', 'True'),
    ]);
  });

  test('what only the virtual cluster knows stays (W6)', () => {
    const virtual = [is('PodScheduled', 'True'), is('DisruptionTarget', 'True'), is('example.com/gate', 'True')];
    const physical = [is('Ready', 'True')];
    expect(merge({ virtual, physical })).toEqual([...virtual, is('Ready', 'True')]);
  });

  test('what the kubelet takes back goes', () => {
    const virtual = [is('PodScheduled', 'True'), is('PodResizePending', 'True'), is('Ready', 'False')];
    expect(merge({ virtual, physical: [is('Ready', 'True')] })).toEqual([
      is('PodScheduled', 'True'),
      is('Ready', 'True'),
    ]);
  });

  test('a generation is told in the numbers of the virtual pod', () => {
    const physical = [
      is('Ready', 'True', { observedGeneration: 7 }),
      is('Initialized', 'True', { observedGeneration: 6 }),
    ];
    expect(merge({ physical, generation: { virtual: 2, physical: 7 } })).toEqual([
      is('Ready', 'True', { observedGeneration: 2 }),
      is('Initialized', 'True'),
    ]);
  });

  test('a physical pod without a node says why in Ready, beside PodScheduled of the virtual cluster (W10)', () => {
    const virtual = [is('PodScheduled', 'True')];
    const message = '0/3 nodes are available: 3 Insufficient cpu.';
    const physical = [is('PodScheduled', 'False', { reason: 'Unschedulable', message })];
    const held = { status: 'False', reason: 'PhysicalUnschedulable', message, lastTransitionTime: now };
    expect(merge({ virtual, physical })).toEqual([
      is('PodScheduled', 'True'),
      { type: 'Ready', ...held },
      { type: 'ContainersReady', ...held },
    ]);
  });

  test('a reason that was told keeps its time, so that telling it again changes nothing', () => {
    const physical = [is('PodScheduled', 'False', { reason: 'Unschedulable', message: 'full' })];
    const first = merge({ virtual: [is('PodScheduled', 'True')], physical });
    expect(merge({ virtual: first, physical, now: '2026-01-05T13:00:00Z' })).toEqual(first);
  });

  test('a physical pod that is being deleted is not ready (W9)', () => {
    const [ready] = merge({ virtual: [is('Ready', 'True')], physical: [is('Ready', 'True')], leaving: true });
    expect(ready).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'PhysicalPodTerminating',
      message: 'the physical pod is being deleted',
      lastTransitionTime: now,
    });
  });
});

describe('readiness gates are opened in the virtual cluster (W6)', () => {
  const gates = ['example.com/gate'];
  const physical = [is('Ready', 'False', { reason: 'ReadinessGatesNotReady' }), is('ContainersReady', 'True')];
  const readyOf = (conditions: readonly PodCondition[]) => conditions.find(({ type }) => type === 'Ready');

  test('an open gate and ready containers are enough', () => {
    const virtual = [is('example.com/gate', 'True'), is('Ready', 'False')];
    expect(readyOf(merge({ virtual, physical, gates }))).toEqual({
      type: 'Ready',
      status: 'True',
      lastTransitionTime: now,
    });
  });

  test('a gate that is shut is named', () => {
    expect(readyOf(merge({ physical, gates }))).toMatchObject({
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message: 'corresponding condition of pod readiness gate "example.com/gate" is not True.',
    });
  });

  test('a gate that is open below does not count', () => {
    const below = [is('Ready', 'True'), is('ContainersReady', 'True'), is('example.com/gate', 'True')];
    const virtual = [is('example.com/gate', 'False')];
    const merged = merge({ virtual, physical: below, gates });
    expect(readyOf(merged)).toMatchObject({ status: 'False' });
    expect(merged).toContainEqual(is('example.com/gate', 'False'));
  });

  test('containers that are not ready decide first', () => {
    const below = [is('Ready', 'False', { reason: 'ContainersNotReady' }), is('ContainersReady', 'False')];
    const virtual = [is('example.com/gate', 'True')];
    expect(readyOf(merge({ virtual, physical: below, gates }))).toMatchObject({ reason: 'ContainersNotReady' });
  });
});
