import { describe, expect, test } from 'vitest';
import type { Pod, PodStatus } from '../contract/pod.ts';
import { planStatus } from './plan-status.ts';
import type { StatusInputs } from './plan-status.ts';

const now = '2026-01-05T12:05:00Z';
const ready = { type: 'Ready', status: 'True' };
const virtual = (status: PodStatus, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: { namespace: 'default', name: 'web', uid: 'v-1', ...metadata },
  spec: { containers: [] },
  status,
});
const physical = (status: PodStatus, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: { namespace: 'mount', name: 'web-x', uid: 'p-1', ...metadata },
  spec: { containers: [] },
  status,
});
const pending = virtual({ phase: 'Pending' });
const plan = (inputs: Partial<StatusInputs>) =>
  planStatus({ virtual: pending, physical: undefined, recordedUid: 'p-1', now, ...inputs });

describe('what a virtual pod is told', () => {
  test('that it runs, at once', () => {
    expect(plan({ physical: physical({ phase: 'Running', conditions: [ready] }) })).toEqual({
      do: 'write',
      patch: { phase: 'Running', conditions: [ready] },
      recordUid: undefined,
      urgent: true,
    });
  });

  test('the UID along with the status, where it is missing', () => {
    const seen = physical({ phase: 'Running' });
    expect(plan({ recordedUid: undefined, physical: seen })).toMatchObject({ recordUid: 'p-1', urgent: true });
  });

  test('the UID alone only after a while: who made the pod will have written it by then', () => {
    const seen = physical({ phase: 'Pending' });
    const alone = { do: 'write', patch: {}, recordUid: 'p-1', urgent: false };
    expect(plan({ recordedUid: undefined, physical: seen })).toEqual(alone);
  });

  test('that containers are being created, when there is time', () => {
    const seen = physical({
      phase: 'Pending',
      containerStatuses: [{ name: 'web' }],
      conditions: [{ ...ready, status: 'False' }],
    });
    expect(plan({ physical: seen })).toMatchObject({ do: 'write', urgent: false });
  });

  test('that it is not ready any more, at once', () => {
    const before = virtual({ phase: 'Running', conditions: [ready] });
    const seen = physical({ phase: 'Running', conditions: [{ ...ready, status: 'False' }] });
    expect(plan({ virtual: before, physical: seen })).toMatchObject({ do: 'write', urgent: true });
  });

  test('nothing, before its physical pod was made', () => {
    expect(plan({ recordedUid: undefined })).toEqual({ do: 'nothing' });
  });

  test('that it may be lost, when the physical pod is not there', () => {
    expect(plan({})).toEqual({ do: 'confirm-loss' });
  });

  test('nothing more, once it has succeeded, whatever happens below (W8)', () => {
    const succeeded = virtual({ phase: 'Succeeded' });
    for (const seen of [undefined, physical({ phase: 'Running' }), physical({ phase: 'Failed' })]) {
      expect(plan({ virtual: succeeded, physical: seen })).toEqual({ do: 'nothing' });
    }
  });

  test('nothing about another run of the same pod', () => {
    expect(plan({ physical: physical({ phase: 'Running' }, { uid: 'p-2' }) })).toEqual({ do: 'nothing' });
  });

  test('nothing but its end, while it is being deleted', () => {
    const leaving = virtual({ phase: 'Running' }, { deletionTimestamp: now });
    expect(plan({ virtual: leaving })).toEqual({ do: 'nothing' });
    expect(plan({ virtual: leaving, physical: physical({ phase: 'Running', podIP: '1' }) })).toEqual({ do: 'nothing' });
    expect(plan({ virtual: leaving, physical: physical({ phase: 'Succeeded' }) })).toMatchObject({ do: 'write' });
  });
});
