import { describe, expect, test } from 'vitest';
import type { SyncStateStatus } from '../l4-state/sync-state.ts';
import { nextStatus, sliceStatus } from './sync-status.ts';
import type { Progress } from './sync-status.ts';

const context = { now: Date.UTC(2026, 0, 5, 12), generation: 3 };
const later = { now: Date.UTC(2026, 0, 5, 13), generation: 3 };
const synced: Extract<Progress, { kind: 'synced' }> = {
  kind: 'synced',
  hash: 'sha256:1',
  id: 'a',
  outputs: { version: 2, data: { recordId: 'a' } },
  recorded: { mark: { kind: 'operator' } },
  created: true,
  aggregated: { left: 1, out: undefined },
  duplicates: [],
  losers: [],
  wrote: true,
};
const inOrder = nextStatus(undefined, synced, context);

describe('the next status', () => {
  test('of a first sync says everything in one write', () => {
    expect(inOrder).toEqual({
      syncStatus: 'Synced',
      lastSyncTime: '2026-01-05T12:00:00Z',
      configVersion: 2,
      configHash: 'sha256:1',
      aggregatedConfig: { left: 1 },
      cloudflareID: 'a',
      resultData: { recordId: 'a' },
      observedGeneration: 3,
      recorded: { mark: { kind: 'operator' } },
      created: true,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Synced',
          message: 'Cloudflare has what is wanted',
          observedGeneration: 3,
          lastTransitionTime: '2026-01-05T12:00:00Z',
        },
      ],
    });
  });

  const failed: Progress = {
    kind: 'failed',
    reason: 'ValidationFailed',
    message: 'no',
    refused: { hash: 'h', observed: 'o' },
  };
  const refused = nextStatus(inOrder, failed, later);
  const held = nextStatus(inOrder, { kind: 'held', message: 'wait' }, later);

  const unchanged: readonly { readonly name: string; readonly from: SyncStateStatus; readonly by: Progress }[] = [
    { name: 'the same again, found so', from: inOrder, by: { ...synced, wrote: false } },
    { name: 'the same refusal again', from: refused, by: failed },
    { name: 'held for the same reason', from: held, by: { kind: 'held', message: 'wait' } },
    { name: 'a generation that was seen already', from: inOrder, by: { kind: 'seen', losers: [] } },
  ];
  for (const { name, from, by } of unchanged) {
    test(`is the very same: ${name}`, () => expect(nextStatus(from, by, later)).toBe(from));
  }

  test('after a write that changed nothing here has a new time', () => {
    expect(nextStatus(inOrder, synced, later)).toEqual({ ...inOrder, lastSyncTime: '2026-01-05T13:00:00Z' });
  });

  test('after a failure keeps what is known and tells what went wrong', () => {
    expect(refused).toMatchObject({
      syncStatus: 'Error',
      error: 'no',
      lastError: 'no',
      cloudflareID: 'a',
      configHash: 'sha256:1',
      lastSyncTime: '2026-01-05T12:00:00Z',
      refused: { hash: 'h', observed: 'o' },
      conditions: [{ type: 'Ready', status: 'False', reason: 'ValidationFailed', message: 'no' }],
    });
  });

  test('after a failure that may pass forgets an older refusal', () => {
    expect(nextStatus(refused, { kind: 'failed', reason: 'SyncFailed', message: 'x' }, later).refused).toBeUndefined();
  });

  test('after success has no trace of error, refusal, intent and hold', () => {
    const before = { ...held, ...refused, intent: { at: 'x' }, conditions: held.conditions };
    expect(nextStatus(before, synced, later)).toEqual({
      ...inOrder,
      lastSyncTime: '2026-01-05T13:00:00Z',
      conditions: [{ ...inOrder.conditions?.[0], lastTransitionTime: '2026-01-05T13:00:00Z' }],
    });
  });

  test('while it is under way shows it without claiming to have seen the generation', () => {
    const next = nextStatus({ observedGeneration: 2 }, { kind: 'syncing', intent: { at: 'now', wanted: 1 } }, later);
    expect(next).toMatchObject({ syncStatus: 'Syncing', observedGeneration: 2, intent: { at: 'now', wanted: 1 } });
  });

  test('names further objects with our mark', () => {
    const next = nextStatus(inOrder, { ...synced, duplicates: ['b', 'c'] }, later);
    expect(next.conditions?.[1]).toMatchObject({
      type: 'Duplicate',
      message: 'also marked as ours, and left alone: b, c',
    });
  });
});

test('a slice shows how the whole went, and its own generation', () => {
  const shown = sliceStatus(undefined, inOrder, { generation: 7 });
  expect(shown).toMatchObject({ syncStatus: 'Synced', observedGeneration: 7, resultData: { recordId: 'a' } });
  expect(shown.conditions).toBeUndefined();
  expect(sliceStatus(shown, inOrder, { generation: 7 })).toBe(shown);
});
