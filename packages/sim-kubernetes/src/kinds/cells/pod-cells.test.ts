import { describe, expect, test } from 'vitest';
import type { JsonObject, StoredObject } from '../../registry/json.ts';
import { podCells } from './pod-cells.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const spec = { containers: [{ name: 'app' }, { name: 'side' }], initContainers: [{ name: 'init' }] };
const running = { state: { running: {} }, ready: true };

function cellsOf(status: JsonObject, metadata: JsonObject = {}, more: JsonObject = {}): readonly unknown[] {
  const pod = {
    metadata: { name: 'p', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec: { ...spec, ...more },
    status,
  };
  return podCells(pod as unknown as StoredObject, now).slice(1, 4);
}

describe('Ready, Status and Restarts of a pod', () => {
  const terminated = (exitCode: number, more: JsonObject = {}): JsonObject => ({
    state: { terminated: { exitCode, ...more } },
  });
  const cases: readonly (readonly [string, JsonObject, readonly unknown[]])[] = [
    ['a phase alone', { phase: 'Pending' }, ['0/2', 'Pending', '0']],
    ['a reason of the pod goes before its phase', { phase: 'Failed', reason: 'Evicted' }, ['0/2', 'Evicted', '0']],
    [
      'gates hold it back',
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] },
      ['0/2', 'SchedulingGated', '0'],
    ],
    [
      'an init container that runs is counted',
      { phase: 'Pending', initContainerStatuses: [{ name: 'init', state: { running: {} } }] },
      ['0/2', 'Init:0/1', '0'],
    ],
    [
      'an init container that failed says how',
      { phase: 'Pending', initContainerStatuses: [{ name: 'init', restartCount: 2, ...terminated(3) }] },
      ['0/2', 'Init:ExitCode:3', '2'],
    ],
    [
      'an init container that waits says why',
      {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'init', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
      },
      ['0/2', 'Init:CrashLoopBackOff', '0'],
    ],
    ['all is well', { phase: 'Running', containerStatuses: [running, running] }, ['2/2', 'Running', '0']],
    [
      'the first container has the last word',
      {
        phase: 'Running',
        containerStatuses: [
          { state: { waiting: { reason: 'CrashLoopBackOff' } }, restartCount: 4 },
          { state: { waiting: { reason: 'ImagePullBackOff' } }, restartCount: 1 },
        ],
      },
      ['0/2', 'CrashLoopBackOff', '5'],
    ],
    [
      'restarts say when the last one was',
      {
        phase: 'Running',
        containerStatuses: [
          { ...running, restartCount: 1, lastState: { terminated: { finishedAt: '2026-01-01T00:55:00Z' } } },
          running,
        ],
      },
      ['2/2', 'Running', '1 (5m ago)'],
    ],
    [
      'a signal is named when there is no reason',
      { phase: 'Failed', containerStatuses: [terminated(137, { signal: 9 })] },
      ['0/2', 'Signal:9', '0'],
    ],
    [
      'completed with another still running is running when the pod is ready',
      {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [terminated(0, { reason: 'Completed' }), running],
      },
      ['1/2', 'Running', '0'],
    ],
    [
      'and not ready when it is not',
      { phase: 'Running', containerStatuses: [terminated(0, { reason: 'Completed' }), running] },
      ['1/2', 'NotReady', '0'],
    ],
    [
      'a failure beside a completed container is shown',
      {
        phase: 'Failed',
        containerStatuses: [terminated(0, { reason: 'Completed' }), terminated(1, { reason: 'Error' })],
      },
      ['0/2', 'Error', '0'],
    ],
  ];
  for (const [name, status, wanted] of cases) test(name, () => expect(cellsOf(status)).toEqual(wanted));

  test('a pod that is being deleted is terminating, unless it has ended', () => {
    const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(cellsOf({ phase: 'Running' }, deleted)[1]).toBe('Terminating');
    expect(cellsOf({ phase: 'Succeeded' }, deleted)[1]).toBe('Succeeded');
    expect(cellsOf({ phase: 'Running', reason: 'NodeLost' }, deleted)[1]).toBe('Unknown');
  });

  test('a sidecar counts as a container once it has started', () => {
    const sidecar = { initContainers: [{ name: 'init', restartPolicy: 'Always' }] };
    const status = {
      phase: 'Running',
      initContainerStatuses: [{ name: 'init', started: true, ...running, restartCount: 2 }],
      containerStatuses: [running, running],
    };
    expect(cellsOf(status, {}, sidecar)).toEqual(['3/3', 'Running', '2']);
  });
});
